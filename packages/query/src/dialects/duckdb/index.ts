import { fullJoin } from "../../sql/full-join.ts";
import { semijoinByJoin } from "../../sql/semijoin.ts";
import type { Dialect } from "../dialect.ts";
import { columns } from "./columns.ts";
import { leastOfUnit } from "./least-of-unit.ts";
import { double, identifier, text, wide } from "./literals.ts";
import { narrow } from "./narrow.ts";
import { operators } from "./operators.ts";
import { publicRows } from "./public-rows.ts";
import { gridInteger } from "./to-grid.ts";
import { types, words, write } from "./values.ts";

/** DuckDB ≥ 1.3. */
export const duckdb: Dialect = {
  name: "duckdb",
  types,
  seed: "$1",
  write,
  words,
  longestStatement: null,
  checkSize: null,
  copiesTables: false,
  isCheap: () => true,
  firstGroups: { by: "bits", bitCount: (x) => `bit_count(${x})` },
  likely: (condition) => condition,
  fullJoin,
  semijoin: semijoinByJoin,
  identifier,
  text,
  double,
  wide,
  operators,
  toGrid: (x, grid) => gridInteger(x, grid, "NULL"),
  toInteger: (x) => `TRY_CAST(${x} AS BIGINT)`,
  narrow,
  // On integers // truncates, which is the floor where neither side is negative.
  quotient: (a, b) => `(${a} // ${b})`,
  narrowSums: null,
  leastOfUnit,
  hash: (value) => `md5(${value})`,
  textNumber: (value) => `CAST('0x' || left(md5(${value}), 15) AS BIGINT)`,
  exclusiveOr: (a, b) => `xor(${a}, ${b})`,
  doubleBits: (x) => `lower(hex(CAST(CAST(${x} AS BIT) AS BLOB)))`,
  lengthText: (value) => `CAST(length(${value}) AS VARCHAR)`,
  joined: (parts) => parts.join(" || "),
  columns,
  publicRows,
};
