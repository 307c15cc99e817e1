import { doubleAt, elementAt } from "@lethe/core/numeric";
import { addUp } from "../clipping/add-up.ts";
import { clipToGrid, type GridVector } from "../clipping/clip-to-grid.ts";
import type { ClippedGradients } from "../clipping/clipped-gradients.ts";
import type { UnitGradient } from "../clipping/unit-gradient.ts";
import { checkedGradients, checkSource, type GradientSource } from "./open-gradients.ts";
import { referenceNetwork } from "./reference/reference-network.ts";

/**
 * The same sums in plain TypeScript: every row's gradient in double precision, a unit's added up and rounded to float32, then clipped by the definition.
 * Slow. Its integers differ from the kernels' by what float32 arithmetic differs from double precision.
 * Errors: as openGradients. Lanes are not used.
 */
export function referenceGradients(source: GradientSource): ClippedGradients {
  const { network, rows, shares } = checkSource(source);
  const reference = referenceNetwork(network);
  const { inputs, labels, parameters } = network;
  const weighted = network.layers.filter((layer) => layer.parameters > 0);

  const unitGradient = (weights: Float64Array, unit: number): UnitGradient => {
    const sum = new Float64Array(parameters);
    for (let row = elementAt(rows.offsets, unit); row < elementAt(rows.offsets, unit + 1); row += 1) {
      const gradient = reference.gradient(
        weights,
        rows.inputs.subarray(row * inputs, (row + 1) * inputs),
        rows.labels.subarray(row * labels, (row + 1) * labels),
      );
      for (let i = 0; i < parameters; i += 1) sum[i] = doubleAt(sum, i) + doubleAt(gradient, i);
    }
    return weighted.map(({ offset, parameters: count }, layer) => ({
      kind: "dense",
      group: shares.length === 1 ? 0 : layer,
      values: Float32Array.from(sum.subarray(offset, offset + count)),
    }));
  };
  return checkedGradients(network, rows, (weights, batch, clip) => {
    const each = function* (): Iterable<GridVector> {
      for (const unit of batch) yield clipToGrid(unitGradient(weights, unit), clip, shares);
    };
    return addUp(parameters, each());
  });
}
