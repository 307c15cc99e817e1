import type { OverAggregate } from "@lethe/query";
import { compareValues, type PostValue } from "../post/evaluate.ts";
import { addedForms, constantForm, type NoisyForm, scaledForm } from "./noisy-form.ts";
import { madeCell, type OverCell } from "./over-cell.ts";

/**
 * Aggregates cells as SQL does: NULL is left out, and of nothing all but counts are NULL. A sum or an average of forms has one, where the rows that it is over do not
 * hang on noise (`isChosen`).
 */
export function aggregateCells(
  name: OverAggregate,
  cells: readonly OverCell[],
  isDistinct: boolean,
  isChosen: boolean,
): OverCell {
  const present = cells.filter(({ value }) => value !== null);
  const values = isDistinct ? distinctValues(present) : present.map(({ value }) => value);
  const value = aggregated[name](values);
  const canSum = !isChosen && !isDistinct && value !== null && (name === "sum" || name === "avg");
  if (!canSum) return madeCell(value);
  const sum = addedForms(present.map(numberForm));
  return { ...madeCell(value), form: sum && name === "avg" ? scaledForm(sum, 1 / present.length) : sum };
}

function numberForm({ exact, value, form }: OverCell): NoisyForm | null {
  return exact && typeof value === "number" ? constantForm(value) : form;
}

function distinctValues(cells: readonly OverCell[]): readonly PostValue[] {
  return [...new Set(cells.map(({ value }) => value))];
}

type Aggregated = (values: readonly PostValue[]) => PostValue;

function ofNumbers(most: number, of: (numbers: readonly number[]) => number): Aggregated {
  return (values) => {
    if (values.length < most) return null;
    const result = of(values.map(Number));
    return Number.isFinite(result) ? result : null;
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const mean = (numbers: readonly number[]): number => sum(numbers) / numbers.length;

function squares(numbers: readonly number[]): number {
  const middle = mean(numbers);
  return sum(numbers.map((number) => (number - middle) ** 2));
}

function extreme(sign: 1 | -1): Aggregated {
  return (values) => {
    let best: PostValue = null;
    for (const value of values)
      if (best === null || sign * (compareValues(value, best) ?? 0) > 0) best = value;
    return best;
  };
}

const aggregated: Readonly<Record<OverAggregate, Aggregated>> = {
  count: (values) => values.length,
  sum: ofNumbers(1, sum),
  avg: ofNumbers(1, mean),
  min: extreme(-1),
  max: extreme(1),
  var_pop: ofNumbers(1, (numbers) => squares(numbers) / numbers.length),
  var_samp: ofNumbers(2, (numbers) => squares(numbers) / (numbers.length - 1)),
  stddev_pop: ofNumbers(1, (numbers) => Math.sqrt(squares(numbers) / numbers.length)),
  stddev_samp: ofNumbers(2, (numbers) => Math.sqrt(squares(numbers) / (numbers.length - 1))),
  bool_and: (values) => (values.length === 0 ? null : values.every((value) => value === true)),
  bool_or: (values) => (values.length === 0 ? null : values.includes(true)),
};

/** Returns whether a name is that of an aggregate, and not of a place among rows. */
export function isAggregate(name: string): name is OverAggregate {
  return Object.hasOwn(aggregated, name);
}
