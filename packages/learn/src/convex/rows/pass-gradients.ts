import type { BitSource } from "@lethe/core";
import { computeSealed, type Exact } from "@lethe/core/mechanisms";
import { doubleAt, elementAt } from "@lethe/core/numeric";
import { type ConvexProblem, constantsOf } from "../problem/convex-problem.ts";
import { secretOrder } from "./secret-order.ts";
import { addUnitGradient } from "./unit-gradient.ts";
import type { UnitRows } from "./unit-rows.ts";

/** Reads units one after the other, each once. It holds rows, and stands in an Exact alone. */
export interface Pass {
  /** Moves the weights by −stepSize times the mean gradient of the next `batch` places; a place without a unit has gradient 0. */
  descend(weights: Float64Array, stepSize: number, batch: number): void;
  /** How often each unit was read. */
  readonly reads: Uint32Array;
}

/** A pass over units in an order; numbers beyond the units stand for nobody. Iterates stay doubles, never cut to a grid, so that steps contract. */
export function passOver(problem: ConvexProblem, rows: UnitRows, order: Uint32Array): Pass {
  const { loss, reach, labels } = constantsOf(problem);
  const model = { rows, loss, steepest: loss.steepest(reach, labels) };
  const gradient = new Float64Array(problem.dimension);
  const reads = new Uint32Array(rows.starts.length - 1);
  let next = 0;
  return {
    reads,
    descend(weights, stepSize, batch) {
      gradient.fill(0);
      for (let i = 0; i < batch; i += 1) {
        const unit = elementAt(order, next);
        next += 1;
        if (unit >= reads.length) continue;
        addUnitGradient(model, unit, weights, gradient);
        reads[unit] = elementAt(reads, unit) + 1;
      }
      const factor = stepSize / batch;
      for (let j = 0; j < weights.length; j += 1)
        weights[j] = doubleAt(weights, j) - factor * doubleAt(gradient, j);
    },
  };
}

/** A pass over so many places, which units take in a secret random order. Order and rows stay sealed. */
export function secretPass(
  problem: ConvexProblem,
  { rows, places }: { readonly rows: Exact<UnitRows>; readonly places: number },
  bits: BitSource,
): Exact<Pass> {
  return computeSealed(rows, (units) =>
    passOver(problem, units, secretOrder(places, units.starts.length - 1, bits)),
  );
}
