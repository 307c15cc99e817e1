import type { OverAggregate, OverColumn, OverPlace, OverRelation, OverValue, OverWindow } from "@lethe/query";
import { orderBy } from "../answer-shape.ts";
import { postExpression } from "../expression-shape.ts";
import {
  boolean,
  extended,
  integer,
  list,
  literal,
  nullable,
  object,
  type Read,
  scalar,
  tagged,
  text,
} from "../shape.ts";

const aggregates = [
  "count",
  "sum",
  "avg",
  "min",
  "max",
  "stddev_samp",
  "stddev_pop",
  "var_samp",
  "var_pop",
  "bool_and",
  "bool_or",
] as const satisfies readonly OverAggregate[];

const places = [
  "row_number",
  "rank",
  "dense_rank",
  "percent_rank",
  "cume_dist",
  "ntile",
  "lag",
  "lead",
  "first_value",
  "last_value",
  "nth_value",
] as const satisfies readonly OverPlace[];

const columnType = literal("number", "text", "boolean", "date", "timestamp");

const column: Read<OverColumn> = object({
  name: text,
  type: columnType,
  expression: postExpression,
});

const value: Read<OverValue> = object({
  name: text,
  value: object({
    function: literal(...aggregates),
    expression: nullable(postExpression),
    distinct: boolean,
    where: nullable(postExpression),
  }),
});

const window: Read<OverWindow> = object({
  name: text,
  function: literal(...aggregates, ...places),
  arguments: list(postExpression),
  partitionBy: list(postExpression),
  orderBy,
  frame: object({ peers: boolean, from: nullable(integer()), to: nullable(integer()) }),
  where: nullable(postExpression),
});

/** The rows that are made of those of an answer. */
export const overRelation: Read<OverRelation> = (read, path) => relations(read, path);
const relations: Read<OverRelation> = tagged("kind", {
  answer: extended({ kind: literal("answer") }, { name: text }),
  values: extended(
    {
      kind: literal("values"),
      columns: list(object({ name: text, type: columnType })),
      rows: list(list(scalar)),
    },
    { table: text },
  ),
  filtered: object({ kind: literal("filtered"), of: overRelation, where: postExpression }),
  shown: object({ kind: literal("shown"), of: overRelation, columns: list(column) }),
  grouped: object({ kind: literal("grouped"), of: overRelation, by: list(text), values: list(value) }),
  windowed: object({ kind: literal("windowed"), of: overRelation, windows: list(window) }),
  ordered: object({
    kind: literal("ordered"),
    of: overRelation,
    orderBy,
    limit: nullable(integer(0)),
    offset: integer(0),
  }),
  distinct: object({ kind: literal("distinct"), of: overRelation }),
  joined: object({
    kind: literal("joined"),
    type: literal("inner", "left", "right", "full"),
    left: overRelation,
    right: overRelation,
    on: nullable(postExpression),
  }),
  union: object({ kind: literal("union"), parts: list(overRelation) }),
} satisfies Readonly<Record<OverRelation["kind"], unknown>>);
