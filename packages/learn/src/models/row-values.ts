import type { DeclaredColumn } from "../model/model.ts";

/** A row that a model is applied to: values by the names of columns. */
export type RowValues = Readonly<Record<string, string | number | bigint | boolean | null>>;

type Declared<Kind> = Extract<DeclaredColumn, { readonly kind: Kind }>;

/** A number as the model saw it, clamped to its bounds; null where it is missing or no number. */
export function clampedValue({ name, bounds: [lo, hi] }: Declared<"number">, row: RowValues): number | null {
  const value = Object.hasOwn(row, name) ? row[name] : null;
  const number = typeof value === "number" || typeof value === "bigint" ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? null : Math.min(hi, Math.max(lo, number));
}

/** The place of a row's category; null where it is missing or no category of the model. */
export function categoryPlace({ name, categories }: Declared<"category">, row: RowValues): number | null {
  const value = Object.hasOwn(row, name) ? row[name] : null;
  const place = categories.findIndex(
    (category) => category === (typeof value === "bigint" ? Number(value) : value),
  );
  return place === -1 ? null : place;
}
