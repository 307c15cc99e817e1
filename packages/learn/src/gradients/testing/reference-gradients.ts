import { type Exact, seal } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import type { ClippedSums } from "../../clipping/clipped-gradients.ts";
import type { LayeredGradients } from "../training/layered-gradients.ts";

/** One row: features and a label of 0 or 1. */
export interface Row {
  readonly features: readonly number[];
  readonly label: number;
}

/** A unit's rows. */
export type Unit = readonly Row[];

const grid = 2 ** 20;

/** Σ over a unit's rows of (σ(w·x) − y)·x: the gradient of logistic loss. NaN where a row is broken. */
export function logisticGradient(weights: ArrayLike<number>, unit: Unit): number[] {
  const gradient = Array.from(weights, () => 0);
  for (const { features, label } of unit) {
    const margin = features.reduce((sum, x, i) => sum + x * elementAt(weights, i), 0);
    const residual = 1 / (1 + Math.exp(-margin)) - label;
    for (const [i, x] of features.entries()) gradient[i] = elementAt(gradient, i) + residual * x;
  }
  return gradient;
}

/** A vector clipped to a norm and cut toward zero to the grid of norm · 2^-20; zeros where it is not finite. Its integer norm is at most 2^20. */
export function onGrid(
  vector: readonly number[],
  norm: number,
): { readonly cut: number[]; readonly fits: boolean } {
  const length = Math.hypot(...vector);
  if (!(length < Number.POSITIVE_INFINITY)) return { cut: vector.map(() => 0), fits: false };
  const scale = (grid / norm) * Math.min(1, norm / length || 0);
  const cut = vector.map((x) => Math.trunc(length <= norm ? (x / norm) * grid : x * scale) + 0);
  const square = cut.reduce((sum, x) => sum + x * x, 0);
  return { cut: square <= grid * grid ? cut : cut.map(() => 0), fits: length <= norm };
}

/** Logistic regression in plain doubles, to hold trainings against. `layers` are clipped one by one where that is asked. */
export function referenceGradients(
  units: readonly Unit[],
  parameters: number,
  layers: readonly number[] = [parameters],
): LayeredGradients {
  const sumOf = (
    weights: Float64Array,
    batch: Uint32Array,
    clipped: (gradient: number[]) => { readonly cut: readonly number[]; readonly fits: boolean },
  ): Exact<ClippedSums> => {
    const sums = new Float64Array(parameters);
    let unclipped = 0;
    for (const place of batch) {
      const { cut, fits } = clipped(logisticGradient(weights, elementAt(units, place)));
      for (const [i, x] of cut.entries()) sums[i] = elementAt(sums, i) + x;
      if (fits) unclipped += 1;
    }
    return seal({ sums, unclipped });
  };
  return {
    parameters,
    layers,
    units: units.length,
    sum: (weights, batch, clip) => sumOf(weights, batch, (gradient) => onGrid(gradient, clip)),
    sumByLayer: (weights, batch, norms) =>
      sumOf(weights, batch, (gradient) => {
        let at = 0;
        const parts = layers.map((length, layer) => {
          at += length;
          return onGrid(gradient.slice(at - length, at), elementAt(norms, layer));
        });
        return { cut: parts.flatMap(({ cut }) => cut), fits: parts.every(({ fits }) => fits) };
      }),
  };
}
