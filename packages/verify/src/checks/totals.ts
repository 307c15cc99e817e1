import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import { type GroupsWithin, groupsWithin } from "../derive/groups-within.ts";
import { named, placeOf } from "../derive/named.ts";
import { rowSource } from "../derive/row-source.ts";
import { isEstimate, type Release } from "../format/release.ts";

/**
 * Checks that totals of counts and sums are the sums of the groups that are released with them. This can be checked only where all rows are there in
 * their own order, those of the grouping by all keys among them.
 */
export function* totalsAmiss(release: Release): Iterable<string> {
  const { rows, certificate } = release;
  const { plan } = certificate;
  const { groupings = [], keys, outputs, post } = plan;
  if (plan.totals) yield* measuredTotalsAmiss(release);
  const finest = groupings.findIndex((set) => set.length === keys.parts.length);
  const isWhole =
    post.having === null && post.limit === null && post.offset === 0 && post.orderBy.length === 0;
  if (keys.program.kind !== "public" || finest < 0 || !isWhole) return;
  const { declared } = keys.program;
  const places = groupings.map((set) => {
    const kept = set.map((key) => placeOf(keys.parts, key));
    const names = declared.map((key) => canonicalJson(kept.map((at) => key[at] ?? null)));
    const distinct = [...new Set(names)];
    return { size: distinct.length, of: names.map((name) => distinct.indexOf(name)) };
  });
  const starts = places.map((_, at) => places.slice(0, at).reduce((sum, { size }) => sum + size, 0));
  for (const [column, output] of outputs.entries()) {
    const kind = output.kind === "aggregate" ? named(plan.aggregates, output.aggregate).kind : null;
    if (kind !== "count" && kind !== "sum") continue;
    const values = rows.map((row) => {
      const cell = row[column];
      return cell !== undefined && isEstimate(cell) ? (cell.value ?? Number.NaN) : Number.NaN;
    });
    for (const [at, { size, of }] of places.entries()) {
      const totals = new Array<number>(size).fill(0);
      const sizes = new Array<number>(size).fill(0);
      for (const [group, place] of of.entries()) {
        const value = elementAt(
          values,
          elementAt(starts, finest) + elementAt(elementAt(places, finest).of, group),
        );
        totals[place] = elementAt(totals, place) + value;
        sizes[place] = elementAt(sizes, place) + Math.abs(value);
      }
      const agree = totals.every(
        (total, place) =>
          Math.abs(total - elementAt(values, elementAt(starts, at) + place)) <=
          2 ** -40 * elementAt(sizes, place),
      );
      if (!agree) yield `the totals of ${output.name} are not the sums of its groups`;
    }
  }
}

/**
 * Checks that a total that is measured beside its groups is the sum of the released groups and of the stated remainder; where it is made of listed
 * groups, the sum of those. This can be checked where no row is cut off and the rows of one total can be told by their keys.
 */
function* measuredTotalsAmiss(release: Release): Iterable<string> {
  const { rows, groupings: marks = [], certificate } = release;
  const { plan } = certificate;
  const value = (row: number, column: number): number => {
    const cell = rows[row]?.[column];
    return cell !== undefined && isEstimate(cell) ? (cell.value ?? Number.NaN) : Number.NaN;
  };
  const columns = plan.outputs.flatMap((output, column) => {
    const kind = output.kind === "aggregate" ? named(plan.aggregates, output.aggregate).kind : null;
    return kind === "count" || kind === "sum" ? [{ name: output.name, column }] : [];
  });
  const amiss = new Set<string>();
  const within = groupsWithin(release);
  for (const [at, mark] of marks.entries()) {
    const parts = mark.over === null ? partsOf(at, release, within) : leftBeside(at, mark.over, within);
    if (parts === null) continue;
    const { total, of } = parts;
    for (const { name, column } of columns) {
      const sum = of.reduce((before, part) => before + value(part, column), 0);
      const size = of.reduce((before, part) => before + Math.abs(value(part, column)), 0);
      if (!(Math.abs(value(total, column) - sum) <= 2 ** -40 * size)) amiss.add(name);
    }
  }
  for (const name of amiss)
    yield `the totals of ${name} are not the sums of their groups and of what is left`;
}

/** The place that stands for no row. */
const missing = -1;

interface Parts {
  readonly total: number;
  readonly of: readonly number[];
}

/** Returns the total of a remainder, and its parts: the remainder's row and the released groups. */
function leftBeside(row: number, over: number, within: GroupsWithin): Parts | null {
  const beside = within(row);
  if (beside === null) return null;
  const totals = within(row, over) ?? [];
  return { total: totals.length === 1 ? elementAt(totals, 0) : missing, of: [row, ...beside] };
}

/** Returns a total over listed groups that are asked too, and those groups. */
function partsOf(row: number, release: Release, within: GroupsWithin): Parts | null {
  const { groupings: marks = [], certificate } = release;
  const { plan } = certificate;
  const { groupings = [] } = plan;
  const source = rowSource(elementAt(groupings, elementAt(marks, row).grouping), plan);
  if (source.level === 0 || source.draws === 1) return null;
  const whole = groupings.findIndex(
    (set) => canonicalJson(set) === canonicalJson(elementAt(plan.totals ?? [], source.level - 1).keys),
  );
  const of = whole < 0 ? null : within(row, whole);
  return of && { total: row, of };
}
