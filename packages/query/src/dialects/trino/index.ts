import { fullJoinOfEqualities } from "../../sql/full-join.ts";
import { semijoinByExists } from "../../sql/semijoin.ts";
import type { Dialect } from "../dialect.ts";
import { firstOfUnit } from "../first-of-unit.ts";
import { columns } from "./columns.ts";
import { double, identifier, text, wide } from "./literals.ts";
import { operators } from "./operators.ts";
import { gridInteger } from "./to-grid.ts";
import { types, words, write } from "./values.ts";

export { isTrinoType } from "./native-type.ts";

/** The hexadecimal digits of a text's md5, in capitals. */
const md5 = (value: string): string => `to_hex(md5(to_utf8(${value})))`;

/**
 * Trino ≥ 476, as a third dialect that shows what a dialect has to say. No engine runs it: it is kept among the tests until one does.
 * A parameter is a question mark that stands for itself alone, so an engine would have to give the seed as often as it is named.
 */
export const trino: Dialect = {
  name: "trino",
  types,
  seed: "?",
  write,
  words,
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
  publicRows: {
    cast: (x, type) => `TRY_CAST(${x} AS ${type})`,
    functionName: (name) => name,
    lacks: new Set(["to_char", "strftime"]),
    qualifies: false,
    time: (type, number) =>
      type === "date"
        ? `date_add('day', ${number}, DATE '1970-01-01')`
        : `date_add('millisecond', ${number} / 1000, TIMESTAMP '1970-01-01')`,
  },
};
