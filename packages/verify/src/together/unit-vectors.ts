import { elementAt } from "@lethe/core/numeric";
import type { Measurement, NamedSum, Plan, SumColumn } from "@lethe/query";
import { named } from "../derive/named.ts";
import {
  isBoundedByRows,
  mayBeAbsent,
  nameOfCounted,
  type Range,
  rowsInGroup,
  valueRange,
} from "../derive/unit-range.ts";
import { addingRows, areApart, type RowSet, textOf } from "./adding-rows.ts";

/** One integer a measurement. */
export type UnitVector = readonly bigint[];

/** More corners than this no plan has. */
const mostCorners = 4096;

/**
 * Returns vectors of measurements whose convex hull holds everything that one unit can add to one group it is in. Of its m ≤ r rows there, some number
 * has each argument, and it is one unit; for given numbers every sum lies between two ends that are linear in them, free of the others. So the corners are those of the
 * numbers, none, one or all of r, with every sum at one of its ends. Where each row adds by itself they are those of a row, alike for all. Errors: RangeError for sums that are no function of rows, or too many of them.
 */
export function unitVectors(measurements: readonly Measurement[], plan: Plan): readonly UnitVector[] {
  const names = new Set(measurements.flatMap(({ terms }) => terms.map(({ sum }) => sum)));
  const sums = [...names].map((name) => named(plan.sums, name));
  const byRows = isBoundedByRows(plan);
  if (!sums.every(({ kind }) => addsRows.has(kind) || (kind === "units" && !byRows)))
    throw new RangeError("noise together for what does not add up rows");
  if (byRows) return vectorsOf(rowCorners(sums, plan), sums, measurements);
  const nullable = [...new Set(sums.filter(mayBeAbsent).map(nameOfCounted))];
  const rows = rowsInGroup(plan);
  const corners = [1n, rows].flatMap((all) =>
    product(nullable.map(() => [0n, 1n, rows].filter((some) => some <= all))).flatMap((present) => {
      const countOf = (sum: SumColumn): bigint =>
        mayBeAbsent(sum) ? elementAt(present, nullable.indexOf(nameOfCounted(sum))) : all;
      return product(sums.map((sum) => endsOf(valueRange(sum, countOf(sum), plan))));
    }),
  );
  return vectorsOf(corners, sums, measurements);
}

/** Returns the measurements of values of sums. */
function vectorsOf(
  corners: readonly (readonly bigint[])[],
  sums: readonly NamedSum[],
  measurements: readonly Measurement[],
): readonly UnitVector[] {
  return corners.map((values) =>
    measurements.map(({ terms }) =>
      terms.reduce(
        (total, { sum, coefficient }) =>
          total +
          BigInt(coefficient) *
            elementAt(
              values,
              sums.findIndex(({ name }) => name === sum),
            ),
        0n,
      ),
    ),
  );
}

/**
 * Returns the corners of what a unit can add where that is the sum of what each of its rows adds: one row, or all that it may have, alike. A row adds to
 * some sums and not to others; to two sums whose arguments add nothing on the same row it does not.
 */
function rowCorners(sums: readonly NamedSum[], plan: Plan): readonly (readonly bigint[])[] {
  const switches = switchesOf(sums);
  const names = [...switches.keys()];
  let chosen: readonly (readonly string[])[] = [[]];
  for (const name of names) {
    const { rows } = switches.get(name)!;
    const fits = (on: readonly string[]): boolean =>
      on.every((other) => !areApart(rows, switches.get(other)!.rows));
    chosen = [...chosen, ...chosen.filter(fits).map((on) => [...on, name])];
    demandFew(chosen.length);
  }
  const ofRow = chosen.flatMap((on) => {
    const added = (sum: NamedSum): boolean => {
      const name = switchOf(sum);
      return name === null || !switches.has(name) || on.includes(name);
    };
    return product(sums.map((sum) => endsOf(added(sum) ? valueRange(sum, 1n, plan) : { low: 0n, high: 0n })));
  });
  demandFew(ofRow.length);
  const rows = rowsInGroup(plan);
  return [...new Set([1n, rows])].flatMap((count) =>
    ofRow.map((values) => values.map((value) => count * value)),
  );
}

/** What a row adds to a sum of an argument at all, or not. */
interface Switch {
  readonly rows: readonly RowSet[];
}

/** Returns what may be on or off for a row: the arguments that may be NULL and, where they are only summed up, those that may be 0. */
function switchesOf(sums: readonly NamedSum[]): ReadonlyMap<string, Switch> {
  const byName = new Map<string, NamedSum[]>();
  for (const sum of sums) {
    const name = switchOf(sum);
    if (name !== null) byName.set(name, [...(byName.get(name) ?? []), sum]);
  }
  return new Map(
    [...byName].flatMap(([name, all]): [string, Switch][] => {
      const [first] = all;
      if (!first || !("argument" in first) || first.argument === null) return [];
      const isSummed = all.every((sum) => sum.kind === "sum" && holdsZero(sum) && holdsZero(sum.grid));
      return isSummed || all.every(mayBeAbsent)
        ? [[name, { rows: addingRows(first.argument, isSummed) }]]
        : [];
    }),
  );
}

/** Returns the name of what a sum reads; null where every row counts, and for products. */
function switchOf(sum: NamedSum): string | null {
  if (!("argument" in sum) || sum.argument === null) return null;
  return sum.kind === "sum" && sum.factors ? JSON.stringify(sum.factors) : textOf(sum.argument);
}

function holdsZero({ lo, hi }: { readonly lo: string; readonly hi: string }): boolean {
  return BigInt(lo) <= 0n && BigInt(hi) >= 0n;
}

function demandFew(corners: number): void {
  if (corners > mostCorners) throw new RangeError("noise together for more sums than anybody would add up");
}

const addsRows: ReadonlySet<SumColumn["kind"]> = new Set(["count", "sum", "scaled-sum"]);

function endsOf({ low, high }: Range): readonly bigint[] {
  return low === high ? [low] : [low, high];
}

/** Returns every choice of one of each list. Errors: RangeError for too many. */
function product(lists: readonly (readonly bigint[])[]): readonly (readonly bigint[])[] {
  demandFew(lists.reduce((size, list) => size * list.length, 1));
  return lists.reduce<readonly (readonly bigint[])[]>(
    (chosen, list) => chosen.flatMap((before) => list.map((value) => [...before, value])),
    [[]],
  );
}
