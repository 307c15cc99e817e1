import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import { addUp } from "../checks/groupings.ts";
import { partsOf } from "../checks/intervals.ts";
import { named } from "../derive/named.ts";
import type { Release } from "../format/release.ts";

/** A group's key in JSON. */
export type Key = Plan["keys"]["parts"] extends readonly unknown[]
  ? readonly (string | number | boolean | null)[]
  : never;

/** Returns all groups of a plan: of no keys, the one with an empty key. Null where keys are data. */
export function allGroups({ keys: { program } }: Plan): readonly Key[] | null {
  if (program.kind === "private") return null;
  return program.kind === "public" ? program.declared : [[]];
}

/** The place of each key of the answer among those of a release; −1 of one that the release does not have. */
export function placesIn(released: Plan, asked: Plan): readonly number[] {
  const own = released.keys.parts.map(({ expression }) => canonicalJson(expression));
  return asked.keys.parts.map(({ expression }) => own.indexOf(canonicalJson(expression)));
}

/** Whether the answer has fewer keys than the release. */
export function isByFewer(released: Plan, asked: Plan): boolean {
  return asked.keys.parts.length < released.keys.parts.length;
}

/** A count or a sum that a release shows in a column: value = total · 2^exponent. */
export interface ShownTotal {
  readonly total: string;
  readonly exponent: number;
  readonly column: number;
}

/** Returns where a release shows what an aggregate of the answer is made of: the total of that name, which is the SQL that asks for it, or the sum and the count of an average; null where it does not. */
export function shownOf(released: Plan, asked: Plan, name: string): readonly ShownTotal[] | null {
  const due = named(asked.aggregates, name);
  if (due.kind === "avg") {
    const isOfRows = released.unit.kind === "row" || released.contribution.limit === "rows-before-filter";
    const counts = released.aggregates.filter((each) => each.kind === "count" && each.count === due.count);
    const [sum, count] = [`SUM${name.slice(3)}`, counts[0]?.name].map((part) =>
      part === undefined ? null : shownTotal(released, part),
    );
    return isOfRows && !due.distinct && sum && count ? [sum, count] : null;
  }
  const shown = shownTotal(released, name);
  const isDue = due.kind === "count" || (due.kind === "sum" && due.exponent === shown?.exponent);
  return shown && isDue ? [shown] : null;
}

function shownTotal({ outputs, aggregates }: Plan, name: string): ShownTotal | null {
  const column = outputs.findIndex((output) => output.kind === "aggregate" && output.aggregate === name);
  if (column < 0) return null;
  const found = named(aggregates, name);
  if (found.kind === "count") return { total: found.count, exponent: 0, column };
  return found.kind === "sum" ? { total: found.sum, exponent: found.exponent, column } : null;
}

/** Whether a total of several groups is the sum of those of each. */
export function addsUp(plan: Plan, total: string): boolean {
  return sumsOf(plan, total).every(
    ({ kind }) => addUp.has(kind) || (kind === "units" && plan.unit.kind === "row"),
  );
}

function sumsOf(plan: Plan, total: string): Plan["sums"] {
  return partsOf(total, plan).flatMap(({ measurement }) =>
    named(plan.measurements, measurement).terms.map(({ sum }) => named(plan.sums, sum)),
  );
}

/** Whether a unit adds to a row of the answer what it adds to the released groups of that row together. */
export function isWhatIsAsked(released: Plan, asked: Plan): boolean {
  const [own, due] = [released.contribution, asked.contribution];
  if (!isByFewer(released, asked)) return canonicalJson(own) === canonicalJson(due);
  if (!own.enforced && !due.enforced) return true;
  const rows = own.groups * own.rows;
  if (own.limit !== "rows-before-filter" || due.groups * due.rows !== rows) return false;
  return asked.aggregates.every(({ name }) => {
    const shown = shownOf(released, asked, name) ?? [];
    const sums = shown.flatMap(({ total }) => sumsOf(released, total));
    return shown.length > 0 && !sums.some((sum) => isCut(sum, BigInt(rows)));
  });
}

/** Whether the sum of a unit of so many rows may be cut. */
function isCut(sum: Plan["sums"][number], rows: bigint): boolean {
  if (sum.kind !== "sum") return false;
  const [low, high] = [BigInt(sum.grid.lo), BigInt(sum.grid.hi)];
  const [from, to] = [BigInt(sum.lo), BigInt(sum.hi)];
  return from > low || from > rows * low || to < high || to < rows * high;
}

/** Yields why an answer is not made of these releases: each must show the counts and sums of all its groups, with one noise, and groups that are the answer's once some keys are left out. */
export function* notMadeOf(asked: Plan, releases: readonly Release[]): Iterable<string> {
  const plans = releases.map(({ certificate }) => certificate.plan);
  if ([asked, ...plans].some(isSeveral))
    yield "an answer of several groupings, questions or bounds that are learned is made of releases";
  if (asked.outputs.some(({ kind }) => kind === "computed"))
    yield "a column is computed, which has no interval here";
  if (plans.some(({ post }) => post.having !== null || post.limit !== null || post.offset > 0))
    yield "a release leaves groups out";
  if (releases.some(({ certificate }) => certificate.target || certificate.pilot))
    yield "the noise of a release was set by what was released before";
  for (const released of plans) yield* notGroupsOf(asked, released);
  if (new Set(plans.map(noiseIn)).size > 1) yield "the releases have not all the same noise";
}

function isSeveral({ groupings, totals, learned, over, others }: Plan): boolean {
  return [groupings, totals, learned, over, others].some((part) => part !== undefined);
}

function noiseIn({ measurements, combined, keys }: Plan): string {
  return canonicalJson([measurements, combined ?? null, keys.program]);
}

function* notGroupsOf(asked: Plan, released: Plan): Iterable<string> {
  const [own, due] = [allGroups(released), allGroups(asked)];
  if (!own || !due) {
    yield "keys are data: what a release shows of them was chosen by its noise";
    return;
  }
  const places = placesIn(released, asked);
  const names = own.map((key) => canonicalJson(places.map((at) => key[at] ?? null)));
  const tally = new Map<string, number>();
  for (const name of names) tally.set(name, (tally.get(name) ?? 0) + 1);
  const isWhole =
    !places.includes(-1) &&
    tally.size === due.length &&
    due.every((key) => tally.get(canonicalJson(key)) === own.length / due.length);
  if (!isWhole) yield "the groups of a release are not those of the answer, divided by further keys";
  for (const { name } of asked.aggregates) {
    const shown = shownOf(released, asked, name);
    if (!shown) yield "a count or a sum of the answer is not shown by a release";
    else if (isByFewer(released, asked) && !shown.every(({ total }) => addsUp(released, total)))
      yield "what is added up over groups is no number of rows and no sum of values";
  }
}

/** Returns how many released groups add up to a row. */
export function groupsARow(asked: Plan, released: Plan): number {
  return (allGroups(released)?.length ?? 0) / Math.max(1, allGroups(asked)?.length ?? 0);
}

/** Returns what the first release shows of an aggregate, to whose places and noise all agree. */
export function firstShown(
  asked: Plan,
  releases: readonly Release[],
  name: string,
): readonly ShownTotal[] | null {
  return shownOf(elementAt(releases, 0).certificate.plan, asked, name);
}
