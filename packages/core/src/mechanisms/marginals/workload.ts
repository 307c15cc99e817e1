import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import { addAt, doubleAt, elementAt } from "../../numeric/elements/element-at.ts";
import type { Sensitivity } from "../mechanism.ts";

/** Contingency tables of categorical records. Attribute a of a record is one of 0 … sizes[a] − 1. */
export interface MarginalWorkload {
  readonly sizes: readonly number[];
  /** Each a strictly increasing list of attributes; its table has a cell for every combination of their values. */
  readonly marginals: readonly (readonly number[])[];
}

const mostCells = 2 ** 26;

/**
 * All tables of k of the attributes, in lexicographic order.
 * Errors: parameter.invalid unless 1 ≤ k ≤ the number of attributes, sizes are integers ≥ 1, and the cells number at most 2^26.
 * @example kWayMarginals([2, 3, 4], 2).marginals // => [[0, 1], [0, 2], [1, 2]]
 */
export function kWayMarginals(sizes: readonly number[], k: number): MarginalWorkload {
  if (!(Number.isSafeInteger(k) && k >= 1 && k <= sizes.length)) {
    throw invalidParameter("k", k, `an integer from 1 to ${sizes.length}`);
  }
  checkSizes(sizes);
  checkCells(cellsOfChoices(sizes, k));
  const marginals: number[][] = [];
  const choose = (chosen: readonly number[], from: number): void => {
    if (chosen.length === k) {
      marginals.push([...chosen]);
      return;
    }
    for (let a = from; a <= sizes.length - (k - chosen.length); a++) choose([...chosen, a], a + 1);
  };
  choose([], 0);
  return checkedWorkload({ sizes, marginals });
}

/** Σ over choices of k attributes of the product of their sizes: the elementary symmetric polynomial. */
function cellsOfChoices(sizes: readonly number[], k: number): number {
  const sums = new Float64Array(k + 1);
  sums[0] = 1;
  for (const size of sizes) {
    for (let j = k; j >= 1; j--) addAt(sums, j, doubleAt(sums, j - 1) * size);
  }
  return doubleAt(sums, k);
}

function checkSizes(sizes: readonly number[]): void {
  for (const size of sizes) {
    if (!(Number.isSafeInteger(size) && size >= 1)) throw invalidParameter("size", size, "an integer ≥ 1");
  }
}

function checkCells(cells: number): void {
  if (!(cells <= mostCells)) throw invalidParameter("cells", cells, `at most ${mostCells}`);
}

/** The number of cells of each table. */
export function tableSizes({ sizes, marginals }: MarginalWorkload): readonly number[] {
  return marginals.map((attributes) => attributes.reduce((cells, a) => cells * elementAt(sizes, a), 1));
}

/** The workload, when it is one. Errors: parameter.invalid. */
export function checkedWorkload(workload: MarginalWorkload): MarginalWorkload {
  const { sizes, marginals } = workload;
  checkSizes(sizes);
  if (marginals.length === 0) throw invalidParameter("marginals", "none", "at least one");
  for (const attributes of marginals) {
    const ordered = attributes.every(
      (a, i) =>
        Number.isSafeInteger(a) &&
        a >= 0 &&
        a < sizes.length &&
        (i === 0 || a > elementAt(attributes, i - 1)),
    );
    if (!ordered || attributes.length === 0) {
      throw invalidParameter("marginal", attributes.join(" "), "a strictly increasing list of attributes");
    }
  }
  checkCells(tableSizes(workload).reduce((total, each) => total + each, 0));
  return workload;
}

/**
 * Returns the sensitivity of all tables together. A record is in at most one cell of each table, so with m tables
 *   add-or-remove-one: Δ₁ = m, Δ₂² = m;  replace-one: Δ₁ = Δ₂² = 2m, a table of a single cell counting once.
 * Source: C Prop 1 and C Eq 12 (√d); replacing moves two cells.
 * Direction: exact. Errors: parameter.invalid for what is no workload.
 * @example marginalSensitivity(kWayMarginals([2, 2, 2], 2), "replace-one") // => { l1: 6n, l2Squared: 6n }
 */
export function marginalSensitivity(workload: MarginalWorkload, adjacency: Adjacency): Sensitivity {
  const most = { "add-or-remove-one": 1, "replace-one": 2 }[adjacency];
  if (most === undefined) {
    throw invalidParameter("adjacency", adjacency, "add-or-remove-one or replace-one");
  }
  const moved = tableSizes(checkedWorkload(workload)).reduce(
    (total, cells) => total + Math.min(most, cells),
    0,
  );
  return { l1: BigInt(moved), l2Squared: BigInt(moved) };
}

/**
 * The exact tables. A value outside its domain (NaN, missing, too large) is in no cell of the tables that ask for it: whatever
 * a record holds, it moves each table by at most one cell. Attribute order: the last varies fastest.
 */
export function countMarginals(
  workload: MarginalWorkload,
  records: Iterable<ArrayLike<number>>,
): readonly (readonly bigint[])[] {
  const { sizes, marginals } = checkedWorkload(workload);
  const tables = marginals.map((attributes) => {
    const axes = attributes.map((attribute) => ({ attribute, size: elementAt(sizes, attribute) }));
    return { axes, counts: new Float64Array(axes.reduce((cells, { size }) => cells * size, 1)) };
  });
  for (const record of records) {
    for (const { axes, counts } of tables) {
      const cell = axes.reduce((index, { attribute, size }) => {
        const value = record[attribute];
        const inside = value !== undefined && Number.isInteger(value) && value >= 0 && value < size;
        return inside ? index * size + value : Number.NaN;
      }, 0);
      if (!Number.isNaN(cell)) addAt(counts, cell, 1);
    }
  }
  return tables.map(({ counts }) => Array.from(counts, (count) => BigInt(count)));
}
