import type { NamedAggregate, OutputColumn, PostProcessing } from "@lethe/query";
import { postExpression } from "./expression-shape.ts";
import {
  boolean,
  extended,
  fraction,
  integer,
  integerText,
  list,
  literal,
  nullable,
  object,
  type Read,
  tagged,
  text,
  yes,
} from "./shape.ts";

/** Present where each value counts once. */
const ofDistinct = { distinct: yes } as const;

const spread = <K extends "variance" | "stddev">(
  kind: K,
): Read<Extract<NamedAggregate, { readonly population: boolean }> & { readonly kind: K }> =>
  extended(
    {
      name: text,
      kind: literal(kind),
      population: boolean,
      squares: text,
      sum: text,
      count: text,
      half: integerText,
      offset: integerText,
      exponent: integer(),
    },
    ofDistinct,
  );

/** The name of an aggregate, and the way in which it is read from measurements. */
export const aggregate: Read<NamedAggregate> = tagged("kind", {
  count: object({ name: text, kind: literal("count"), count: text }),
  sum: extended({ name: text, kind: literal("sum"), sum: text, exponent: integer() }, ofDistinct),
  avg: extended(
    {
      name: text,
      kind: literal("avg"),
      sum: text,
      count: text,
      mid: integerText,
      half: integerText,
      exponent: integer(),
    },
    ofDistinct,
  ),
  covariance: object({
    name: text,
    kind: literal("covariance"),
    population: boolean,
    products: text,
    sum: text,
    otherSum: text,
    count: text,
    half: integerText,
    otherHalf: integerText,
    exponent: integer(),
  }),
  variance: spread("variance"),
  stddev: spread("stddev"),
  skewness: object({
    name: text,
    kind: literal("skewness"),
    cubes: text,
    squares: text,
    sum: text,
    count: text,
    offset: integerText,
  }),
  quantile: extended(
    {
      name: text,
      kind: literal("quantile"),
      tree: text,
      share: fraction,
      standsFor: nullable(literal("min", "max")),
    },
    { time: literal("date", "timestamp") },
  ),
} satisfies Readonly<Record<NamedAggregate["kind"], unknown>>);

/** A column of the answer. */
export const output: Read<OutputColumn> = tagged("kind", {
  key: object({ name: text, kind: literal("key"), key: text }),
  aggregate: object({ name: text, kind: literal("aggregate"), aggregate: text }),
  computed: object({
    name: text,
    kind: literal("computed"),
    type: literal("number", "text", "boolean", "date", "timestamp"),
    expression: postExpression,
  }),
  "interval-end": object({
    name: text,
    kind: literal("interval-end"),
    end: literal("lower", "upper"),
    output: text,
  }),
});

/** The parts of an order of rows. */
export const orderBy: Read<PostProcessing["orderBy"]> = list(
  object({ by: postExpression, descending: boolean, nullsFirst: boolean }),
);

/** The post-processing of released rows. */
export const post: Read<PostProcessing> = object({
  having: nullable(postExpression),
  orderBy,
  limit: nullable(integer(0)),
  offset: integer(0),
});
