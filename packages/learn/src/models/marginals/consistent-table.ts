import { doubleAt } from "@lethe/core/numeric";
import { type Matrix, transposedTimes } from "../../linear/matrix.ts";

/**
 * The nearest list to this one, in squared distance, whose entries are at least 0 and add up to a total ≥ 0.
 * Source: Held, Wolfe & Crowder 1974, for projections on a simplex.
 */
export function onSimplex(values: Float64Array, total: number): Float64Array {
  if (!(total > 0)) return values.map(() => 0);
  const falling = values.toSorted().reverse();
  let sum = 0;
  let shift = 0;
  for (const [i, value] of falling.entries()) {
    sum += value;
    const candidate = (sum - total) / (i + 1);
    if (value > candidate) shift = candidate;
  }
  return values.map((value) => Math.max(0, value - shift));
}

const mostRounds = 200;
/** The share of a table that every cell starts with at least, so that any margins can be reached. */
const spread = 1e-9;

/**
 * A table with these margins of equal totals, no entry below 0, in which what the given table says of dependence is kept: iterative
 * proportional fitting from its positive part. What 200 rounds leave of the margins is put right: rows and columns that are too large are
 * scaled down, and what is missing is added as a product of what rows and columns lack.
 * Source: Deming & Stephan 1940; Altschuler, Weed & Rigollet 2017, Alg. 2, for the last step.
 */
export function withMargins(table: Matrix, rows: Float64Array, columns: Float64Array): Matrix {
  const total = sumOf(rows);
  let current: Matrix = table.map((row) => row.map((value) => Math.max(value, spread * Math.max(1, total))));
  for (let round = 0; round < mostRounds; round += 1) {
    current = byRows(current, (sum, i) => (sum > 0 ? doubleAt(rows, i) / sum : 0));
    current = byColumns(current, (sum, j) => (sum > 0 ? doubleAt(columns, j) / sum : 0));
    const worst = rowSums(current).map((sum, i) => Math.abs(sum - doubleAt(rows, i)));
    if (Math.max(...worst) <= 1e-13 * Math.max(1, total)) break;
  }
  current = byRows(current, (sum, i) => (sum > doubleAt(rows, i) ? doubleAt(rows, i) / sum : 1));
  current = byColumns(current, (sum, j) => (sum > doubleAt(columns, j) ? doubleAt(columns, j) / sum : 1));
  const missingRows = rowSums(current).map((sum, i) => Math.max(0, doubleAt(rows, i) - sum));
  const missingColumns = columnSums(current).map((sum, j) => Math.max(0, doubleAt(columns, j) - sum));
  const missing = sumOf(missingRows);
  if (!(missing > 0)) return current;
  return current.map((row, i) =>
    row.map((value, j) => value + doubleAt(missingRows, i) * (doubleAt(missingColumns, j) / missing)),
  );
}

function byRows(table: Matrix, factor: (sum: number, i: number) => number): Matrix {
  const factors = rowSums(table).map(factor);
  return table.map((row, i) => row.map((value) => value * doubleAt(factors, i)));
}

function byColumns(table: Matrix, factor: (sum: number, j: number) => number): Matrix {
  const factors = columnSums(table).map(factor);
  return table.map((row) => row.map((value, j) => value * doubleAt(factors, j)));
}

function sumOf(values: Float64Array): number {
  return values.reduce((a, b) => a + b, 0);
}

function rowSums(table: Matrix): Float64Array {
  return Float64Array.from(table, sumOf);
}

function columnSums(table: Matrix): Float64Array {
  return transposedTimes(table, new Float64Array(table.length).fill(1));
}
