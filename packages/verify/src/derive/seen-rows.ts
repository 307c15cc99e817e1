import { elementAt } from "@lethe/core/numeric";
import type { Expression, Plan } from "@lethe/query";
import {
  type Cell,
  isEstimate,
  isOther,
  isTimeEstimate,
  type Release,
  type RowGrouping,
} from "../format/release.ts";
import { named } from "./named.ts";
import { hidden, type Seen, type SeenRow } from "./released/released-value.ts";

/** The rows of a release, and the plan that they are of. */
export type Shown = Pick<Release, "rows" | "groupings"> & {
  readonly certificate: Pick<Release["certificate"], "plan">;
};

/** Prepares row ↦ what it shows of its keys and aggregates to expressions over released values. */
export function seenRows({ rows, groupings: marks, certificate: { plan } }: Shown): (row: number) => SeenRow {
  const { keys, outputs } = plan;
  const keyColumns = new Map<string, number>();
  const aggregateColumns = new Map<string, number>();
  // Of several columns that show one thing, the first is read.
  for (const [column, output] of [...outputs.entries()].reverse()) {
    if (output.kind === "key") keyColumns.set(output.key, column);
    if (output.kind === "aggregate") aggregateColumns.set(output.aggregate, column);
  }
  return (row) => {
    const cells = elementAt(rows, row);
    return {
      key: keySeen(plan, marks?.[row] ?? null, (key) =>
        seenKey(cells[keyColumns.get(key) ?? notShown], named(keys.parts, key).expression),
      ),
      aggregate: (name) => seen(cells[aggregateColumns.get(name) ?? notShown]),
    };
  };
}

/** The place of a column that there is none of. */
const notShown = -1;

/** The column that shows each key; −1 of one that is not shown. */
export function keyColumnsOf(plan: Plan): readonly number[] {
  return plan.keys.parts.map(({ name }) => keyColumn(name, plan));
}

/** The column that shows a key; −1 of one that is not shown. */
export function keyColumn(key: string, { outputs }: Plan): number {
  return outputs.findIndex((output) => output.kind === "key" && output.key === key);
}

/**
 * The keys of a row, and of several groupings whether each is grouped away, and whether the row stands for all its values that are
 * not released. `value` is asked for those that the row has.
 */
export function keySeen(
  { groupings = [] }: Plan,
  mark: RowGrouping | null,
  value: (key: string) => Seen,
): SeenRow["key"] {
  if (mark === null) return ({ kind, key }) => (kind === "key" ? value(key) : hidden);
  const asked = groupings[mark.grouping] ?? [];
  const kept = mark.over === null ? asked : (groupings[mark.over] ?? []);
  return ({ kind, key }) => {
    if (kind === "key") return kept.includes(key) ? value(key) : null;
    if (kind === "grouped-away") return asked.includes(key) ? 0 : 1;
    return asked.includes(key) && !kept.includes(key) ? 1 : 0;
  };
}

/** A key as expressions see it: integers beyond 2^53 are shown as texts. */
export function seenKey(cell: Cell | undefined, of: Expression): Seen {
  const value = seen(cell);
  if (of.domain.type !== "number" || typeof value !== "string") return value;
  if (!/^-?\d{1,20}$/.test(value)) throw new RangeError("a key of numbers that is no number");
  return BigInt(value);
}

function seen(cell: Cell | undefined): Seen {
  if (cell === undefined || isOther(cell)) return hidden;
  return isEstimate(cell) || isTimeEstimate(cell) ? cell.value : cell;
}
