import { fullJoinOfEqualities } from "../../sql/full-join.ts";
import { semijoinByExists } from "../../sql/semijoin.ts";
import type { Dialect } from "../dialect.ts";
import { firstOfUnit } from "../first-of-unit.ts";
import { columns } from "./columns.ts";
import { double, identifier, text, wide } from "./literals.ts";
import { operators } from "./operators.ts";
import { publicRows } from "./public-rows.ts";
import { gridInteger } from "./to-grid.ts";
import { types, words, write } from "./values.ts";

export { isTrinoType } from "./native-type.ts";

/** The hexadecimal digits of a text's md5, in capitals. */
const md5 = (value: string): string => `to_hex(md5(to_utf8(${value})))`;

/** Trino ≥ 476. Its parameter is written into the statement by ./with-seed.ts. */
export const trino: Dialect = {
  name: "trino",
  types,
  seed: "?",
  write,
  words,
  // The server's query.max-length is a million unless it is set; what is left is for the seed, which stands in the text.
  longestStatement: 990_000,
  copiesTables: true,
  isCheap: () => true,
  // Tables before a query are copied to where they are named, so that rows are better found in one order than by joins with themselves.
  firstGroups: { by: "rank" },
  likely: (condition) => condition,
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
  // A quotient of decimals is rounded half up; what b divides has no remainder to round.
  quotient: (a, b) => `((${a} - ${a} % ${b}) / ${b})`,
  leastOfUnit: (request) => firstOfUnit(request, write),
  hash: (value) => `lower(${md5(value)})`,
  textNumber: (value) => `from_base(substr(${md5(value)}, 1, 15), 16)`,
  exclusiveOr: (a, b) => `bitwise_xor(${a}, ${b})`,
  doubleBits: (x) => `lower(to_hex(to_ieee754_64(${x})))`,
  lengthText: (value) => `CAST(length(${value}) AS varchar)`,
  joined: (parts) => parts.join(" || "),
  columns,
  publicRows,
};
