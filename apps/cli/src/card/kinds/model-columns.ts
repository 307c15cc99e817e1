import type { Category, ModelColumn } from "@lethe/learn";
import { listed } from "../figures.ts";
import { code, plain } from "../markdown.ts";
import type { CardColumn } from "../model-part.ts";

/** A column of a model that is fitted to sums: rows that have no value there are left out. */
export function modelColumn(column: ModelColumn, use: CardColumn["use"]): CardColumn {
  const { name, nullable } = column;
  const values =
    column.kind === "number"
      ? ({ kind: "number", bounds: column.bounds } as const)
      : ({ kind: "category", categories: column.categories } as const);
  return { name, use, values, missing: nullable ? "left out" : "never" };
}

/** A target and the features that predict it. */
export function predictedBy(target: ModelColumn, features: readonly ModelColumn[]): readonly CardColumn[] {
  return [modelColumn(target, "predicted"), ...features.map((each) => modelColumn(each, "feature"))];
}

/** Names columns as code. */
export function names(columns: readonly { readonly name: string }[]): string {
  return listed(columns.map(({ name }) => code(name)));
}

export const shownCategory = (category: Category): string => plain(String(category));
