import { type CellQuantileSetting, cellHalfWidths, cellQuantiles } from "@lethe/core/accuracy";
import type { AnswerSetting } from "../answers/answer-setting.ts";
import type { Estimator } from "../answers/estimator.ts";
import type { Widths } from "../answers/widths.ts";
import type { PlannedQuantile } from "./quantile-types.ts";

/** Returns the setting with which core reads a planned quantile from its tree. In cells. */
function quantileSetting({ tree, share }: PlannedQuantile, setting: AnswerSetting): CellQuantileSetting {
  const { branching, height, noise, rowWeight } = setting.treeOf(tree);
  const { confidence } = setting;
  return { tree: { branching, height }, noise, rowWeight, share, confidence };
}

export function quantileEstimator(planned: PlannedQuantile, setting: AnswerSetting): Estimator {
  const quantiles = cellQuantiles(quantileSetting(planned, setting));
  const { grid, cellWidth } = setting.treeOf(planned.tree);
  const [least, greatest, width] = [Number(grid.lo), Number(grid.hi), Number(cellWidth)];
  const step = 2 ** grid.exponent;
  const firstOf = (cell: number): number => Math.min(least + cell * width, greatest);
  const lastOf = (cell: number): number => Math.min(least + (cell + 1) * width - 1, greatest);
  return (noisy) => {
    const { cell, within: share, first, last } = quantiles(noisy.cells(planned.tree));
    const value = Math.min(firstOf(cell) + Math.floor(share * width), lastOf(cell));
    return { value: value * step, lower: firstOf(first) * step, upper: lastOf(last) * step };
  };
}

export function quantileWidths(planned: PlannedQuantile, setting: AnswerSetting): Widths {
  const { grid, cellWidth } = setting.treeOf(planned.tree);
  const step = 2 ** grid.exponent;
  const bounds = [Number(grid.lo) * step, Number(grid.hi) * step] as const;
  const inCells = cellHalfWidths(quantileSetting(planned, setting));
  const most = (bounds[1] - bounds[0]) / 2;
  const kept = (cells: number): number => Math.min(most, cells * Number(cellWidth) * step);
  return {
    halfWidth: null,
    // Both are for values that are spread evenly: in a gap between two values any quantile is as wide as the gap.
    widthAt: (rows) => {
      const width = kept(inCells(rows).typical);
      return { typical: width, worst: width };
    },
    bounds,
  };
}
