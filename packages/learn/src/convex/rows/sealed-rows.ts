import { computeSealed, Exact, seal } from "@lethe/core/mechanisms";
import type { ConvexProblem } from "../problem/convex-problem.ts";
import { checkRows, type OwnedRows } from "./owned-rows.ts";
import { type UnitRows, unitRows } from "./unit-rows.ts";

/** The rows of a run: sealed already, or in their owner's hands, who may see them and seals them at the door. */
export type RunRows = OwnedRows | Exact<OwnedRows>;

/** Seals what comes in the clear, once it is known to be a table. Errors: parameter.invalid for lists whose lengths do not fit each other. */
export function sealedRows(problem: Pick<ConvexProblem, "dimension">, rows: RunRows): Exact<OwnedRows> {
  if (rows instanceof Exact) return rows;
  checkRows(problem, rows);
  return seal(rows);
}

/**
 * Returns the rows within the problem's bounds, by unit, sealed: every run takes this one way in.
 * Errors: parameter.invalid for lists in the clear whose lengths do not fit each other; internal.invariant for sealed ones.
 */
export function sealedUnitRows(problem: ConvexProblem, rows: RunRows): Exact<UnitRows> {
  return computeSealed(sealedRows(problem, rows), (owned) => unitRows(problem, owned));
}
