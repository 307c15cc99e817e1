import type { DeclaredColumn } from "@lethe/learn";
import type { CardColumn } from "../model-part.ts";

/** A column of a model that was trained on rows, as its plan declares it. A row without a target adds nothing. */
export function declaredColumn(
  column: DeclaredColumn,
  use: CardColumn["use"],
  ofFeature: CardColumn["missing"],
): CardColumn {
  const { name } = column;
  const missing = use === "predicted" ? "left out" : ofFeature;
  const values =
    column.kind === "number"
      ? ({ kind: "number", bounds: column.bounds } as const)
      : ({ kind: "category", categories: column.categories } as const);
  return { name, use, values, missing };
}
