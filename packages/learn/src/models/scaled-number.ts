import type { NumberColumn } from "../model/model.ts";
import { double } from "../sql/literal.ts";
import { clampedText } from "./column-text.ts";
import { clampedValue, type RowValues } from "./row-values.ts";

/** A number as (x − centre)/scale. */
export interface ScaledNumber {
  readonly column: NumberColumn;
  readonly centre: number;
  readonly scale: number;
}

export function scaledValue({ column, centre, scale }: ScaledNumber, row: RowValues): number | null {
  const value = clampedValue(column, row);
  return value === null ? null : (value - centre) / scale;
}

/** The same in SQL. */
export function scaledSql({ column, centre, scale }: ScaledNumber): string {
  return `((${clampedText(column)} - ${double(centre)}) / ${double(scale)})`;
}

/** All of them; null where one is missing. */
export function allScaled(numbers: readonly ScaledNumber[], row: RowValues): readonly number[] | null {
  const values = numbers.map((number) => scaledValue(number, row));
  return values.every((value): value is number => value !== null) ? values : null;
}
