import type { Exact } from "@lethe/core/mechanisms";
import type { ClippedGradients, ClippedSums } from "../../clipping/clipped-gradients.ts";

/** Gradients whose layers can be clipped each to a norm of its own. */
export interface LayeredGradients extends ClippedGradients {
  /** The lengths of the layers. */
  readonly layers: readonly number[];
  /**
   * As `sum`, but each layer of a unit's gradient is clipped to its own norm and cut to its own grid, of that norm · 2^-20: integers of norm at most 2^20 in every layer.
   */
  sumByLayer(weights: Float64Array, batch: Uint32Array, norms: readonly number[]): Exact<ClippedSums>;
}

export function isLayered(gradients: ClippedGradients): gradients is LayeredGradients {
  return "sumByLayer" in gradients && typeof gradients.sumByLayer === "function" && "layers" in gradients;
}
