import type { OverAggregate, PostExpression } from "@lethe/query";
import {
  hidden,
  orderOf,
  type Seen,
  type SeenRow,
  seenValue,
  type Value,
} from "../derive/released/released-value.ts";
import type { MadeColumn } from "./made-rows.ts";
import { isNumberExpression } from "./number-expression.ts";

/** Returns what a row gives an aggregate: a value, or none where FILTER leaves the row out. */
export function givenBy(
  expression: PostExpression | null,
  where: PostExpression | null,
  row: SeenRow,
): readonly Seen[] {
  const isKept = where === null ? true : seenValue(where, row);
  if (isKept === hidden) return [hidden];
  if (isKept !== true) return [];
  return [expression === null ? true : seenValue(expression, row)];
}

/** Whether an aggregate of this argument is a number. */
export function isNumberAggregate(
  name: OverAggregate,
  argument: PostExpression | null,
  columns: readonly MadeColumn[],
): boolean {
  if (name === "bool_and" || name === "bool_or") return false;
  if (name !== "min" && name !== "max") return true;
  return argument !== null && isNumberExpression(argument, columns);
}

/** Returns an aggregate of values. NULL is left out; of no values, all but a count are NULL, and so is what is not finite. */
export function aggregateValue(name: OverAggregate, values: readonly Seen[]): Seen {
  const known: Exclude<Value, null>[] = [];
  for (const value of values) {
    if (value === hidden) return hidden;
    if (value !== null) known.push(value);
  }
  if (name === "count") return known.length;
  return known.length === 0 ? null : aggregates[name](known);
}

type Apply = (values: readonly Exclude<Value, null>[]) => Value;

const extreme =
  (sign: 1 | -1): Apply =>
  (values) =>
    values.reduce((best, value) => (sign * Number(orderOf(value, best)) > 0 ? value : best));

const ofNumbers =
  (compute: (numbers: readonly number[]) => number): Apply =>
  (values) => {
    if (!values.every((value) => typeof value === "number" || typeof value === "bigint")) return null;
    const result = compute(values.map(Number));
    return Number.isFinite(result) ? result : null;
  };

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const mean = (numbers: readonly number[]): number => sum(numbers) / numbers.length;

/** Returns the variance; `fewer` is 1 for that of a sample. Of one value, a sample has none. */
function variance(numbers: readonly number[], fewer: 0 | 1): number {
  const middle = mean(numbers);
  return sum(numbers.map((number) => (number - middle) ** 2)) / (numbers.length - fewer);
}

const aggregates: Readonly<Record<Exclude<OverAggregate, "count">, Apply>> = {
  sum: ofNumbers(sum),
  avg: ofNumbers(mean),
  min: extreme(-1),
  max: extreme(1),
  var_samp: ofNumbers((numbers) => variance(numbers, 1)),
  var_pop: ofNumbers((numbers) => variance(numbers, 0)),
  stddev_samp: ofNumbers((numbers) => Math.sqrt(variance(numbers, 1))),
  stddev_pop: ofNumbers((numbers) => Math.sqrt(variance(numbers, 0))),
  bool_and: (values) => values.every((value) => value === true),
  bool_or: (values) => values.includes(true),
};
