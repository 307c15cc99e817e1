import type { UnitRows } from "@lethe/core/mechanisms";
import { doubleAt, elementAt } from "@lethe/core/numeric";
import type { DeclaredColumn } from "../model/model.ts";
import { type Design, designWidth } from "./design.ts";
import { isPlace, scaledToOne, writeDesignRow } from "./design-row.ts";

/** Rows as a model that is trained on rows sees them, those of one unit after another. Private: for within a seal. */
export interface DesignRows {
  readonly width: number;
  /** Row after row, `width` entries each, within [−1, 1]. */
  readonly inputs: Float32Array;
  /** One a row: a number scaled to [−1, 1], or the place of a category; NaN where it is missing. */
  readonly targets: Float32Array;
  /** Unit u has the rows from offsets[u] to before offsets[u + 1]. */
  readonly offsets: Uint32Array;
}

/**
 * Returns rows that an engine read as a design's vectors: the columns are the design's in its order, and then the target. Total: no value of a row
 * makes it fail, and each row is coded by itself. For within a seal.
 */
export function designRows(
  design: Design,
  target: DeclaredColumn,
  { columns, offsets }: UnitRows,
): DesignRows {
  const width = designWidth(design);
  const targets = elementAt(columns, design.columns.length);
  const inputs = new Float32Array(targets.length * width);
  for (let row = 0; row < targets.length; row += 1)
    writeDesignRow(design, (column) => doubleAt(elementAt(columns, column), row), inputs, row * width);
  return {
    width,
    inputs,
    targets: Float32Array.from(targets, (value) => codedTarget(target, value)),
    offsets,
  };
}

/** A target as a model is trained on it. */
function codedTarget(target: DeclaredColumn, value: number): number {
  if (target.kind === "number") return Number.isNaN(value) ? Number.NaN : scaledToOne(target, value);
  return isPlace(value, target.categories.length) ? value : Number.NaN;
}
