import { elementAt } from "@lethe/core/numeric";
import { cellCount, type PlannedColumn } from "../plan/boosted-column.ts";

/** A column's bins. The last one holds the rows without a value. */
export interface BinnedColumn {
  /** The bin of each cell. */
  readonly binOfCell: Uint16Array;
  /** Noisy counts of rows. */
  readonly weights: Float64Array;
  /** The least weight of a bin that is learned of: below it, noise alone could have filled it. */
  readonly least: number;
}

/** A bin is to weigh at least this many standard deviations of a cell's noise. */
const leastDeviations = 5;

/**
 * Merges cells to bins by their noisy counts alone, which is post-processing. Cells of a number become at most about `bins` runs of about equal
 * weight: a cell as heavy as that is a bin of its own, and the others share what is left. Rare categories become one bin.
 * `deviation` is the noise's of one cell, in rows.
 */
export function mergeCells(
  column: PlannedColumn,
  counts: Float64Array,
  deviation: number,
  bins: number,
): BinnedColumn {
  const least = leastDeviations * deviation;
  const values = cellCount(column) - 1;
  const merged =
    column.kind === "category"
      ? frequentOnes(counts.subarray(0, values), least)
      : column.merged
        ? evenRuns(counts.subarray(0, values), least, bins)
        : Array.from({ length: values }, (_, cell) => [cell]);
  const all = [...merged, [values]];
  const binOfCell = new Uint16Array(values + 1);
  for (const [bin, cells] of all.entries()) for (const cell of cells) binOfCell[cell] = bin;
  const weights = Float64Array.from(all, (cells) =>
    cells.reduce((total, cell) => total + elementAt(counts, cell), 0),
  );
  return { binOfCell, weights, least };
}

function frequentOnes(counts: Float64Array, least: number): readonly (readonly number[])[] {
  const places = [...counts.keys()];
  const rare = places.filter((cell) => !(elementAt(counts, cell) >= least));
  const frequent = places.filter((cell) => elementAt(counts, cell) >= least).map((cell) => [cell]);
  return rare.length === 0 ? frequent : [...frequent, rare];
}

interface Run {
  readonly cells: readonly number[];
  readonly weight: number;
}

function evenRuns(counts: Float64Array, least: number, bins: number): readonly (readonly number[])[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const heavy = (count: number): boolean => count >= Math.max(total / bins, least);
  const alone = counts.filter(heavy);
  const rest = total - alone.reduce((sum, count) => sum + count, 0);
  const share = Math.max(rest / Math.max(1, bins - alone.length), least);
  const runs: Run[] = [];
  let open: Run | null = null;
  for (const [cell, weight] of counts.entries()) {
    if (heavy(weight)) {
      if (open) runs.push(open);
      open = null;
      runs.push({ cells: [cell], weight });
      continue;
    }
    open = joined(open ?? { cells: [], weight: 0 }, { cells: [cell], weight });
    if (open.weight < share) continue;
    runs.push(open);
    open = null;
  }
  if (open) runs.push(open);
  return withoutLight(runs, least).map(({ cells }) => cells);
}

/** Joins each run that is too light to the lighter of its neighbours. */
function withoutLight(all: readonly Run[], least: number): readonly Run[] {
  const runs = [...all];
  for (;;) {
    const place = runs.findIndex(({ weight }) => !(weight >= least));
    if (place < 0 || runs.length === 1) return runs;
    const before = runs[place - 1]?.weight ?? Number.POSITIVE_INFINITY;
    const after = runs[place + 1]?.weight ?? Number.POSITIVE_INFINITY;
    const first = before <= after ? place - 1 : place;
    runs.splice(first, 2, joined(elementAt(runs, first), elementAt(runs, first + 1)));
  }
}

function joined(a: Run, b: Run): Run {
  return { cells: [...a.cells, ...b.cells], weight: a.weight + b.weight };
}
