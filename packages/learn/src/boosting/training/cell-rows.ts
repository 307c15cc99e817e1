import type { UnitRows } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import type { BoostingPlan } from "../plan/boosting-plan.ts";
import { cellsOfRows } from "../plan/cells-of-rows.ts";
import { type Loss, lossOf } from "./loss-of.ts";
import type { BinnedColumn } from "./merge-cells.ts";
import { clippedUnitSums } from "./unit-sums.ts";

/** Rows by their cells. It is as private as they are, and stands in an Exact alone. */
export interface CellRows {
  /** The cell of every row, for each feature. */
  readonly cells: readonly Uint16Array[];
  readonly loss: Loss;
  readonly offsets: Uint32Array;
}

/** Cuts rows to cells. The features stand first, in the order of the plan, and the target after them. */
export function cellRows({ target, features }: BoostingPlan, { columns, offsets }: UnitRows): CellRows {
  return {
    cells: features.map((column, at) => cellsOfRows(column, elementAt(columns, at))),
    loss: lossOf(target, elementAt(columns, features.length)),
    offsets,
  };
}

/** The exact clipped counts of a column's cells: of rows with a target. */
export function cellSums(
  { cells, loss, offsets }: CellRows,
  column: number,
  clip: number,
  size: number,
): Float64Array {
  return clippedUnitSums({ cells: elementAt(cells, column), amounts: loss.counted, offsets }, clip, size);
}

/** A change of a shape that was released: how much is added to the score of the rows of each bin. */
export interface ReleasedChange {
  readonly column: number;
  readonly change: Float64Array;
}

/** What a training keeps of its rows between steps: their bins and scores. It stands in an Exact alone, and what is done to it changes nothing without. */
export class ScoredRows {
  readonly #bins: readonly Uint16Array[];
  readonly #sizes: readonly number[];
  readonly #loss: Loss;
  readonly #offsets: Uint32Array;
  readonly #scores: Float64Array;
  /** The residuals of the last step; written over in each. */
  readonly #amounts: Float64Array;

  constructor({ cells, loss, offsets }: CellRows, columns: readonly BinnedColumn[]) {
    this.#bins = columns.map(({ binOfCell }, at) =>
      elementAt(cells, at).map((place) => binOfCell[place] ?? 0),
    );
    this.#sizes = columns.map(({ weights }) => weights.length);
    this.#loss = loss;
    this.#offsets = offsets;
    this.#scores = new Float64Array(loss.counted.length);
    this.#amounts = new Float64Array(loss.counted.length);
  }

  /** Adds a released change to the scores; before the first step there is none. */
  learn(released: ReleasedChange | null): void {
    if (released === null) return;
    const { column, change } = released;
    const bins = elementAt(this.#bins, column);
    const scores = this.#scores;
    for (let row = 0; row < scores.length; row++)
      scores[row] = (scores[row] ?? 0) + (change[bins[row] ?? 0] ?? 0);
  }

  /** The exact clipped sums of residuals in a column's bins, in steps of clip · 2^-gridBits. */
  sums(column: number, clip: number): Float64Array {
    this.#loss.residuals(this.#scores, this.#amounts);
    return clippedUnitSums(
      { cells: elementAt(this.#bins, column), amounts: this.#amounts, offsets: this.#offsets },
      clip,
      elementAt(this.#sizes, column),
    );
  }
}
