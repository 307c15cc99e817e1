import type { Relation, RowLimit, TableRelation } from "@lethe/query";
import { column } from "./column-shape.ts";
import { expression } from "./expression-shape.ts";
import {
  boolean,
  extended,
  integer,
  list,
  literal,
  Misshapen,
  map,
  nullable,
  object,
  type Read,
  scalar,
  tagged,
  text,
} from "./shape.ts";
import { unitAggregate, unitWindow } from "./unit-value-shape.ts";

const limit: Read<RowLimit> = tagged("per", {
  value: object({ per: literal("value"), column: text, rows: integer(1) }),
  "unit-and-key": object({ per: literal("unit-and-key"), column: text, rows: integer(1) }),
  unit: object({ per: literal("unit"), rows: integer(1) }),
  table: object({ per: literal("table"), rows: integer(1) }),
});

const tableOf = {
  kind: literal("table"),
  table: text,
  source: nullable(text),
  unit: tagged("kind", {
    row: object({ kind: literal("row") }),
    public: object({ kind: literal("public") }),
    column: object({
      kind: literal("column"),
      column: text,
      path: list(object({ table: text, key: text, column: text })),
      names: object({ table: text, column: text }),
    }),
  }),
  oncePer: nullable(text),
  columns: map(column),
} as const;

/** A table. Certificates from before there were limits say nothing of them, nor do tables that need none. */
const tableRelation: Read<TableRelation> = extended(tableOf, { limits: list(limit) });

/** A value of a list, which is never missing. */
const cell: Read<string | number | boolean> = (value, path) => {
  const found = scalar(value, path);
  if (found === null) throw new Misshapen(path, "a value");
  return found;
};

const joinedKey = object({ source: text, column: text });

/** The relation that a question's rows are made of. */
export const relation: Read<Relation> = (value, path) => relations(value, path);
const relations: Read<Relation> = tagged("kind", {
  table: tableRelation,
  list: object({
    kind: literal("list"),
    source: text,
    columns: map(column),
    names: list(text),
    rows: list(list(cell)),
  }),
  filter: extended({ kind: literal("filter"), of: relation, where: expression }, { fenced: literal(true) }),
  union: object({
    kind: literal("union"),
    source: text,
    columns: map(column),
    parts: list(object({ of: relation, values: map(expression) })),
  }),
  grouped: object({
    kind: literal("grouped"),
    source: text,
    columns: map(column),
    of: relation,
    keys: map(expression),
    values: map(unitAggregate),
  }),
  windowed: object({
    kind: literal("windowed"),
    source: text,
    columns: map(column),
    of: relation,
    values: map(unitWindow),
  }),
  semijoin: object({
    kind: literal("semijoin"),
    of: relation,
    among: relation,
    on: expression,
    not: boolean,
  }),
  marked: object({
    kind: literal("marked"),
    source: text,
    columns: map(column),
    of: relation,
    among: relation,
    keys: list(object({ left: joinedKey, right: joinedKey })),
    on: nullable(expression),
  }),
  join: extended(
    {
      kind: literal("join"),
      type: literal("inner", "left", "right", "full"),
      left: relation,
      right: relation,
      keys: list(object({ left: joinedKey, right: joinedKey })),
      on: nullable(expression),
    },
    { keeps: literal("left", "right") },
  ),
});
