import type { BitSource } from "@lethe/core";
import { doubleAt, elementAt, intAt } from "@lethe/core/numeric";
import { roundedCounts } from "./rounded-counts.ts";
import { shuffle, uniform } from "./shuffle.ts";

/** A table that rows are to have: of two attributes, the second fastest; chances, or counts of any total. */
export interface PairTarget {
  readonly attributes: readonly [number, number];
  readonly values: Float64Array;
}

/** How far a pass goes towards a table, which falls from pass to pass so that tables that pull apart come to rest. */
const [firstStep, decay] = [0.5, 0.9];

/**
 * Moves rows towards tables of pairs, in place: a pair at a time, in a new order every pass. Of the two attributes one keeps its codes; among rows of one of its codes some of those that are too many
 * get the other's code that is missing. Each change is blind to all other pairs, so that tables that no rows have together are met halfway: the rows say how far they lie.
 * Source: Zhang, Wang, Li, Honorio, Backes, He, Chen & Zhang 2021 (arXiv 2012.15128), Sec. 5.2 (gradual update), by replacement.
 */
export function gradualUpdate(
  sizes: readonly number[],
  columns: readonly Int32Array[],
  targets: readonly PairTarget[],
  { passes, bits }: { readonly passes: number; readonly bits: BitSource },
): void {
  const order = Int32Array.from(targets.keys());
  for (let pass = 0; pass < passes; pass++) {
    shuffle(order, bits);
    for (const at of order) {
      const { attributes, values } = elementAt(targets, at);
      const [a, b] = attributes;
      const turned = bits.word() % 2 === 1;
      const [kept, changed] = turned ? [b, a] : [a, b];
      moveTowards(
        {
          kept: elementAt(columns, kept),
          changed: elementAt(columns, changed),
          codes: elementAt(sizes, changed),
        },
        turned ? transposed(values, elementAt(sizes, a), elementAt(sizes, b)) : values,
        { step: firstStep * decay ** pass, bits },
      );
    }
  }
}

function transposed(values: Float64Array, rows: number, columns: number): Float64Array {
  return Float64Array.from({ length: values.length }, (_, cell) =>
    doubleAt(values, (cell % rows) * columns + Math.floor(cell / rows)),
  );
}

/** Moves some rows of one pair from cells that hold too many to cells of the same kept code that hold too few. */
function moveTowards(
  {
    kept,
    changed,
    codes,
  }: { readonly kept: Int32Array; readonly changed: Int32Array; readonly codes: number },
  wanted: Float64Array,
  { step, bits }: { readonly step: number; readonly bits: BitSource },
): void {
  const rows = kept.length;
  const counts = new Int32Array(wanted.length);
  for (let row = 0; row < rows; row++) {
    const cell = intAt(kept, row) * codes + intAt(changed, row);
    counts[cell] = intAt(counts, cell) + 1;
  }
  const leaving = new Int32Array(wanted.length);
  const arriving: Int32Array[] = [];
  let left = 0;
  for (let start = 0; start < wanted.length; start += codes) {
    const arrivals = exchange(counts, wanted, leaving, { start, codes, step, bits });
    arriving.push(arrivals);
    left += arrivals.length;
  }
  const next = new Int32Array(arriving.length);
  const first = Math.floor(uniform(bits) * rows);
  for (let seen = 0, row = first; seen < rows && left > 0; seen++, row = row + 1 === rows ? 0 : row + 1) {
    const code = intAt(kept, row);
    const cell = code * codes + intAt(changed, row);
    if (intAt(leaving, cell) === 0) continue;
    leaving[cell] = intAt(leaving, cell) - 1;
    const place = intAt(next, code);
    changed[row] = intAt(elementAt(arriving, code), place);
    next[code] = place + 1;
    left -= 1;
  }
}

/** Decides how many rows leave each cell of one kept code, and returns the codes that they get, in a random order. */
function exchange(
  counts: Int32Array,
  wanted: Float64Array,
  leaving: Int32Array,
  {
    start,
    codes,
    step,
    bits,
  }: { readonly start: number; readonly codes: number; readonly step: number; readonly bits: BitSource },
): Int32Array {
  let [there, due] = [0, 0];
  for (let cell = start; cell < start + codes; cell++) {
    there += intAt(counts, cell);
    due += doubleAt(wanted, cell);
  }
  if (!(there > 0 && due > 0)) return new Int32Array();
  const missing = new Float64Array(codes);
  let out = 0;
  for (let at = 0; at < codes; at++) {
    const count = intAt(counts, start + at);
    const over = count - (doubleAt(wanted, start + at) * there) / due;
    if (over < 0) missing[at] = -over;
    else {
      const leave = Math.min(count, Math.floor(step * over + uniform(bits)));
      leaving[start + at] = leave;
      out += leave;
    }
  }
  const codesIn = new Int32Array(out);
  let next = 0;
  for (const [code, count] of roundedCounts(missing, out, bits).entries()) {
    codesIn.fill(code, next, next + count);
    next += count;
  }
  shuffle(codesIn, bits);
  return codesIn;
}
