import type { DeclaredColumn } from "../../model/model.ts";

/** A loss at the rows of a training. Scores are log-odds, or numbers in halves of the bounds' width from their middle. */
export interface Loss {
  /** 1 for a row with a target, else 0. */
  readonly counted: Float64Array;
  /** Writes minus the derivative of each row's loss at its score; 0 for a row without a target. */
  residuals(scores: Float64Array, out: Float64Array): void;
}

/** Logistic loss for a class (place 0 or 1), half the squared error for a number. NaN, or another place, is no target. */
export function lossOf(target: DeclaredColumn, values: ArrayLike<number>): Loss {
  if (target.kind === "category") {
    const labels = Float64Array.from(values, (place) => (place === 0 || place === 1 ? place : Number.NaN));
    return lossAt(labels, (score) => 1 / (1 + Math.exp(-score)));
  }
  const [lo, hi] = target.bounds;
  const { middle, half } = scaleOf(target.bounds);
  const scaled = Float64Array.from(values, (x) => (Math.min(hi, Math.max(lo, x)) - middle) / half);
  return lossAt(scaled, (score) => score);
}

/** The largest second derivative of a row's loss in its score. */
export function curvatureOf(target: DeclaredColumn): number {
  return { category: 1 / 4, number: 1 }[target.kind];
}

/** The place of 0 in a number's scores, and the length of 1. */
export function scaleOf([lo, hi]: readonly [number, number]): {
  readonly middle: number;
  readonly half: number;
} {
  return { middle: lo / 2 + hi / 2, half: hi / 2 - lo / 2 };
}

function lossAt(labels: Float64Array, expected: (score: number) => number): Loss {
  return {
    counted: labels.map((label) => (Number.isNaN(label) ? 0 : 1)),
    residuals(scores, out) {
      for (let row = 0; row < out.length; row++) {
        const label = labels[row] ?? Number.NaN;
        out[row] = Number.isNaN(label) ? 0 : label - expected(scores[row] ?? 0);
      }
    },
  };
}
