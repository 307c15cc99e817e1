import { type Plan, type SumColumn, writeSql } from "@lethe/query";
import { summedBy } from "./values-read.ts";
import { counted, inGroup } from "./words.ts";

/** Yields notes on what the rows and groups of a unit beyond its limits take from the answers. */
export function* beyondLimits(plan: Plan): Iterable<string> {
  const { contribution, keys } = plan;
  if (!contribution.enforced) return;
  const isBefore = contribution.bound === "rows-before-filter";
  const rows = isBefore ? contribution.groups * contribution.rows : contribution.rows;
  const where = isBefore ? "" : inGroup(plan);
  const effects = [...effectsOf(plan, isBefore, rows)];
  if (effects.length > 0)
    yield `where a unit has more than ${counted(rows, "row")}${where}: ${effects.join("; ")}`;
  const mayBeInMore =
    keys.program.kind === "private" ||
    (keys.program.kind === "public" && keys.program.declared.length > contribution.groups);
  if (!isBefore && mayBeInMore)
    yield `where a unit is in more than ${counted(contribution.groups, "group")}: each further one, of greatest keyed hash, misses it and all its rows there`;
}

function* effectsOf(plan: Plan, isBefore: boolean, rows: number): Iterable<string> {
  const { sums, trees } = plan;
  if (sums.some(({ kind }) => kind === "count")) yield "a COUNT misses each further row";
  for (const sum of sums) if (sum.kind === "sum") yield effectOnSum(sum, isBefore, plan);
  const weighed = new Set(
    [...sums.filter(isWeighed).flatMap(summedBy), ...(trees ?? [])].map(({ argument }) => writeSql(argument)),
  );
  if (weighed.size === 0) return;
  const kept = isBefore ? "are of the rows that are kept" : `weigh a unit's rows as ${rows} in all`;
  yield `averages, spreads and quantiles of ${[...weighed].join(", ")} ${kept}`;
}

const isWeighed = ({ kind }: SumColumn): boolean =>
  kind === "scaled-sum" || kind === "scaled-squares" || kind === "scaled-products";

function effectOnSum(
  { argument, grid, lo, hi }: Extract<SumColumn, { readonly kind: "sum" }>,
  isBefore: boolean,
  plan: Plan,
): string {
  const name = `SUM(${writeSql(argument)})`;
  const step = 2 ** grid.exponent;
  if (isBefore) {
    const most = Math.max(Math.abs(Number(grid.lo)), Math.abs(Number(grid.hi))) * step;
    return `${name} misses each further row's value, at most ${most}`;
  }
  const [least, greatest] = [Number(lo) * step, Number(hi) * step];
  return `${name} takes ${least} to ${greatest} from a unit${inGroup(plan)} and misses what its own sum lies beyond`;
}
