import { fullJoinOfEqualities } from "../../sql/full-join.ts";
import { semijoinByExists } from "../../sql/semijoin.ts";
import type { Dialect } from "../dialect.ts";
import { columns } from "./columns.ts";
import { leastOfUnit } from "./least-of-unit.ts";
import { double, identifier, text, wide } from "./literals.ts";
import { operators } from "./operators.ts";
import { publicRows } from "./public-rows.ts";
import { gridInteger } from "./to-grid.ts";
import { types, words, write } from "./values.ts";

export { readableTypes as postgresTypes } from "./native-type.ts";

/** A function of PostgreSQL takes 100 arguments at most. One call makes one text; each || would make another. */
const mostArguments = 100;

function joined(parts: readonly string[]): string {
  if (parts.length <= mostArguments) return `concat(${parts.join(", ")})`;
  return joined([joined(parts.slice(0, mostArguments)), ...parts.slice(mostArguments)]);
}

/** PostgreSQL ≥ 17, in a database whose encoding is UTF8, under the settings that the engine makes. */
export const postgres: Dialect = {
  name: "postgres",
  types,
  seed: "$1",
  write,
  words,
  longestStatement: null,
  checkSize: null,
  copiesTables: false,
  // A clamp to a grid, a few categories; no text that is taken for a number, no list of a thousand.
  isCheap: (column) => column.length <= 400 && !column.includes("SELECT"),
  firstGroups: { by: "rank" },
  // Of a CASE it would expect one row in two hundred, and choose a plan for so few.
  likely: (condition) => `coalesce(${condition}, FALSE)`,
  fullJoin: fullJoinOfEqualities,
  semijoin: semijoinByExists,
  identifier,
  text,
  double,
  wide,
  operators,
  toGrid: (x, grid) => gridInteger(x, grid, "NULL"),
  toInteger: (x) => `CAST(${x} AS bigint)`,
  narrow: (integer) => integer,
  quotient: (a, b) => `div(${a}, ${b})`,
  narrowSums: null,
  leastOfUnit,
  hash: (value) => `(md5(${value}) COLLATE "C")`,
  textNumber: (value) => `CAST(CAST('x' || left(md5(${value}), 15) AS bit(60)) AS bigint)`,
  exclusiveOr: (a, b) => `(${a} # ${b})`,
  doubleBits: (x) => `encode(float8send(${x}), 'hex')`,
  lengthText: (value) => `length(${value})`,
  joined,
  columns,
  publicRows,
};
