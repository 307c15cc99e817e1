import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Noise } from "../../mechanisms/noise.ts";
import { consistentCounts } from "../../mechanisms/quantile-tree/consistent-counts.ts";
import { type CellTree, cellCount, type NoisyCells } from "../../mechanisms/quantile-tree/noisy-cells.ts";
import { nonDecreasing } from "../../mechanisms/quantile-tree/non-decreasing.ts";
import { doubleAt, lastElement } from "../../numeric/elements/element-at.ts";
import { levelReaches, type ShareErrorBound } from "./share-error-bound.ts";

/** One quantile of the rows that were counted into cells. */
export interface CellQuantileSetting {
  readonly tree: CellTree;
  readonly noise: Noise;
  /** The number that one row adds to the count of its cell. */
  readonly rowWeight: number;
  /** The share of rows that names the quantile, from 0 to 1; ½ is the median. */
  readonly share: number;
  /** Between 0 and 1. */
  readonly confidence: number;
}

/** The position of a quantile, in cells: its estimate and its interval. */
export interface CellQuantile {
  /** The cell of the estimate, and how far inside it, from 0 to 1. */
  readonly cell: number;
  readonly within: number;
  /** The first and the last cell that the interval holds. */
  readonly first: number;
  readonly last: number;
}

/**
 * Prepares noisy counts ↦ the share-quantile: the estimate from the consistent counts, made monotone, evenly spread inside a
 * cell; and an interval that holds, with the asked confidence, the cell of the smallest value with share·n rows or more up
 * to it, and every value between the neighbouring rows by which PERCENTILE_CONT interpolates.
 *
 * With N(b) rows before boundary b, D(b) = N(b) − share·n does not fall with b; the quantile is in cell j where D(j) < 0 ≤
 * D(j + 1). The first cell of the interval is the first whose end is not refuted to have D ≥ 0, the last the last whose start
 * is not refuted to have D < 0, each test by the law of the noise in the estimate of D at that very boundary. In order from an
 * end, only the test at the first boundary that the truth allows can do harm, so (1 − confidence)/2 pays for all others too. It
 * is done first between the nodes of the top level, then inside what is left of each: where nothing lies between far cells
 * and the quantile, there are then few tests by which the noise may spare one of them.
 * Estimates do not fall with the share. Where nobody was counted every D is 0, and the interval is nearly everything.
 * Source: derived here; consistent counts of Hay, Rastogi, Miklau & Suciu 2010, Thm 3, by ../mechanisms/quantile-tree.
 * Direction: upper, coverage never below what is asked.
 * Errors: parameter.invalid.
 * @example cellQuantiles({ tree, noise, rowWeight: 1, share: 0.5, confidence: 0.95 })(noisyCounts).cell
 */
export function cellQuantiles(setting: CellQuantileSetting): (noisy: NoisyCells) => CellQuantile {
  const { tree, noise, rowWeight, share, confidence } = setting;
  cellCount(tree);
  if (!(share >= 0 && share <= 1)) throw invalidParameter("share", share, "from 0 to 1");
  if (!(confidence > 0 && confidence < 1)) {
    throw invalidParameter("confidence", confidence, "between 0 and 1, both excluded");
  }
  if (!(rowWeight > 0)) throw invalidParameter("rowWeight", rowWeight, "> 0");
  const reaches = levelReaches(tree, noise, share, (1 - confidence) / 2);
  // One row: interpolation between the k-th and the next, k = ⌊share·(n − 1)⌋ + 1, leaves [D ≥ 0, D < 0] by so much.
  const slack = { low: rowWeight * share, high: rowWeight * (1 - share) };
  return (noisy) => {
    const ranks = ranksOf(tree, noisy);
    const found = estimate(ranks, share, rowWeight);
    const { first, last } = accepted(ranks, setting, reaches, slack);
    return { ...found, first: Math.min(first, found.cell), last: Math.max(last, found.cell) };
  };
}

/** The ranks at the boundaries between cells, as one release estimates them. */
interface Ranks {
  /** Unbiased: rows before each boundary, cells + 1 of them. */
  readonly before: Float64Array;
  /** The same, non-decreasing from 0 to the number of rows. */
  readonly monotone: Float64Array;
  /** A bound on the rounding error of the doubles in `before`. */
  readonly rounding: number;
}

/** Several quantiles are read from one release. */
const known = new WeakMap<NoisyCells, Ranks>();

function ranksOf(tree: CellTree, noisy: NoisyCells): Ranks {
  const found = known.get(noisy);
  if (found) return found;
  const { branching, height } = tree;
  const fits = noisy.length === height && noisy.every((level, at) => level.length === branching ** (at + 1));
  if (!fits) throw invalidParameter("noisy", "counts of another shape", "a release of this tree");
  const cells = branching ** height;
  const before = new Float64Array(cells + 1);
  let at = 0;
  let size = 1;
  for (let top = 0; top < branching; top += 1) {
    const levels = noisy.map((level, d) => level.subarray(top * branching ** d, (top + 1) * branching ** d));
    for (const count of lastElement(consistentCounts(levels, branching, null))) {
      before[at + 1] = doubleAt(before, at) + count;
      size = Math.max(size, Math.abs(doubleAt(before, at + 1)));
      at += 1;
    }
  }
  const rows = Math.max(0, doubleAt(before, cells));
  const monotone = nonDecreasing(before).map((rank) => Math.min(rows, Math.max(0, rank)));
  monotone[0] = 0;
  monotone[cells] = rows;
  const ranks = { before, monotone, rounding: size * 1e-9 };
  known.set(noisy, ranks);
  return ranks;
}

function estimate(
  { monotone }: Ranks,
  share: number,
  rowWeight: number,
): Pick<CellQuantile, "cell" | "within"> {
  const rows = lastElement(monotone);
  // Without rows the estimate is the middle of all cells.
  if (!(rows > 0)) return { cell: Math.floor((monotone.length - 2) / 2), within: 0.5 };
  const target = Math.max(share * rows, Math.min(rowWeight, rows));
  let [low, high] = [0, monotone.length - 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (doubleAt(monotone, middle + 1) >= target) high = middle;
    else low = middle + 1;
  }
  const [from, to] = [doubleAt(monotone, low), doubleAt(monotone, low + 1)];
  const within = to > from ? Math.min(1, Math.max(0, (target - from) / (to - from))) : 0;
  return { cell: low, within };
}

/**
 * The first and the last cell that no test refutes, from the coarse to the fine: in the one node that is left of a level,
 * boundary by boundary from its outer end until one is not refuted. At each level harm is done at one boundary alone, the
 * first that the truth allows.
 */
function accepted(
  { before, rounding }: Ranks,
  { share, tree }: CellQuantileSetting,
  reaches: readonly ShareErrorBound[],
  slack: { readonly low: number; readonly high: number },
): { readonly first: number; readonly last: number } {
  const cells = before.length - 1;
  const rows = doubleAt(before, cells);
  const distance = (boundary: number): number => doubleAt(before, boundary) - share * rows;
  let [from, to] = [0, cells];
  let width = cells;
  for (const reach of reaches) {
    const [end, start] = [from + width, to - width];
    width /= tree.branching;
    const isAfter = (x: number): boolean => reach.isBeyond(x, -distance(x) - slack.low - rounding);
    const isBefore = (x: number): boolean => reach.isBeyond(x, distance(x) - slack.high - rounding);
    while (from + width < end && isAfter(from + width)) from += width;
    while (to - width > start && isBefore(to - width)) to -= width;
  }
  return { first: from, last: to - 1 };
}
