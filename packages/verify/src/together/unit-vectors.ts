import { elementAt } from "@lethe/core/numeric";
import type { Measurement, Plan, SumColumn } from "@lethe/query";
import { named } from "../derive/named.ts";
import { mayBeAbsent, nameOfCounted, type Range, rowsInGroup, valueRange } from "../derive/unit-range.ts";

/** One integer a measurement. */
export type UnitVector = readonly bigint[];

/** More corners than this no plan has. */
const mostCorners = 4096;

/**
 * Returns vectors of measurements whose convex hull holds everything that one unit can add to one group it is in. Of its m ≤ r rows there, some number
 * has each argument; for given numbers every sum lies between two ends that are linear in them, free of the others. So the corners are those of the
 * numbers, none, one or all of r, with every sum at one of its ends. Errors: RangeError for sums that are no function of rows, or too many of them.
 */
export function unitVectors(measurements: readonly Measurement[], plan: Plan): readonly UnitVector[] {
  const names = new Set(measurements.flatMap(({ terms }) => terms.map(({ sum }) => sum)));
  const sums = [...names].map((name) => named(plan.sums, name));
  if (!sums.every(({ kind }) => addsRows.has(kind)))
    throw new RangeError("noise together for what does not add up rows");
  const nullable = [...new Set(sums.filter(mayBeAbsent).map(nameOfCounted))];
  const rows = rowsInGroup(plan);
  const corners = [1n, rows].flatMap((all) =>
    product(nullable.map(() => [0n, 1n, rows].filter((some) => some <= all))).flatMap((present) => {
      const countOf = (sum: SumColumn): bigint =>
        mayBeAbsent(sum) ? elementAt(present, nullable.indexOf(nameOfCounted(sum))) : all;
      return product(sums.map((sum) => endsOf(valueRange(sum, countOf(sum), plan))));
    }),
  );
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

const addsRows: ReadonlySet<SumColumn["kind"]> = new Set(["count", "sum", "scaled-sum"]);

function endsOf({ low, high }: Range): readonly bigint[] {
  return low === high ? [low] : [low, high];
}

/** Returns every choice of one of each list. Errors: RangeError for too many. */
function product(lists: readonly (readonly bigint[])[]): readonly (readonly bigint[])[] {
  if (lists.reduce((size, list) => size * list.length, 1) > mostCorners)
    throw new RangeError("noise together for more sums than anybody would add up");
  return lists.reduce<readonly (readonly bigint[])[]>(
    (chosen, list) => chosen.flatMap((before) => list.map((value) => [...before, value])),
    [[]],
  );
}
