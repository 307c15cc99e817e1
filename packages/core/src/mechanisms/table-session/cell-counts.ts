import { type Exact, seal, unseal } from "../../exact/exact.ts";
import type { ExactRows, KeyValue } from "../../exact/exact-rows.ts";
import { canonicalKey } from "../key-order.ts";
import type { CellCounts } from "./distance-score.ts";

/** One key of exact rows: the cell of an axis by the canonical text of a key, and the number of cells. Public. */
export interface CellAxis {
  readonly size: number;
  /** From {@link canonicalKey} of the one value. What is not listed is in no cell. */
  readonly places: ReadonlyMap<string, number>;
}

/** An axis of these values, each in a cell of its own or, with `places`, in the cell that is named. */
export function cellAxis(values: readonly KeyValue[], places?: ArrayLike<number>): CellAxis {
  const pairs = values.map((value, at) => [canonicalKey([value]), places?.[at] ?? at] as const);
  return {
    size: pairs.reduce((most, [, place]) => Math.max(most, place + 1), 0),
    places: new Map(pairs),
  };
}

/**
 * Sealed groups as the sealed counts of a table's cells, the last key fastest: a group's first sum is added to the cell of its keys. Nothing of the
 * data can make it fail: other keys, columns that are missing and what is no integer count nothing.
 */
export function cellCounts(rows: Exact<ExactRows>, axes: readonly CellAxis[]): Exact<CellCounts> {
  const counts = new Float64Array(axes.reduce((cells, { size }) => cells * size, 1));
  for (const { key, sums } of unseal(rows).groups) {
    let cell = 0;
    for (const [at, { size, places }] of axes.entries()) {
      const place = places.get(canonicalKey([key[at] ?? null]));
      cell = place === undefined ? Number.NaN : cell * size + place;
    }
    const count: unknown = sums[0];
    if (cell >= 0 && typeof count === "bigint") counts[cell] = (counts[cell] ?? 0) + Number(count);
  }
  return seal<CellCounts>(counts);
}
