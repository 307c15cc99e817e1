import { invalidParameter } from "@lethe/core";
import { noiseVariance } from "@lethe/core/accuracy";
import type { Draws, Noise } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { gridBits } from "../../clipping/clipped-gradients.ts";
import type { BoostedModel } from "../model/boosted-model.ts";
import { cellCount } from "../plan/boosted-column.ts";
import { boostingEvent } from "../plan/boosting-event.ts";
import type { BoostingPlan } from "../plan/boosting-plan.ts";
import { cellsOfRows } from "../plan/cells-of-rows.ts";
import { lossOf } from "./loss-of.ts";
import { type BinnedColumn, mergeCells } from "./merge-cells.ts";
import { noisySums, sealedIntegers } from "./noisy-sums.ts";
import { type LearnedShape, shapesOf } from "./shapes-of.ts";
import { checkRows, type TrainingRows } from "./training-rows.ts";
import { clippedUnitSums } from "./unit-sums.ts";

/**
 * Runs a planned training on the owner's rows. Its event is to be charged before. Every exact sum is sealed, and opened with its noise alone; all
 * else is a function of noisy sums and of the plan. No rows make it fail. Time: rounds · features · rows.
 * Errors: parameter.invalid for lists that do not fit the plan, and for a plan whose event is not that of its noise.
 * @example trainBoosting(plan, { features: [ages], target: members }, drawing(secureEntropy()))
 */
export function trainBoosting(plan: BoostingPlan, rows: TrainingRows, draws: Draws): BoostedModel {
  checkEvent(plan);
  checkRows(plan, rows);
  const { target, features, adjacency, event, rounds, rate, shrinkage } = plan;
  const loss = lossOf(target, rows.target);
  const cells = features.map((column, at) => cellsOfRows(column, elementAt(rows.features, at)));
  const columns = binnedColumns(plan, cells, { amounts: loss.counted, offsets: rows.offsets }, draws);
  const bins = cells.map((cell, at) => cell.map((place) => columns[at]?.binOfCell[place] ?? 0));

  const step = plan.clip * 2 ** -gridBits;
  const deviation = deviationOf(plan.stepNoise, step);
  const scores = new Float64Array(rows.target.length);
  const amounts = new Float64Array(rows.target.length);
  const learned = columns.map((column) => new LearnedColumn(column, { ...loss, rate, shrinkage, deviation }));
  for (let round = 0; round < rounds; round++)
    for (const [at, column] of learned.entries()) {
      const binOfRow = elementAt(bins, at);
      loss.residuals(scores, amounts);
      const sums = clippedUnitSums(
        { cells: binOfRow, amounts, offsets: rows.offsets },
        plan.clip,
        column.size,
      );
      const opening = { places: column.size, noise: plan.stepNoise, step };
      const change = column.learn(noisySums(sealedIntegers(sums), opening, draws));
      for (let row = 0; row < scores.length; row++)
        scores[row] = (scores[row] ?? 0) + (change[binOfRow[row] ?? 0] ?? 0);
    }
  const shapes = learned.map((column): LearnedShape => column.shape(rounds));
  return { kind: "boosting", version: 1, target, ...shapesOf(plan, shapes), adjacency, event };
}

/** Noise and price are one: a plan that was altered on its way is not run. */
function checkEvent(plan: BoostingPlan): void {
  if (JSON.stringify(plan.event) !== JSON.stringify(boostingEvent(plan)))
    throw invalidParameter("event of the plan", "another", "that of its noise, as planBoosting wrote it");
}

/** Pays for the counts of all cells of all columns in one release, and merges the cells by them. */
function binnedColumns(
  { features, rows, countNoise, bins }: BoostingPlan,
  cells: readonly Uint16Array[],
  counted: { readonly amounts: Float64Array; readonly offsets: ArrayLike<number> | undefined },
  draws: Draws,
): readonly BinnedColumn[] {
  const sizes = features.map(cellCount);
  const starts = sizes.map((_, at) => sizes.slice(0, at).reduce((a, b) => a + b, 0));
  const places = sizes.reduce((a, b) => a + b, 0);
  const exact = new Float64Array(places);
  for (const [at, size] of sizes.entries())
    exact.set(
      clippedUnitSums({ cells: elementAt(cells, at), ...counted }, rows, size),
      elementAt(starts, at),
    );
  const step = rows * 2 ** -gridBits;
  const noisy = noisySums(sealedIntegers(exact), { places, noise: countNoise, step }, draws);
  return features.map((column, at) => {
    const start = elementAt(starts, at);
    const counts = noisy.subarray(start, start + elementAt(sizes, at));
    return mergeCells(column, counts, deviationOf(countNoise, step), bins);
  });
}

function deviationOf(noise: Noise, step: number): number {
  return Math.sqrt(noiseVariance(noise)) * step;
}

interface StepRule {
  readonly curvature: number;
  readonly rate: number;
  readonly shrinkage: number;
  /** The standard deviation of the noise of one residual sum, in residuals. */
  readonly deviation: number;
}

/** The values of a shape while they are learned: from noisy sums alone. */
class LearnedColumn {
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
