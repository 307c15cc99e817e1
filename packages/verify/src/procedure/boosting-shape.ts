import { event } from "../format/core-texts.ts";
import { noise } from "../format/measurement-shape.ts";
import {
  boolean,
  integer,
  list,
  literal,
  Misshapen,
  nullable,
  number,
  object,
  pair,
  type Read,
  scalar,
  tagged,
  text,
} from "../format/shape.ts";
import type { BoostedColumn, BoostedModel, BoostingPlan, PlannedFeature, Shape } from "./boosting.ts";

const adjacency = literal("add-or-remove-one", "replace-one");

/** A value of a column of categories. */
export const category: Read<string | number | boolean> = (value, path) => {
  const found = scalar(value, path);
  if (found === null) throw new Misshapen(path, "a text, a number, true or false");
  return found;
};

const numberMembers = { kind: literal("number"), name: text, bounds: pair(number) } as const;
const categoryMembers = { kind: literal("category"), name: text, categories: list(category) } as const;

const target: Read<BoostedColumn> = tagged("kind", {
  number: object(numberMembers),
  category: object(categoryMembers),
});

const feature: Read<PlannedFeature> = tagged("kind", {
  number: object({ ...numberMembers, edges: list(number), merged: boolean }),
  category: object(categoryMembers),
});

/** Reads the plan of a boosting. */
export const boostingPlan: Read<BoostingPlan> = object({
  ...{ kind: literal("boosting-plan"), version: literal(1), source: text, where: nullable(text) },
  ...{ target, features: list(feature), adjacency, bins: integer(2), rounds: integer(1) },
  ...{ rate: number, clip: number, rows: number, shrinkage: number },
  ...{ countNoise: noise, stepNoise: noise, event },
});

const bin = object({ value: number, deviation: number, weight: number });
const shapeMembers = { name: text, bins: list(bin), missing: bin } as const;

const shape: Read<Shape> = tagged("kind", {
  number: object({ ...shapeMembers, ...numberMembers, edges: list(number) }),
  category: object({ ...shapeMembers, kind: literal("category"), groups: list(list(category)) }),
});

/** Reads the model of a boosting. */
export const boostedModel: Read<BoostedModel> = object({
  ...{ kind: literal("boosting"), version: literal(1), target, intercept: number },
  ...{ shapes: list(shape), adjacency, event },
});
