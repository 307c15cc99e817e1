import type { PostProcessing } from "@lethe/query";
import { areClose, hidden, orderOf, type Seen, type SeenRow, seenValue } from "./released/released-value.ts";

type OrderBy = PostProcessing["orderBy"];

/** Whether one row comes before another by ORDER BY: below 0 where it does, 0 where both are alike, hidden where it cannot be seen. */
export function orderOfRows(a: SeenRow, b: SeenRow, orderBy: OrderBy): number | typeof hidden {
  for (const item of orderBy) {
    const order = orderOfItem(seenValue(item.by, a), seenValue(item.by, b), item);
    if (order !== 0) return order;
  }
  return 0;
}

/** The same of the values that rows have for the parts of an order. */
export function orderOfValues(
  a: readonly Seen[],
  b: readonly Seen[],
  orderBy: OrderBy,
): number | typeof hidden {
  for (const [at, item] of orderBy.entries()) {
    const order = orderOfItem(a[at] ?? null, b[at] ?? null, item);
    if (order !== 0) return order;
  }
  return 0;
}

function orderOfItem(x: Seen, y: Seen, { descending, nullsFirst }: OrderBy[number]): number | typeof hidden {
  if (x === hidden || y === hidden) return hidden;
  if (x === null || y === null) {
    if (x === y) return 0;
    return (x === null) === nullsFirst ? -1 : 1;
  }
  const order = orderOf(x, y);
  if (typeof order !== "number" || order === 0) return 0;
  // What is computed may be rounded otherwise here.
  if (typeof x === "number" && typeof y === "number" && areClose(x, y)) return hidden;
  return descending ? -order : order;
}

/** Those that OFFSET and LIMIT leave of rows in their own order; null where it cannot be seen which. */
export function firstRows<Row extends { readonly seen: SeenRow }>(
  rows: readonly Row[],
  { orderBy, limit, offset }: Pick<PostProcessing, "orderBy" | "limit" | "offset">,
): readonly Row[] | null {
  if (limit === null && offset === 0) return rows;
  let isSeen = true;
  const sorted = [...rows].sort((a, b) => {
    const order = orderOfRows(a.seen, b.seen, orderBy);
    if (order === hidden) isSeen = false;
    return order === hidden ? 0 : order;
  });
  return isSeen ? sorted.slice(offset, limit === null ? undefined : offset + limit) : null;
}
