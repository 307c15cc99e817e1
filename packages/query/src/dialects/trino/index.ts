import { fullJoinOfEqualities } from "../../sql/full-join.ts";
import { semijoinByExists } from "../../sql/semijoin.ts";
import type { Dialect } from "../dialect.ts";
import { firstOfUnit } from "../first-of-unit.ts";
import { columns } from "./columns.ts";
import { double, identifier, text, wide } from "./literals.ts";
import { narrow } from "./narrow.ts";
import { operators } from "./operators.ts";
import { publicRows } from "./public-rows.ts";
import { checkSize, most } from "./size.ts";
import { gridInteger } from "./to-grid.ts";
import { narrowSums, types, words, write } from "./values.ts";

export { isTrinoType } from "./native-type.ts";

/** The 16 bytes of a text's md5. */
const md5 = (value: string): string => `md5(to_utf8(${value}))`;

/** Trino ≥ 476. Its parameter is written into the statement by ./with-seed.ts. */
export const trino: Dialect = {
  name: "trino",
  types,
  seed: "?",
  write,
  words,
  longestStatement: most.statement,
  checkSize,
  copiesTables: true,
  isCheap: () => true,
  // Rows are grouped by unit and group while they are handed to the machine of their unit, which then orders groups, of which there are fewer.
  firstGroups: { by: "pairs" },
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
  narrow,
  // A quotient of decimals is rounded half up; what b divides has no remainder to round.
  quotient: (a, b) => `((${a} - ${a} % ${b}) / ${b})`,
  narrowSums,
  leastOfUnit: (request) => firstOfUnit(request, write),
  hash: (value) => `lower(to_hex(${md5(value)}))`,
  textNumber: (value) => `bitwise_right_shift(from_big_endian_64(substr(${md5(value)}, 1, 8)), 4)`,
  exclusiveOr: (a, b) => `bitwise_xor(${a}, ${b})`,
  doubleBits: (x) => `lower(to_hex(to_ieee754_64(${x})))`,
  lengthText: (value) => `CAST(length(${value}) AS varchar)`,
  joined: (parts) => parts.join(" || "),
  columns,
  publicRows,
};
