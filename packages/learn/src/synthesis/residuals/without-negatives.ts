import { doubleAt, elementAt, intAt } from "@lethe/core/numeric";
import { cellsOf } from "../graph/index.ts";
import { cellMap } from "../inference/index.ts";
import { type KnownResiduals, subsetsOf } from "./known-residuals.ts";
import { takeMeans } from "./take-means.ts";

/** Tables that agree where they overlap and of which hardly a cell is negative. */
export interface Nonnegative {
  /** One for each set that was asked for, in that order. Cells below 0 by what passes leave are raised to it. */
  readonly tables: readonly Float64Array[];
  /** What the cells that would be negative weigh, by the names of the sets: where a later search starts. */
  readonly multipliers: ReadonlyMap<string, Float64Array>;
}

/**
 * Returns the tables of some sets whose residuals lie nearest to the known ones, by squares over variances, among those that agree where they overlap and have no negative cell
 * (local nonnegativity: nothing is said of larger tables). Each set must have what is known of its subsets; a part that is not known is 0. Solved by accelerated projected
 * ascent of the dual, one multiplier a cell, with a step of its own for every table; it ends where cells that are negative, or are held up and are not 0, have less than a ten-thousandth of the
 * rows, or after the passes. Proof: ./without-negatives.proof.md
 * Source: Mullins, Fuentes, Xiao, Kifer, Musco & Sheldon 2024 (arXiv 2410.01091), Sec. 4 (GReM-LNN); Beck & Teboulle 2009; restarts: O'Donoghue & Candès 2015.
 */
export function withoutNegatives(
  sizes: readonly number[],
  known: KnownResiduals,
  sets: readonly (readonly number[])[],
  { passes, start }: { readonly passes: number; readonly start?: ReadonlyMap<string, Float64Array> },
): Nonnegative {
  const { parts, tables } = layout(sizes, known, sets);
  const steps = stepsOf(tables, parts);
  const made = tables.map(({ cells }) => new Float64Array(cells));
  let at = sets.map((set, table) => {
    const before = start?.get(set.join(","));
    const { cells } = elementAt(tables, table);
    return before?.length === cells ? before.slice() : new Float64Array(cells);
  });
  let ahead = at.map((each) => each.slice());
  let momentum = 1;
  const rows = Math.max(1, doubleAt(known.of([])?.values ?? Float64Array.of(0), 0));
  for (let pass = 0; pass < passes; pass++) {
    evaluate(tables, parts, ahead, made);
    let [turned, amiss] = [0, 0];
    const next = ahead.map((multipliers, table) => {
      const [values, step, old] = [elementAt(made, table), elementAt(steps, table), elementAt(at, table)];
      const moved = new Float64Array(multipliers.length);
      for (let cell = 0; cell < moved.length; cell++) {
        const from = doubleAt(multipliers, cell);
        const to = Math.max(0, from - step * doubleAt(values, cell));
        moved[cell] = to;
        if (step > 0) {
          turned += ((from - to) * (to - doubleAt(old, cell))) / step;
          amiss += Math.abs(from - to) / step;
        }
      }
      return moved;
    });
    // Momentum that points uphill is given up.
    const after = turned > 0 ? 1 : (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    const share = turned > 0 ? 0 : (momentum - 1) / after;
    ahead = next.map((now, table) => {
      const old = elementAt(at, table);
      return now.map((x, cell) => x + share * (x - doubleAt(old, cell)));
    });
    [at, momentum] = [next, after];
    if (amiss <= 1e-4 * rows * sets.length) break;
  }
  evaluate(tables, parts, at, made);
  return {
    tables: made.map((values) => values.map((x) => (x > 0 ? x : 0))),
    multipliers: new Map(sets.map((set, table) => [set.join(","), elementAt(at, table)])),
  };
}

/** A residual that tables are made of. */
interface Part {
  readonly shape: readonly number[];
  readonly values: Float64Array;
  readonly variance: number;
  readonly sums: Float64Array;
}

interface MadeTable {
  readonly cells: number;
  readonly uses: readonly { readonly part: number; readonly map: Int32Array; readonly share: number }[];
}

function layout(
  sizes: readonly number[],
  known: KnownResiduals,
  sets: readonly (readonly number[])[],
): { readonly parts: readonly Part[]; readonly tables: readonly MadeTable[] } {
  const parts: Part[] = [];
  const places = new Map<string, number>();
  const tables = sets.map((set): MadeTable => {
    const cells = cellsOf(sizes, set);
    const uses = subsetsOf(set).flatMap((subset) => {
      const key = subset.join(",");
      const residual = known.of(subset);
      if (!residual) return [];
      const part = places.get(key) ?? parts.length;
      if (part === parts.length) {
        places.set(key, part);
        const values = subset.length > 0 ? residual.values : residual.values.map((x) => Math.max(0, x));
        const shape = subset.map((attribute) => elementAt(sizes, attribute));
        parts.push({ shape, values, variance: residual.variance, sums: new Float64Array(values.length) });
      }
      return [{ part, map: cellMap(sizes, set, subset), share: cellsOf(sizes, subset) / cells }];
    });
    return { cells, uses };
  });
  return { parts, tables };
}

/** A step for each table that the dual cannot overshoot by: one over the sum of the norms of its row of blocks. */
function stepsOf(tables: readonly MadeTable[], parts: readonly Part[]): readonly number[] {
  const roots = parts.map(() => 0);
  for (const { uses } of tables)
    for (const { part, share } of uses) roots[part] = elementAt(roots, part) + Math.sqrt(share);
  return tables.map(({ uses }) => {
    const norms = uses.map(
      ({ part, share }) => elementAt(parts, part).variance * Math.sqrt(share) * elementAt(roots, part),
    );
    const norm = Math.max(0, ...norms);
    return norm > 0 ? 1 / norm : 0;
  });
}

/** Fills in the tables of these multipliers. */
function evaluate(
  tables: readonly MadeTable[],
  parts: readonly Part[],
  multipliers: readonly Float64Array[],
  made: readonly Float64Array[],
): void {
  for (const { sums } of parts) sums.fill(0);
  for (const [table, { uses }] of tables.entries()) {
    const weights = elementAt(multipliers, table);
    for (const { part, map, share } of uses) {
      const { sums } = elementAt(parts, part);
      for (let cell = 0; cell < weights.length; cell++) {
        const place = intAt(map, cell);
        sums[place] = doubleAt(sums, place) + share * doubleAt(weights, cell);
      }
    }
  }
  for (const { shape, values, variance, sums } of parts) {
    takeMeans(shape, sums);
    for (let cell = 0; cell < sums.length; cell++)
      sums[cell] = doubleAt(values, cell) + variance * doubleAt(sums, cell);
  }
  for (const [table, { uses, cells }] of tables.entries()) {
    const values = elementAt(made, table).fill(0);
    for (const { part, map, share } of uses) {
      const { sums } = elementAt(parts, part);
      for (let cell = 0; cell < cells; cell++)
        values[cell] = doubleAt(values, cell) + share * doubleAt(sums, intAt(map, cell));
    }
  }
}
