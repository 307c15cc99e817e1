import { compareValues } from "../../types/compare.ts";
import type { Value } from "../../types/values.ts";

/** How one key orders. */
export interface SortOrder {
  readonly isDescending: boolean;
  readonly areNullsFirst: boolean;
}

/** Orders lists of keys. */
export function byKeys(orders: readonly SortOrder[]): (a: readonly Value[], b: readonly Value[]) => number {
  return (a, b) => {
    for (const [at, { isDescending, areNullsFirst }] of orders.entries()) {
      const [one = null, other = null] = [a[at], b[at]];
      if (one === null || other === null) {
        if (one === other) continue;
        return (one === null) === areNullsFirst ? -1 : 1;
      }
      const order = compareValues(one, other);
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  };
}
