import type { Noise } from "@lethe/core/mechanisms";
import type {
  CombinedTotal,
  Grid,
  LearnedBounds,
  Measurement,
  NamedSum,
  TreeMeasurement,
} from "@lethe/query";
import { positiveText } from "./core-texts.ts";
import { expression } from "./expression-shape.ts";
import {
  extended,
  integer,
  integerText,
  list,
  literal,
  nullable,
  number,
  object,
  pair,
  type Read,
  tagged,
  text,
} from "./shape.ts";

/** The integers that values are rounded to. */
export const grid: Read<Grid> = object({ exponent: integer(), lo: integerText, hi: integerText });

const scaled = <K extends "scaled-sum" | "scaled-squares" | "scaled-cubes">(
  kind: K,
): Read<Extract<NamedSum, { readonly mid: string }> & { readonly kind: K }> =>
  object({
    name: text,
    kind: literal(kind),
    argument: expression,
    grid,
    mid: integerText,
    half: integerText,
  });

const centredColumn = { argument: expression, grid, mid: integerText, half: integerText } as const;

/** A column of exact integers. */
export const sum: Read<NamedSum> = tagged("kind", {
  units: object({ name: text, kind: literal("units") }),
  "units-with": object({ name: text, kind: literal("units-with"), argument: expression }),
  distinct: object({ name: text, kind: literal("distinct"), argument: expression, most: integer(1) }),
  "distinct-powers": object({
    name: text,
    kind: literal("distinct-powers"),
    argument: expression,
    grid,
    mid: integerText,
    power: literal(0, 1, 2),
    most: integer(1),
  }),
  "scaled-products": object({
    name: text,
    kind: literal("scaled-products"),
    ...centredColumn,
    other: object(centredColumn),
  }),
  count: object({ name: text, kind: literal("count"), argument: nullable(expression) }),
  sum: extended(
    {
      name: text,
      kind: literal("sum"),
      argument: expression,
      grid,
      lo: integerText,
      hi: integerText,
    },
    { factors: list(object({ argument: expression, grid, power: integer(1) })) },
  ),
  "scaled-sum": scaled("scaled-sum"),
  "scaled-squares": scaled("scaled-squares"),
  "scaled-cubes": scaled("scaled-cubes"),
} satisfies Readonly<Record<NamedSum["kind"], unknown>>);

export const noise: Read<Noise> = tagged("mechanism", {
  "discrete-laplace@1": object({ mechanism: literal("discrete-laplace@1"), scale: positiveText }),
  "rounded-gaussian@1": object({ mechanism: literal("rounded-gaussian@1"), sigma: positiveText }),
  "discrete-gaussian@1": object({ mechanism: literal("discrete-gaussian@1"), sigmaSquared: positiveText }),
  "constant@1": object({ mechanism: literal("constant@1") }),
} satisfies Readonly<Record<Noise["mechanism"], unknown>>);

/** A measurement that is released with noise: integer terms of sums. */
export const measurement: Read<Measurement> = object({
  name: text,
  terms: list(object({ sum: text, coefficient: integerText })),
  l1: integerText,
  l2Squared: integerText,
  noise,
});

/** A total that is read from several measurements. */
export const combinedTotal: Read<CombinedTotal> = object({
  name: text,
  terms: list(object({ measurement: text, coefficient: integerText })),
  divisor: integerText,
});

/** Noisy counts of cells, for quantiles. */
export const tree: Read<TreeMeasurement> = object({
  name: text,
  argument: expression,
  grid,
  cellWidth: integerText,
  branching: integer(2),
  height: integer(1),
  rowWeight: integer(1),
  l1: integerText,
  l2Squared: integerText,
  noise,
});

/** The learned bounds of a release, with the noisy counts that they follow from. */
export const learned: Read<LearnedBounds> = object({
  stages: list(
    object({
      name: text,
      argument: expression,
      ends: list(number),
      l1: integerText,
      l2Squared: integerText,
      noise,
      counts: list(number),
      bounds: pair(number),
    }),
  ),
  nominal: list(object({ name: text, noise, l1: integerText, l2Squared: integerText })),
});
