import { elementAt } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import {
  type Cell,
  isEstimate,
  isOther,
  isTimeEstimate,
  type Release,
  type RowGrouping,
} from "../format/release.ts";
import { hidden, type Seen, type SeenRow } from "./released-value.ts";

/** The rows of a release, and the plan that they are of. */
export type Shown = Pick<Release, "rows" | "groupings"> & {
  readonly certificate: Pick<Release["certificate"], "plan">;
};

/** Prepares row ↦ what it shows of its keys and aggregates to expressions over released values. */
export function seenRows({ rows, groupings: marks, certificate: { plan } }: Shown): (row: number) => SeenRow {
  const { keys, outputs } = plan;
  const keyColumns = keyColumnsOf(plan);
  const aggregateColumns = plan.aggregates.map((_, aggregate) =>
    outputs.findIndex((output) => output.kind === "aggregate" && output.aggregate === aggregate),
  );
  return (row) => ({
    key: keySeen(plan, marks?.[row] ?? null, (key) =>
      seenKey(elementAt(rows, row)[elementAt(keyColumns, key)], elementAt(keys.expressions, key)),
    ),
    aggregate: (place) => seen(elementAt(rows, row)[elementAt(aggregateColumns, place)]),
  });
}

/** The column that shows each key; −1 of one that is not shown. */
export function keyColumnsOf({ keys, outputs }: Plan): readonly number[] {
  return keys.expressions.map((_, key) =>
    outputs.findIndex((output) => output.kind === "key" && output.key === key),
  );
}

/**
 * The keys of a row, and behind them, of several groupings, whether each is grouped away, and whether the row stands for all its
 * values that are not released. `value` is asked for those that the row has.
 */
export function keySeen(
  { keys, groupings = [] }: Plan,
  mark: RowGrouping | null,
  value: (key: number) => Seen,
): SeenRow["key"] {
  const all = keys.expressions.length;
  if (mark === null) return value;
  const asked = groupings[mark.grouping] ?? [];
  const kept = mark.over === null ? asked : (groupings[mark.over] ?? []);
  return (place) => {
    const key = place % all;
    if (place < all) return kept.includes(key) ? value(key) : null;
    if (place < 2 * all) return asked.includes(key) ? 0 : 1;
    return asked.includes(key) && !kept.includes(key) ? 1 : 0;
  };
}

/** A key as expressions see it: integers beyond 2^53 are shown as texts. */
export function seenKey(cell: Cell | undefined, of: Plan["keys"]["expressions"][number]): Seen {
  const value = seen(cell);
  if (of.domain.type !== "number" || typeof value !== "string") return value;
  if (!/^-?\d{1,20}$/.test(value)) throw new RangeError("a key of numbers that is no number");
  return BigInt(value);
}

function seen(cell: Cell | undefined): Seen {
  if (cell === undefined || isOther(cell)) return hidden;
  return isEstimate(cell) || isTimeEstimate(cell) ? cell.value : cell;
}
