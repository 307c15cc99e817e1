import { event } from "../format/core-texts.ts";
import { noise } from "../format/measurement-shape.ts";
import { ownersWords } from "../format/owners-words.ts";
import {
  boolean,
  extended,
  integer,
  list,
  literal,
  nullable,
  number,
  object,
  pair,
  type Read,
  tagged,
  text,
} from "../format/shape.ts";
import type { BoostedModel, BoostingPlan, PlannedFeature, Shape } from "./boosting.ts";
import { category, declaredColumn } from "./declared-shape.ts";

const adjacency = literal("add-or-remove-one", "replace-one");

const numberMembers = { kind: literal("number"), name: text, bounds: pair(number) } as const;
const categoryMembers = { kind: literal("category"), name: text, categories: list(category) } as const;

const feature: Read<PlannedFeature> = tagged("kind", {
  number: object({ ...numberMembers, edges: list(number), merged: boolean }),
  category: object(categoryMembers),
});

/** Reads the plan of a boosting. */
export const boostingPlan: Read<BoostingPlan> = extended(
  {
    ...{ kind: literal("boosting-plan"), version: literal(1), source: text, where: nullable(text) },
    ...{ target: declaredColumn, features: list(feature), adjacency, bins: integer(2), rounds: integer(1) },
    ...{ rate: number, clip: number, rows: number, shrinkage: number },
    ...{ countNoise: noise, stepNoise: noise, event },
  },
  ownersWords,
);

const bin = object({ value: number, deviation: number, weight: number });
const shapeMembers = { name: text, bins: list(bin), missing: bin } as const;

const shape: Read<Shape> = tagged("kind", {
  number: object({ ...shapeMembers, ...numberMembers, edges: list(number) }),
  category: object({ ...shapeMembers, kind: literal("category"), groups: list(list(category)) }),
});

/** Reads the model of a boosting. */
export const boostedModel: Read<BoostedModel> = object({
  ...{ kind: literal("boosting"), version: literal(1), target: declaredColumn, intercept: number },
  ...{ shapes: list(shape), adjacency, event },
});
