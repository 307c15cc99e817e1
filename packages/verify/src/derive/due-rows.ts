import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import type { Cell, RowGrouping } from "../format/release.ts";
import { placeOf } from "./named.ts";
import { hidden, orderOf, type Seen, type SeenRow } from "./released/released-value.ts";
import { isNextCoarser, rowSource } from "./row-source.ts";
import { keyColumnsOf, keySeen, type Shown, seenKey } from "./seen-rows.ts";

/** A row that a plan answers, before HAVING, ORDER BY and LIMIT. */
export interface DueRow {
  /** The row's grouping; null where there is one grouping alone. */
  readonly mark: RowGrouping | null;
  /** The key in the order of the plan's keys; NULL where one is grouped away, or not told in a remainder. */
  readonly key: readonly Cell[];
}

/**
 * Returns the rows of a plan, in their own order. Where groups are data, they follow from the released rows by all keys; null where these do not all
 * show, or are cut off.
 */
export function dueRows(release: Shown): readonly DueRow[] | null {
  const { plan } = release.certificate;
  const groups = groupsOf(release);
  if (groups === null) return null;
  const { groupings } = plan;
  if (!groupings) return groups.map((key) => ({ mark: null, key }));
  const rows = groupings.map((set) => rowsOf(set, groups, plan));
  return groupings.flatMap((_, at) => [
    ...elementAt(rows, at).map((key) => ({ mark: { grouping: at, over: null }, key })),
    ...leftOf(at, plan).flatMap((over) =>
      elementAt(rows, over).map((key) => ({ mark: { grouping: at, over }, key })),
    ),
  ]);
}

/** Returns the keys of all groups by all keys. */
function groupsOf(release: Shown): readonly (readonly Cell[])[] | null {
  const { program } = release.certificate.plan.keys;
  if (program.kind === "none") return [[]];
  return program.kind === "public" ? program.declared : releasedGroups(release);
}

/** Returns the keys of released groups in the order of their values; null where not all are shown. */
function releasedGroups({
  rows,
  groupings: marks,
  certificate: { plan },
}: Shown): readonly (readonly Cell[])[] | null {
  const { keys, groupings = [], post } = plan;
  const columns = keyColumnsOf(plan);
  if (post.having !== null || post.limit !== null || post.offset > 0 || columns.includes(-1)) return null;
  const whole = groupings.findIndex((set) => set.length === keys.parts.length);
  const isGroup = (mark: RowGrouping | undefined): boolean => mark?.grouping === whole && mark.over === null;
  const groups = rows
    .filter((_, at) => !plan.groupings || isGroup(marks?.[at]))
    .map((row) => columns.map((column) => row[column] ?? null));
  return distinct(groups).sort((a, b) => orderOfKeys(a, b, plan));
}

/** Returns the rows of one grouping: the groups that are measured for it, each combination of its keys once. */
function rowsOf(
  set: readonly string[],
  groups: readonly (readonly Cell[])[],
  plan: Plan,
): readonly (readonly Cell[])[] {
  const { level } = rowSource(set, plan);
  const measured = level === 0 ? undefined : elementAt(plan.totals ?? [], level - 1);
  const keys = plan.keys.parts.map(({ name }) => name);
  const all = measured?.declared
    ? measured.declared.map((key) => keys.map((name) => key[measured.keys.indexOf(name)] ?? null))
    : groups;
  return distinct(all.map((key) => keys.map((name, at) => (set.includes(name) ? (key[at] ?? null) : null))));
}

/** Returns the groupings of the totals that have a remainder in a grouping: the next coarser ones that are asked, each once. */
function leftOf(at: number, plan: Plan): readonly number[] {
  const { groupings = [] } = plan;
  if (rowSource(elementAt(groupings, at), plan).isListed) return [];
  const names = groupings.map((set) => canonicalJson(set));
  return [...groupings.keys()].filter(
    (over) => isNextCoarser(over, at, plan) && names.indexOf(elementAt(names, over)) === over,
  );
}

function distinct(keys: readonly (readonly Cell[])[]): (readonly Cell[])[] {
  return [...new Map(keys.map((key) => [canonicalJson(key), key])).values()];
}

/** Compares two keys; NULL comes first. */
export function orderOfKeys(a: readonly Cell[], b: readonly Cell[], { keys }: Plan): number {
  for (const [at, { expression }] of keys.parts.entries()) {
    const [x, y] = [a, b].map((key) => seenKey(key[at], expression)) as [Seen, Seen];
    const order = x === null || y === null ? Number(x !== null) - Number(y !== null) : orderOf(x, y);
    if (typeof order === "number" && order !== 0) return order;
  }
  return 0;
}

/** Returns the part of a row that is seen before it is answered: its keys. */
export function seenDue({ mark, key }: DueRow, plan: Plan): SeenRow {
  const { parts } = plan.keys;
  const value = (name: string): Seen => {
    const place = placeOf(parts, name);
    return seenKey(key[place], elementAt(parts, place).expression);
  };
  return {
    key: keySeen(plan, mark, value),
    aggregate: () => hidden,
  };
}
