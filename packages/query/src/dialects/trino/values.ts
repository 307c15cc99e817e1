import { rowBits } from "../../grid/row-bits.ts";
import type { SqlType, ValueWriter } from "../../sql/value-writer.ts";
import type { NarrowSums } from "../dialect.ts";
import type { QueryWords } from "../print-query.ts";
import { standardValues } from "../standard-values.ts";

export const types: Readonly<Record<SqlType, string>> = {
  double: "double",
  integer: "bigint",
  wide: "decimal(38, 0)",
  text: "varchar",
  boolean: "boolean",
};

export const words: QueryWords = {
  // Trino has no word for a table that is computed once, and copies its query to where it is named.
  as: "AS",
  // Trino's planner hands on a column that is named several times instead of copying its text.
  fence: "",
  beside: (value, name) => ` CROSS JOIN UNNEST(ARRAY[${value}]) AS ${name}(v)`,
};

const standard = standardValues(types, words);

/** An integer literal beyond 64 bits is an error, and so is −2^63 as a minus before 2^63; a decimal has as many digits as it needs. */
function integer(value: bigint | number): string {
  const whole = BigInt(value);
  return whole > -(2n ** 63n) && whole < 2n ** 63n ? standard.integer(whole) : `DECIMAL '${whole}'`;
}

/** Decimals cost several times what integers of 64 bits do. */
export const narrowSums: NarrowSums = {
  hold: (largest) => largest << BigInt(rowBits) < 2n ** 63n,
  quotient: (a, b) => `(${a} / ${b})`,
};

/** Sums of 64 bits raise where they overflow, so that integers are made wide first where they might; bits are moved by functions. */
export const write: ValueWriter = {
  ...standard,
  integer,
  sumDistinct: (x) => standard.sumDistinct(standard.cast(x, "wide")),
  sum: (x, largest) =>
    standard.sum(largest !== undefined && narrowSums.hold(largest) ? x : standard.cast(x, "wide")),
  shiftedLeft: (x, bits) => `bitwise_left_shift(${x}, ${bits})`,
  shiftedRight: (x, bits) => `bitwise_right_shift(${x}, ${bits})`,
  commonBits: (a, b) => `bitwise_and(${a}, ${b})`,
  allBits: (x) => `bitwise_or_agg(${x})`,
};
