import { doubleAt } from "@lethe/core/numeric";
import { rowsOfModel } from "../../model/missing-rows.ts";
import type { CategoryColumn, Model, ModelColumn } from "../../model/model.ts";
import type { NoisyStatistics } from "../../moments/noisy-statistics.ts";
import type { Layout } from "../../statistics/layout.ts";
import type { Statistic } from "../../statistics/statistic.ts";
import type { ClassLaw, FeatureLaw, FittedNaiveBayes } from "./fitted-naive-bayes.ts";

/** The least variance of a scaled number within a class, which is public: a standard deviation of 1/60 of the bounds' width. */
const leastVariance = (1 / 30) ** 2;

/**
 * Fits a class's share, a Gaussian for each number and smoothed shares for each category within it. Noisy counts are clipped by public rules:
 * a class has at least 1 row, a category at least 0, to which 1 is added; means lie within the bounds, and variances between those of
 * 1/60 of the bounds' width and of half of it. No noise makes it fail.
 */
export function fitNaiveBayes(
  model: Model,
  { target, features }: { readonly target: CategoryColumn; readonly features: readonly ModelColumn[] },
  layout: Layout,
  statistics: NoisyStatistics,
): FittedNaiveBayes {
  const sum = (statistic: Statistic): number => {
    const place = statistics.place(statistic);
    return place === null ? 0 : doubleAt(statistics.values, place);
  };
  const counts = target.categories.map((_, category) =>
    Math.max(1, sum({ cells: [{ block: 0, category }], factors: [] })),
  );
  const all = counts.reduce((total, count) => total + count, 0);
  const classes = counts.map((count, category): ClassLaw => {
    const inClass = { block: 0, category };
    const lawOf = (column: ModelColumn): FeatureLaw => {
      if (column.kind === "category") {
        const block = layout.blocks.findIndex(({ name }) => name === column.name);
        const cells = column.categories.map(
          (_, place) => 1 + Math.max(0, sum({ cells: [inClass, { block, category: place }], factors: [] })),
        );
        const total = cells.reduce((a, b) => a + b, 0);
        return { kind: "category", logShares: cells.map((cell) => Math.log(cell / total)) };
      }
      const number = layout.numbers.findIndex(({ name }) => name === column.name);
      const { middle, half } = layout.numbers[number] ?? { middle: 0, half: 1 };
      const mean = clamped(sum({ cells: [inClass], factors: [number] }) / count, -1, 1);
      const square = sum({ cells: [inClass], factors: [number, number] }) / count;
      const deviation = half * Math.sqrt(clamped(square - mean ** 2, leastVariance, 1));
      return { kind: "number", mean: middle + half * mean, deviation };
    };
    return { logShare: Math.log(count / all), features: features.map(lawOf) };
  });
  return { version: 1, kind: "naive-bayes", target, features, classes, notes: rowsOfModel(model) };
}

function clamped(x: number, lo: number, hi: number): number {
  return Math.min(hi, Math.max(lo, x));
}
