import { canonicalJson } from "@lethe/core/canonical";
import {
  answerSetting,
  byName,
  keyNames,
  mainSum,
  type Plan,
  type PlannedKeyValue,
  sumKindOf,
} from "@lethe/query";

/** How the answers to one plan are made of those to another. */
export interface Making {
  /** The number of released groups that add up to one row: the same for all rows. */
  readonly groups: number;
  /** The place of each key of the question among those of the release. */
  readonly keys: readonly number[];
  /** Where each aggregate of the question is read, by its name. */
  readonly read: ReadonlyMap<string, MadeNumber>;
  /** Whether sums over the released groups are the very statistic that the question asks for: no unit is limited by the finer keys. */
  readonly isSame: boolean;
}

/** A number of the answer: a total that a release shows, or an average, the quotient of two. */
export type MadeNumber =
  | { readonly kind: "total"; readonly total: MadeTotal }
  | {
      readonly kind: "quotient";
      readonly sum: MadeTotal;
      readonly count: MadeTotal;
      /** The least and the greatest that it can be. */
      readonly bounds: readonly [number, number];
    };

/** Returns the totals that a number is made of. */
export function totalsOf(number: MadeNumber): readonly MadeTotal[] {
  return number.kind === "total" ? [number.total] : [number.sum, number.count];
}

/** A count or a sum that a release shows: its value is the released total · step. */
export interface MadeTotal {
  /** The name of the total in the plan of the release. */
  readonly total: string;
  readonly step: number;
  /** The place of its column in the release. */
  readonly column: number;
}

/**
 * Returns how answers to `asked` are made of those to `released`: the same rows of the same units, counted and summed by the same keys or by some of them alone. Null where that is not so,
 * or where it does not follow from the two plans: keys that are data, groups that are left out by HAVING or LIMIT, quantiles and numbers of distinct values, of which a sum over groups
 * says nothing.
 */
export function makingOf(released: Plan, asked: Plan): Making | null {
  if (!(isPlain(released) && isPlain(asked)) || leavesOut(released)) return null;
  if (released.policyHash !== asked.policyHash) return null;
  if (rowsText(released) !== rowsText(asked)) return null;
  const keys = asked.keys.parts.map(({ expression }) =>
    released.keys.parts.findIndex((part) => canonicalJson(part.expression) === canonicalJson(expression)),
  );
  if (keys.includes(-1)) return null;
  const groups = groupsARow(groupsOf(released), groupsOf(asked), keys);
  if (groups === null) return null;
  const isCoarser = keyNames(asked).length < keyNames(released).length;
  const read = new Map<string, MadeNumber>();
  for (const { name } of asked.aggregates) {
    const number = numberIn(released, asked, name);
    if (number === null) return null;
    const isSum = totalsOf(number).every(({ total }) => addsUp(released, total));
    if (isCoarser && !isSum) return null;
    read.set(name, number);
  }
  return { groups, keys, read, isSame: isSameStatistic(released, asked, read, isCoarser) };
}

/** One question of rows in one grouping, all of whose groups are known beforehand. */
function isPlain({ keys, groupings, totals, learned, over, others, outputs }: Plan): boolean {
  const isAlone = !groupings && !totals && !learned && !over && !others;
  return isAlone && keys.program.kind !== "private" && outputs.every(({ kind }) => kind !== "computed");
}

function leavesOut({ post: { having, limit, offset } }: Plan): boolean {
  return having !== null || limit !== null || offset > 0;
}

/** The texts of what plans are about: each is compared with many. */
const rowsTexts = new WeakMap<Plan, string>();

function rowsText(plan: Plan): string {
  const text = rowsTexts.get(plan) ?? canonicalJson(rowsOf(plan));
  rowsTexts.set(plan, text);
  return text;
}

/** The rows that a plan is about, and whose they are. */
function rowsOf({ from, where, unit, adjacency, contribution, joinedRows }: Plan): object {
  const { limit } = contribution;
  const rows = isOrderedByColumns(from) ? from : withoutColumns(from);
  return { rows, where, unit, adjacency, limit, joinedRows: joinedRows ?? null };
}

/** Whether the rows that a table is limited to follow from the order of all columns that are read. */
function isOrderedByColumns(from: unknown): boolean {
  if (Array.isArray(from)) return from.some(isOrderedByColumns);
  if (typeof from !== "object" || from === null) return false;
  const { limits, oncePer } = from as { readonly limits?: unknown; readonly oncePer?: unknown };
  return limits !== undefined || typeof oncePer === "string" || Object.values(from).some(isOrderedByColumns);
}

/** Leaves out which columns of a table are read: the policy has the same of each column for every question. */
function withoutColumns(from: unknown): unknown {
  if (Array.isArray(from)) return from.map(withoutColumns);
  if (typeof from !== "object" || from === null) return from;
  const isTable = "kind" in from && from.kind === "table";
  return Object.fromEntries(
    Object.entries(from).flatMap(([name, member]) =>
      isTable && name === "columns" ? [] : [[name, withoutColumns(member)]],
    ),
  );
}

/** Returns all groups of a plan without private keys: the one of no keys has an empty key. */
export function groupsOf({ keys: { program } }: Plan): readonly (readonly PlannedKeyValue[])[] {
  return program.kind === "public" ? program.declared : [[]];
}

/** Returns how many groups add up to each row; null where that is not the same for all, or where one side has a key that the other lacks. */
function groupsARow(
  released: readonly (readonly PlannedKeyValue[])[],
  asked: readonly (readonly PlannedKeyValue[])[],
  keys: readonly number[],
): number | null {
  const parts = new Map<string, number>(asked.map((key) => [canonicalJson(key), 0]));
  for (const key of released) {
    const name = canonicalJson(keys.map((at) => key[at] ?? null));
    const before = parts.get(name);
    if (before === undefined) return null;
    parts.set(name, before + 1);
  }
  const [groups = 0, ...others] = parts.values();
  return groups > 0 && others.every((each) => each === groups) ? groups : null;
}

/** Finds an aggregate of the question among the columns of the release. Its name is the SQL that asks for it. */
function numberIn(released: Plan, asked: Plan, name: string): MadeNumber | null {
  const due = byName(asked.aggregates, name);
  if (due.kind === "avg") return quotientIn(released, due);
  const total = totalIn(released, name);
  return total !== null && (due.kind === "count" || (due.kind === "sum" && 2 ** due.exponent === total.step))
    ? { kind: "total", total }
    : null;
}

function totalIn(released: Plan, name: string): MadeTotal | null {
  const column = released.outputs.findIndex(
    (output) => output.kind === "aggregate" && output.aggregate === name,
  );
  if (column < 0) return null;
  const found = byName(released.aggregates, name);
  if (found.kind === "count") return { total: found.count, step: 1, column };
  return found.kind === "sum" ? { total: found.sum, step: 2 ** found.exponent, column } : null;
}

type Average = Extract<Plan["aggregates"][number], { readonly kind: "avg" }>;

/** An average of the rows that count, where their sum and their number are shown: not where the rows of a unit weigh less in it than in its sum. */
function quotientIn(released: Plan, { name, count, distinct }: Average): MadeNumber | null {
  const isOfRows = released.unit.kind === "row" || released.contribution.limit === "rows-before-filter";
  const counted = released.aggregates.find((each) => each.kind === "count" && each.count === count);
  const sum = totalIn(released, name.replace(/^AVG\(/, "SUM("));
  const rows = counted ? totalIn(released, counted.name) : null;
  if (!isOfRows || distinct || sum === null || rows === null) return null;
  const bounds = answerSetting(released, 0.5).valuesOf(sum.total);
  return { kind: "quotient", sum, count: rows, bounds };
}

function addsUp(plan: Plan, total: string): boolean {
  const sum = mainSum(plan, total);
  return sumKindOf(sum).addsUp(plan.unit.kind === "row");
}

/**
 * Whether what a unit adds to a row is what it adds to the groups of that row together: where nothing of a unit is left out by group, or its rows are limited before they are grouped, and the
 * sum of a unit is not cut in a group.
 */
function isSameStatistic(
  released: Plan,
  asked: Plan,
  read: ReadonlyMap<string, MadeNumber>,
  isCoarser: boolean,
): boolean {
  const [fine, coarse] = [released.contribution, asked.contribution];
  if (!isCoarser) return canonicalJson(fine) === canonicalJson(coarse);
  if (!fine.enforced && !coarse.enforced) return true;
  const rows = fine.groups * fine.rows;
  if (fine.limit !== "rows-before-filter" || rows !== coarse.groups * coarse.rows) return false;
  return [...read.values()].flatMap(totalsOf).every(({ total }) => {
    const sum = mainSum(released, total);
    return !sumKindOf(sum).mayClamp(sum, BigInt(rows));
  });
}
