import type { OverOrder } from "@lethe/query";
import { orderOfValues } from "../derive/order-rows.ts";
import { hidden, type Seen, type SeenRow, seenValue } from "../derive/released/released-value.ts";

/** Rows in an order. */
export interface PlacedRows {
  /** The place that each had before. */
  readonly places: readonly number[];
  /** Whether each is equal in the order to the one before it. */
  readonly isPeer: readonly boolean[];
}

/** Puts rows in an order; those that it leaves equal stay as they stood. Null where rounding may have decided. */
export function placedRows(rows: readonly SeenRow[], orderBy: readonly OverOrder[]): PlacedRows | null {
  const values = rows.map((row) => orderBy.map(({ by }) => seenValue(by, row)));
  let isClear = true;
  const orderOf = (a: number, b: number): number => {
    const order = orderOfValues(valuesAt(values, a), valuesAt(values, b), orderBy);
    if (order === hidden) isClear = false;
    return order === hidden ? 0 : order;
  };
  const places = [...rows.keys()].sort(orderOf);
  const isPeer = places.map((place, at) => {
    const before = places[at - 1];
    return before !== undefined && orderOf(before, place) === 0;
  });
  return isClear ? { places, isPeer } : null;
}

const valuesAt = (values: readonly (readonly Seen[])[], place: number): readonly Seen[] =>
  values[place] ?? [];
