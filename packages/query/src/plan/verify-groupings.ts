import type { AllocatedQuestion } from "./passes/allocate-loss.ts";

/** Columns whose value for several groups together is the sum of what they are for each. */
const addsUp: ReadonlySet<string> = new Set([
  "count",
  "sum",
  "scaled-sum",
  "scaled-squares",
  "scaled-products",
]);

/** Totals are made of released groups alone: all keys are public, and all that is measured adds up over groups. */
export function verifyGroupings(
  { question, keys, sums, measurements, trees, unit }: AllocatedQuestion,
  demand: (holds: boolean, broken: string) => void,
): void {
  const { groupings, groupBy } = question;
  if (!groupings) return;
  demand(keys.kind !== "private", "totals over groups that may be missing");
  demand(
    groupings.every((set) =>
      set.every((key, at) => key < groupBy.length && (at === 0 || key > set[at - 1]!)),
    ),
    "a grouping by what is no key",
  );
  const measured = new Set(measurements.flatMap(({ terms }) => terms.map(({ column }) => sums[column]!)));
  const isTotalled = groupings.some((set) => set.length < groupBy.length);
  demand(
    !isTotalled ||
      (trees.length === 0 &&
        [...measured].every(({ kind }) => addsUp.has(kind) || (kind === "units" && unit.kind === "row"))),
    "totals of what does not add up",
  );
}
