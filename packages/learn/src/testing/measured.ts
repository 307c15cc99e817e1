import { doubleAt, elementAt } from "@lethe/core/numeric";
import type { Measured } from "../statistics/answer.ts";
import type { Layout } from "../statistics/layout.ts";
import { cellsOf } from "../statistics/layout-of.ts";
import type { NoiseShape } from "../statistics/noise-shape.ts";
import type { Statistic } from "../statistics/statistic.ts";

/** A row of the model: its scaled numbers, and the place of its category in each block. */
export interface Row {
  readonly z: readonly number[];
  readonly categories: readonly number[];
}

/** What one row adds to a sum. */
export function addedBy({ z, categories }: Row, { cells, factors }: Statistic): number {
  const inside = cells.every(({ block, category }) => categories[block] === category);
  return inside ? factors.reduce((product, factor) => product * elementAt(z, factor), 1) : 0;
}

/** Every sum of a layout, question by question. */
export function statisticsIn({ questions, blocks }: Layout): readonly (readonly Statistic[])[] {
  return questions.map(({ keys, values }) =>
    cellsOf(keys, blocks).flatMap((places) =>
      values.map((factors) => ({
        cells: places.map((category, at) => ({ block: elementAt(keys, at), category })),
        factors,
      })),
    ),
  );
}

/** The sums of these rows, each with a noise of the given shape that `draw` draws. */
export function measuredOf(
  layout: Layout,
  rows: readonly Row[],
  shape: (question: number) => NoiseShape = () => none,
  draw: (shape: NoiseShape) => number = () => 0,
): readonly (readonly Measured[])[] {
  return statisticsIn(layout).map((statistics, question) =>
    statistics.map((statistic) => {
      const noise = shape(question);
      const exact = rows.reduce((total, row) => total + addedBy(row, statistic), 0);
      return { statistic, value: exact + draw(noise), noise };
    }),
  );
}

export const none: NoiseShape = { variance: 0, excess: 0 };
export const gaussian = (sigma: number): NoiseShape => ({ variance: sigma ** 2, excess: 0 });
export const laplace = (scale: number): NoiseShape => ({ variance: 2 * scale ** 2, excess: 3 });

/** Uniform numbers in (0, 1) from a seed: mulberry32. */
export function uniforms(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return (((x ^ (x >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}

/** Draws of Gaussian or Laplace noise of a shape, `factor` times as large as it says. */
export function drawing(uniform: () => number, factor = 1): (shape: NoiseShape) => number {
  return ({ variance, excess }) => {
    const scale = factor * Math.sqrt(variance);
    if (excess === 0) return scale * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const sign = uniform() < 0.5 ? -1 : 1;
    return (sign * scale * -Math.log(uniform())) / Math.SQRT2;
  };
}

export function norm1(vector: Float64Array): number {
  return vector.reduce((total, x) => total + Math.abs(x), 0);
}

export function squaredNorm(vector: Float64Array): number {
  return vector.reduce((total, _, place) => total + doubleAt(vector, place) ** 2, 0);
}
