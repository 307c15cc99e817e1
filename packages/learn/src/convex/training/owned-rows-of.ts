import type { UnitRows } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { designRows } from "../../design/design-rows.ts";
import type { OwnedRows } from "../rows/owned-rows.ts";
import type { ConvexTraining } from "./convex-training.ts";

/**
 * Returns an engine's rows as vectors and labels: a number scaled by its bounds, or a class as ±1. Rows without a target are left out; of a unit
 * that has no others one stays, whose vector is 0, so that it adds nothing and keeps its place. A function of each unit by itself; for within a seal.
 */
export function ownedRows(
  { target, features, intercept }: Pick<ConvexTraining, "target" | "features" | "intercept">,
  rows: UnitRows,
): OwnedRows {
  const { width, inputs, targets, offsets } = designRows({ columns: features, intercept }, target, rows);
  const kept: number[] = [];
  const starts = [0];
  for (let unit = 0; unit < offsets.length - 1; unit += 1) {
    const [first, end] = [elementAt(offsets, unit), elementAt(offsets, unit + 1)];
    const before = kept.length;
    for (let row = first; row < end; row += 1) if (!Number.isNaN(elementAt(targets, row))) kept.push(row);
    if (kept.length === before) {
      inputs.fill(0, first * width, (first + 1) * width);
      kept.push(first);
    }
    starts.push(kept.length);
  }
  kept.forEach((row, at) => {
    inputs.copyWithin(at * width, row * width, (row + 1) * width);
  });
  const labelOf = (value: number): number =>
    target.kind === "number" ? (Number.isNaN(value) ? 0 : value) : value === 1 ? 1 : -1;
  return {
    features: inputs.subarray(0, kept.length * width),
    labels: Float64Array.from(kept, (row) => labelOf(elementAt(targets, row))),
    offsets: Uint32Array.from(starts),
  };
}
