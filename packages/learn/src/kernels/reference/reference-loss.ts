import { doubleAt } from "@lethe/core/numeric";
import type { Loss } from "../network/network.ts";
import { sigmoidOf } from "./layers/activations.ts";

/** A loss of one row. */
export interface ReferenceLoss {
  /** Whether labels mean anything: a row whose labels do not counts a gradient of 0. */
  accepts(labels: Float32Array, outputs: number): boolean;
  value(z: Float64Array, labels: Float32Array): number;
  gradient(z: Float64Array, labels: Float32Array): Float64Array;
}

const label = (labels: Float32Array): number => labels[0] ?? Number.NaN;

const softmax: ReferenceLoss = {
  accepts: (labels, outputs) =>
    Number.isInteger(label(labels)) && label(labels) >= 0 && label(labels) < outputs,
  value: (z, labels) => Math.log(shares(z).sum) + Math.max(...z) - doubleAt(z, label(labels)),
  gradient(z, labels) {
    const { weights, sum } = shares(z);
    return weights.map((weight, j) => weight / sum - (j === label(labels) ? 1 : 0));
  },
};

function shares(z: Float64Array): { readonly weights: Float64Array; readonly sum: number } {
  const most = Math.max(...z);
  const weights = z.map((value) => Math.exp(value - most));
  return { weights, sum: weights.reduce((sum, weight) => sum + weight, 0) };
}

const logistic: ReferenceLoss = {
  accepts: (labels) => label(labels) === 0 || label(labels) === 1,
  // ln(1 + e^z) − y·z, without overflow.
  value: (z, labels) =>
    Math.max(doubleAt(z, 0), 0) +
    Math.log1p(Math.exp(-Math.abs(doubleAt(z, 0)))) -
    label(labels) * doubleAt(z, 0),
  gradient: (z, labels) => z.map((value) => sigmoidOf(value) - label(labels)),
};

const difference = (z: Float64Array, labels: Float32Array): Float64Array =>
  z.map((value, j) => value - (labels[j] ?? Number.NaN));

const squared: ReferenceLoss = {
  accepts: (labels) => labels.every(Number.isFinite),
  value: (z, labels) => difference(z, labels).reduce((sum, d) => sum + d * d, 0) / 2,
  gradient: difference,
};

export const referenceLosses: Readonly<Record<Loss, ReferenceLoss>> = {
  "softmax-cross-entropy": softmax,
  "binary-logistic": logistic,
  "squared-error": squared,
};
