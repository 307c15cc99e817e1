import type { SqlType, ValueWriter } from "../sql/value-writer.ts";
import type { Order, Window } from "../sql/window.ts";
import { integerText } from "./integer-text.ts";
import { printQuery, type QueryWords } from "./print-query.ts";

const infix =
  (symbol: string) =>
  (a: string, b: string): string =>
    `${a} ${symbol} ${b}`;
const listed =
  (name: string) =>
  (...args: readonly string[]): string =>
    `${name}(${args.join(", ")})`;

/**
 * Values as SQL's standard has them, and as both DuckDB and PostgreSQL write them: sums of integers widen by themselves. A dialect
 * that differs replaces what differs.
 */
export function standardValues(types: Readonly<Record<SqlType, string>>, words: QueryWords): ValueWriter {
  const castTo = (x: string, type: string): string => `CAST(${x} AS ${type})`;
  const cast: ValueWriter["cast"] = (x, type) => castTo(x, types[type]);
  /** Both engines take the number of bits as an integer of 32 bits. */
  const bitCount = (bits: string | number): string =>
    typeof bits === "number" ? `${bits}` : `CAST(${bits} AS integer)`;
  return {
    missing: "NULL",
    missingOf: (type) => cast("NULL", type),
    truth: (value) => (value ? "TRUE" : "FALSE"),
    integer: (value) => integerText(BigInt(value)),
    cast,
    castTo,
    enclosed: (x) => `(${x})`,
    negated: (x) => `-${x}`,
    plus: infix("+"),
    minus: infix("-"),
    times: infix("*"),
    ratio: infix("/"),
    remainder: infix("%"),
    shiftedLeft: (x, bits) => `${x} << ${bitCount(bits)}`,
    shiftedRight: (x, bits) => `${x} >> ${bitCount(bits)}`,
    commonBits: infix("&"),
    compare: (a, comparison, b) => `${a} ${comparison} ${b}`,
    between: (x, lo, hi) => `${x} BETWEEN ${lo} AND ${hi}`,
    isIn: (x, list) => `${x} IN (${list.join(", ")})`,
    isMissing: (x) => `${x} IS NULL`,
    isPresent: (x) => `${x} IS NOT NULL`,
    not: (condition) => `NOT ${condition}`,
    every: (conditions) => conditions.join(" AND "),
    some: (conditions) => conditions.join(" OR "),
    exists: (query) => `EXISTS (${printQuery(query, words)})`,
    caseOf: (branches, otherwise) =>
      `CASE ${branches.map(([when, then]) => `WHEN ${when} THEN ${then} `).join("")}${otherwise === undefined ? "" : `ELSE ${otherwise} `}END`,
    coalesce: listed("coalesce"),
    least: listed("least"),
    missingWhere: listed("nullif"),
    count: (counted = "*") => `count(${counted})`,
    countDistinct: (x) => `count(DISTINCT ${x})`,
    countWhere: (condition) => `count(*) FILTER (WHERE ${condition})`,
    sum: (x) => `sum(${x})`,
    sumDistinct: (x) => `sum(DISTINCT ${x})`,
    sumOfDoubles: listed("sum"),
    min: listed("min"),
    max: listed("max"),
    allBits: listed("bit_or"),
    call: (name, ...args) => `${name}(${args.join(", ")})`,
    over: (call, window) => `${call} OVER (${windowText(window)})`,
  };
}

function windowText({ partitionBy, orderBy, frame = null }: Window): string {
  return [
    ...(partitionBy.length === 0 ? [] : [`PARTITION BY ${partitionBy.join(", ")}`]),
    ...(orderBy.length === 0 ? [] : [`ORDER BY ${orderBy.map(orderText).join(", ")}`]),
    ...(frame === null ? [] : [frame]),
  ].join(" ");
}

const directions = { ascending: " ASC", descending: " DESC" } as const;

function orderText(order: string | Order): string {
  if (typeof order === "string") return order;
  const direction = order.direction === null ? "" : directions[order.direction];
  return `${order.by}${direction} NULLS ${order.nulls.toUpperCase()}`;
}
