import type { BinnedColumn } from "./merge-cells.ts";
import type { LearnedShape } from "./shapes-of.ts";

export interface StepRule {
  readonly curvature: number;
  readonly rate: number;
  readonly shrinkage: number;
  /** The standard deviation of the noise of one residual sum, in residuals. */
  readonly deviation: number;
}

/** The values of a shape while they are learned: from noisy sums alone. */
export class LearnedColumn {
  readonly size: number;
  readonly #column: BinnedColumn;
  readonly #values: Float64Array;
  /** The factors of noisy residual sums: 0 for a bin that is too light. */
  readonly #gains: Float64Array;
  readonly #deviation: number;

  constructor(column: BinnedColumn, { curvature, rate, shrinkage, deviation }: StepRule) {
    this.size = column.weights.length;
    this.#column = column;
    this.#deviation = deviation;
    this.#values = new Float64Array(this.size);
    this.#gains = column.weights.map((weight) =>
      weight >= column.least ? rate / (curvature * Math.max(weight, 0) + shrinkage * deviation) : 0,
    );
  }

  /** Takes a shrunk Newton step in each bin, and in light bins the mean of the others'. Returns the step. */
  learn(sums: Float64Array): Float64Array {
    const change = this.#gains.map((gain, bin) => gain * (sums[bin] ?? 0));
    const mean = weightedMean(change, this.#heavyWeights());
    for (let bin = 0; bin < this.size; bin++) {
      if (this.#gains[bin] === 0) change[bin] = mean;
      this.#values[bin] = (this.#values[bin] ?? 0) + (change[bin] ?? 0);
    }
    return change;
  }

  shape(rounds: number): LearnedShape {
    const weights = this.#heavyWeights();
    const mean = weightedMean(this.#values, weights);
    const deviation = this.#deviation * Math.sqrt(rounds);
    return {
      mean,
      binOfCell: this.#column.binOfCell,
      bins: Array.from(this.#values, (value, bin) => ({
        value: value - mean,
        deviation: deviation * (this.#gains[bin] ?? 0),
        weight: this.#column.weights[bin] ?? 0,
      })),
    };
  }

  /** The weights of the bins that are learned of. */
  #heavyWeights(): Float64Array {
    return this.#column.weights.map((weight, bin) => (this.#gains[bin] === 0 ? 0 : weight));
  }
}

/** 0 where nothing weighs. */
function weightedMean(values: Float64Array, weights: Float64Array): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total > 0 ? values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0) / total : 0;
}
