import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import type { Release } from "../format/release.ts";
import { keyColumn } from "./seen-rows.ts";

/** The rows of a grouping that belong to a row: its own grouping, unless stated. */
export type GroupsWithin = (row: number, of?: number) => readonly number[] | null;

/**
 * Prepares row ↦ the rows of a grouping that agree with it in its keys, or where it is what is left of a total in the total's;
 * none of them is left of another. Null where rows are cut off, or a key that tells them apart is not shown.
 */
export function groupsWithin({ rows, groupings: marks = [], certificate: { plan } }: Release): GroupsWithin {
  const { groupings = [], post } = plan;
  const isWhole = post.having === null && post.limit === null && post.offset === 0;
  const placesOf = (keys: readonly string[]): readonly number[] => keys.map((key) => keyColumn(key, plan));
  const nameOf = (row: number, columns: readonly number[]): string =>
    canonicalJson(columns.map((column) => elementAt(rows, row)[column] ?? null));
  const known = new Map<string, ReadonlyMap<string, readonly number[]>>();
  const namedRows = (of: number, columns: readonly number[]): ReadonlyMap<string, readonly number[]> => {
    const name = `${of} ${columns}`;
    const found = known.get(name) ?? byName(of, columns);
    known.set(name, found);
    return found;
  };
  const byName = (of: number, columns: readonly number[]): ReadonlyMap<string, readonly number[]> => {
    const all = new Map<string, number[]>();
    for (const [at, mark] of marks.entries()) {
      if (mark.grouping !== of || mark.over !== null) continue;
      const name = nameOf(at, columns);
      const same = all.get(name) ?? [];
      all.set(name, same);
      same.push(at);
    }
    return all;
  };
  return (row, of = elementAt(marks, row).grouping) => {
    const { grouping, over } = elementAt(marks, row);
    const columns = placesOf(elementAt(groupings, over ?? grouping));
    if (!isWhole || columns.includes(-1)) return null;
    return namedRows(of, columns).get(nameOf(row, columns)) ?? [];
  };
}
