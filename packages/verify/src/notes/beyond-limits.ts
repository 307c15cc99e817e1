import { type Plan, type SumColumn, writeSql } from "@lethe/query";
import { summedBy, sumsOf } from "./values-read.ts";
import { counted, inGroup } from "./words.ts";

/** Yields notes on what the rows and groups of a unit beyond its limits take from the answers. */
export function* beyondLimits(plan: Plan): Iterable<string> {
  const { contribution, keys } = plan;
  if (!contribution.enforced) return;
  const isBefore = contribution.limit === "rows-before-filter";
  const rows = isBefore ? contribution.groups * contribution.rows : contribution.rows;
  const where = isBefore ? "" : inGroup(plan);
  const effects = [...effectsOf(plan, isBefore, rows)];
  if (effects.length > 0)
    yield `if a unit has more than ${counted(rows, "row")}${where}: ${effects.join("; ")}`;
  const mayBeInMore =
    keys.program.kind === "private" ||
    (keys.program.kind === "public" && keys.program.declared.length > contribution.groups);
  if (!isBefore && mayBeInMore)
    yield `if a unit is in more than ${counted(contribution.groups, "group")}, it counts in only ${contribution.groups} of them, chosen by lowest keyed hash`;
}

function* effectsOf(plan: Plan, isBefore: boolean, rows: number): Iterable<string> {
  const { aggregates, sums, trees } = plan;
  // The counts that averages are divided by are asked for by nobody.
  const asked = aggregates.flatMap((aggregate) => (aggregate.kind === "count" ? [aggregate.count] : []));
  const isOfRows = (total: string): boolean =>
    plan.combined?.some(({ name }) => name === total) === true ||
    sumsOf(total, plan).some(({ kind }) => kind === "count");
  if (asked.some(isOfRows)) yield "COUNT leaves out its other rows";
  for (const sum of sums) if (sum.kind === "sum") yield effectOnSum(sum, isBefore);
  const weighed = new Set(
    [...sums.filter(isWeighed).flatMap(summedBy), ...(trees ?? [])].map(({ argument }) => writeSql(argument)),
  );
  if (weighed.size === 0) return;
  const kept = isBefore ? "are those of the rows that are kept" : `give its rows a total weight of ${rows}`;
  yield `averages, spreads and quantiles of ${[...weighed].join(", ")} ${kept}`;
}

const isWeighed = ({ kind }: SumColumn): boolean =>
  kind === "scaled-sum" || kind === "scaled-squares" || kind === "scaled-cubes" || kind === "scaled-products";

function effectOnSum(
  { argument, grid, lo, hi }: Extract<SumColumn, { readonly kind: "sum" }>,
  isBefore: boolean,
): string {
  const name = `SUM(${writeSql(argument)})`;
  const step = 2 ** grid.exponent;
  if (isBefore) {
    const most = Math.max(Math.abs(Number(grid.lo)), Math.abs(Number(grid.hi))) * step;
    return `${name} leaves out their values, each at most ${most} in size`;
  }
  const [least, greatest] = [Number(lo) * step, Number(hi) * step];
  return `${name} clamps the unit's own sum to the range ${least} to ${greatest}`;
}
