import { invalidParameter } from "@lethe/core";
import { noiseVariance } from "@lethe/core/accuracy";
import { computeSealed, type Draws, type Exact, type Noise, type UnitRows } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { gridBits } from "../../clipping/clipped-gradients.ts";
import type { BoostedModel } from "../model/boosted-model.ts";
import { cellCount } from "../plan/boosted-column.ts";
import { boostingEvent } from "../plan/boosting-event.ts";
import type { BoostingPlan } from "../plan/boosting-plan.ts";
import { type CellRows, cellRows, cellSums, type ReleasedChange, ScoredRows } from "./cell-rows.ts";
import { LearnedColumn } from "./learned-column.ts";
import { curvatureOf } from "./loss-of.ts";
import { type BinnedColumn, mergeCells } from "./merge-cells.ts";
import { integerRows, noisySums } from "./noisy-sums.ts";
import { type LearnedShape, shapesOf } from "./shapes-of.ts";

/**
 * Runs a planned training on rows that stay sealed. Their columns are the plan's features in its order, and then the target: a number as it
 * stands, a category as its place, NaN for NULL. The event of the plan is to be charged before. Every exact sum is computed sealed and opened with
 * its noise alone; all else is a function of noisy sums and of the plan. No value of a row makes it fail. Time: rounds · features · rows.
 * Errors: parameter.invalid for a plan whose event is not that of its noise; internal.invariant for rows with fewer columns than that.
 * @example trainSealedBoosting(plan, await engine.rows(compiled), drawing(secureEntropy()))
 */
export function trainSealedBoosting(plan: BoostingPlan, rows: Exact<UnitRows>, draws: Draws): BoostedModel {
  checkEvent(plan);
  const { target, adjacency, event, rounds, rate, shrinkage } = plan;
  const cells = computeSealed(rows, (open) => cellRows(plan, open));
  const columns = binnedColumns(plan, cells, draws);
  const state = computeSealed(cells, (open) => new ScoredRows(open, columns));

  const step = plan.clip * 2 ** -gridBits;
  const rule = {
    curvature: curvatureOf(target),
    ...{ rate, shrinkage },
    deviation: deviationOf(plan.stepNoise, step),
  };
  const learned = columns.map((column) => new LearnedColumn(column, rule));
  let last: ReleasedChange | null = null;
  for (let round = 0; round < rounds; round++)
    for (const [at, column] of learned.entries()) {
      const made = last;
      const sums = computeSealed(state, (open) => {
        open.learn(made);
        return integerRows(open.sums(at, plan.clip));
      });
      const opening = { places: column.size, noise: plan.stepNoise, step };
      last = { column: at, change: column.learn(noisySums(sums, opening, draws)) };
    }
  const shapes = learned.map((column): LearnedShape => column.shape(rounds));
  return { kind: "boosting", version: 1, target, ...shapesOf(plan, shapes), adjacency, event };
}

/** Noise and price are one: a plan that was altered on its way is not run. Errors: parameter.invalid. */
export function checkEvent(plan: BoostingPlan): void {
  if (JSON.stringify(plan.event) !== JSON.stringify(boostingEvent(plan)))
    throw invalidParameter("event of the plan", "another", "that of its noise, as planBoosting wrote it");
}

/** Opens the counts of all cells of all columns in one release, and merges the cells by them. */
function binnedColumns(
  { features, rows, countNoise, bins }: BoostingPlan,
  cells: Exact<CellRows>,
  draws: Draws,
): readonly BinnedColumn[] {
  const sizes = features.map(cellCount);
  const starts = sizes.map((_, at) => sizes.slice(0, at).reduce((a, b) => a + b, 0));
  const places = sizes.reduce((a, b) => a + b, 0);
  const exact = computeSealed(cells, (open) => {
    const counts = new Float64Array(places);
    for (const [at, size] of sizes.entries())
      counts.set(cellSums(open, at, rows, size), elementAt(starts, at));
    return integerRows(counts);
  });
  const step = rows * 2 ** -gridBits;
  const noisy = noisySums(exact, { places, noise: countNoise, step }, draws);
  return features.map((column, at) => {
    const start = elementAt(starts, at);
    const counts = noisy.subarray(start, start + elementAt(sizes, at));
    return mergeCells(column, counts, deviationOf(countNoise, step), bins);
  });
}

function deviationOf(noise: Noise, step: number): number {
  return Math.sqrt(noiseVariance(noise)) * step;
}
