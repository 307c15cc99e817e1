import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import { type DueRow, dueRows, orderOfKeys, seenDue } from "../derive/due-rows.ts";
import { placeOf } from "../derive/named.ts";
import { firstRows, orderOfRows } from "../derive/order-rows.ts";
import { hidden, type SeenRow, seenValue } from "../derive/released/released-value.ts";
import { keyColumnsOf, seenRows } from "../derive/seen-rows.ts";
import type { Cell, Release, RowGrouping } from "../format/release.ts";
import { type Verdict, verdict } from "./check.ts";

/**
 * Checks that the rows are those of the plan's groups, each once, in the order that is asked. HAVING, ORDER BY and LIMIT are checked as far as they
 * rest on keys and on values that are shown.
 */
export function rowsAreThePlans(release: Release): Verdict {
  const { rows, certificate } = release;
  const seenAt = seenRows(release);
  const seen = rows.map((_, row) => seenAt(row));
  const due = dueRows(release);
  const isLeftOut = seen.some((row) => stays(row, certificate.plan) === false);
  return verdict(
    [
      ...(due ? groupsAmiss(release, due) : repeatsAmiss(release)),
      ...(isLeftOut ? ["a row is answered that HAVING leaves out"] : []),
      ...orderAmiss(release, seen, due),
    ],
    "the rows are those of the plan's groups, each once, as far as HAVING, ORDER BY and LIMIT let it be seen",
  );
}

/** Whether HAVING keeps a row. */
function stays(row: SeenRow, { post: { having } }: Plan): boolean | typeof hidden {
  const value = having === null ? true : seenValue(having, row);
  return value === hidden ? hidden : value === true;
}

function* groupsAmiss(release: Release, due: readonly DueRow[]): Iterable<string> {
  const { plan } = release.certificate;
  const shown = release.rows.map((_, row) => nameOfShown(release, row));
  const left = due.flatMap((row) => {
    const seen = seenDue(row, plan);
    const kept = stays(seen, plan);
    return kept === false ? [] : [{ name: nameOfDue(row, plan), seen, isCertain: kept === true }];
  });
  const certain = left.filter(({ isCertain }) => isCertain);
  // Which rows are cut off is seen where none but keys decide.
  const first = certain.length === left.length ? firstRows(left, plan.post) : null;
  const most = tallyOf((first ?? left).map(({ name }) => name));
  for (const [name, times] of tallyOf(shown)) {
    const allowed = most.get(name) ?? 0;
    if (allowed === 0) yield "a group is answered that is not due";
    else if (times > allowed) yield "a group is answered twice";
  }
  const cut = (count: number): number =>
    Math.min(plan.post.limit ?? count, Math.max(0, count - plan.post.offset));
  if (shown.length < cut(certain.length)) yield "a group that is due is not answered";
  if (shown.length > cut(left.length)) yield "more groups are answered than OFFSET and LIMIT leave";
}

/** Yields a repeated group. Where groups are data and not all are shown, nothing more can be checked than that none is there twice. */
function* repeatsAmiss(release: Release): Iterable<string> {
  const { plan } = release.certificate;
  const shown = release.rows.map((_, row) => nameOfShown(release, row));
  if (!keyColumnsOf(plan).includes(-1) && new Set(shown).size !== shown.length)
    yield "a group is answered twice";
}

function* orderAmiss(
  release: Release,
  seen: readonly SeenRow[],
  due: readonly DueRow[] | null,
): Iterable<string> {
  const { plan } = release.certificate;
  const comesBefore = due ? placeBefore(release, due) : keyBefore(release);
  const isInOrder = seen.every((row, at) => {
    const next = seen[at + 1];
    const order = next ? orderOfRows(row, next, plan.post.orderBy) : hidden;
    return order === 0 ? comesBefore(at, at + 1) : order === hidden || order < 0;
  });
  if (!isInOrder) yield "the rows are not in the order that is asked";
}

type Before = (a: number, b: number) => boolean;

/**
 * Compares the places of rows that ORDER BY does not tell apart: they come as the plan has them, which can be checked where their keys tell the rows
 * apart.
 */
function placeBefore(release: Release, due: readonly DueRow[]): Before {
  const names = due.map((row) => nameOfDue(row, release.certificate.plan));
  if (new Set(names).size !== names.length) return () => true;
  const placeOf = new Map(names.map((name, place) => [name, place]));
  const places = release.rows.map((_, row) => placeOf.get(nameOfShown(release, row)) ?? -1);
  return (a, b) => elementAt(places, a) < elementAt(places, b);
}

/** Compares groups that are data, which come in the order of their keys. */
function keyBefore({ rows, certificate: { plan } }: Release): Before {
  const columns = keyColumnsOf(plan);
  if (plan.groupings || columns.includes(-1)) return () => true;
  const keyOf = (row: number): readonly Cell[] =>
    columns.map((column) => elementAt(rows, row)[column] ?? null);
  return (a, b) => orderOfKeys(keyOf(a), keyOf(b), plan) < 0;
}

function nameOfShown({ rows, groupings: marks, certificate: { plan } }: Release, row: number): string {
  const cells = plan.outputs.flatMap(({ kind }, column) =>
    kind === "key" ? [elementAt(rows, row)[column] ?? null] : [],
  );
  return named(marks?.[row] ?? null, cells);
}

function nameOfDue({ mark, key }: DueRow, plan: Plan): string {
  const seen = seenDue({ mark, key }, plan);
  const cells = plan.outputs.flatMap((output): Cell[] => {
    if (output.kind !== "key") return [];
    const isOther = mark !== null && seen.key({ kind: "other", key: output.key }) === 1;
    return [isOther ? { other: true } : (key[placeOf(plan.keys.parts, output.key)] ?? null)];
  });
  return named(mark, cells);
}

/** Returns a text that two rows share where they belong to one grouping and show the same keys. */
function named(mark: RowGrouping | null, cells: readonly Cell[]): string {
  return canonicalJson([mark, cells]);
}

function tallyOf(names: readonly string[]): ReadonlyMap<string, number> {
  const tally = new Map<string, number>();
  for (const name of names) tally.set(name, (tally.get(name) ?? 0) + 1);
  return tally;
}
