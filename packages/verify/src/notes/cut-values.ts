import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import { type ColumnPolicy, type Expression, type Plan, writeSql } from "@lethe/query";
import type { ColumnLeaf } from "../derive/leaves.ts";
import { made, tables } from "../derive/rows-of-units.ts";
import { type Kind, valuesRead } from "./values-read.ts";

type Ends = readonly [lo: number, hi: number];

/** Yields notes on what bounds take from the answers: first those that the policy declares for a column, then those of a whole argument. */
export function* cutValues(plan: Plan): Iterable<string> {
  yield* cutColumns(plan);
  yield* cutArguments(plan);
}

function* cutColumns(plan: Plan): Iterable<string> {
  const read = [...valuesRead(plan)].map((value) => ({ ...value, cut: columnsCut(value.argument, plan) }));
  const columns = new Map(read.flatMap(({ cut }) => [...cut]));
  for (const [name, [lo, hi]] of columns) {
    const effects = read
      .filter(({ cut }) => cut.has(name))
      .map(({ kind, argument, isDistinct }) =>
        writeSql(unfiltered(argument)) === name
          ? effect(kind, name, isDistinct)
          : "expressions of it are computed from the clamped values",
      );
    yield sentence(`values of ${name} below ${lo} or above ${hi}`, effects);
  }
}

function* cutArguments(plan: Plan): Iterable<string> {
  const cut = new Map<string, string[]>();
  for (const { kind, argument, grid, isProduct, isDistinct } of valuesRead(plan)) {
    if (grid === null || isProduct || argument.domain.type !== "number") continue;
    const step = 2 ** grid.exponent;
    const ends: Ends = [Number(grid.lo) * step, Number(grid.hi) * step];
    if (argument.domain.bounds && isWithin(argument.domain.bounds, ends, step)) continue;
    const name = writeSql(argument);
    const origin = isLearned(argument, ends, plan) ? "learned bounds" : "bounds of the question";
    const subject = `values of ${name} below ${ends[0]} or above ${ends[1]} (${origin})`;
    cut.set(subject, [...(cut.get(subject) ?? []), effect(kind, name, isDistinct)]);
  }
  for (const [subject, effects] of cut) yield sentence(subject, effects);
}

/** Returns a note that says each effect once. */
function sentence(subject: string, effects: readonly string[]): string {
  return `${subject} count as the nearer bound: ${[...new Set(effects)].join("; ")}`;
}

/** Whether one range lies within the other; bounds are rounded to the grid. */
function isWithin([least, greatest]: Ends, [lo, hi]: Ends, step: number): boolean {
  return lo <= least + step && hi >= greatest - step;
}

function isLearned(argument: Expression, [lo, hi]: Ends, { learned }: Plan): boolean {
  const room = (hi - lo) * 2 ** -19;
  return (learned?.stages ?? []).some(
    (stage) =>
      canonicalJson(stage.argument) === canonicalJson(argument) &&
      Math.abs(stage.bounds[0] - lo) <= room &&
      Math.abs(stage.bounds[1] - hi) <= room,
  );
}

function effect(kind: Kind, name: string, isDistinct = false): string {
  return isDistinct
    ? `${kind.toUpperCase()}(DISTINCT ${name}) has them once, as that bound`
    : effectOn[kind](name);
}

const effectOn: Readonly<Record<Kind, (name: string) => string>> = {
  count: (name) => `COUNT(DISTINCT ${name}) counts them as that bound`,
  sum: (name) => `SUM(${name}) is off by the sum of what lies beyond the bounds`,
  avg: (name) => `AVG(${name}) is off by the average, over all its rows, of what lies beyond the bounds`,
  variance: (name) => `the variance of ${name} can only become too small`,
  stddev: (name) => `the standard deviation of ${name} can only become too small`,
  skewness: (name) => `the skewness of ${name} is that of the values so cut`,
  covariance: (name) => `a covariance with ${name} is that of the clamped values`,
  quantile: (name) => `a quantile of ${name} is off only if it lies beyond the bounds itself`,
};

/** Returns the columns whose values are clamped to bounds, by name, where more is read of them than whether they are there. */
function columnsCut(argument: Expression, plan: Plan): ReadonlyMap<string, Ends> {
  const rows = plan.from;
  const sources = [...tables(rows), ...made(rows)];
  const cut = new Map<string, Ends>();
  for (const leaf of columnsIn(argument)) {
    const from = sources.find(({ source }) => source === (leaf.source ?? null));
    const column = from && Object.hasOwn(from.columns, leaf.name) ? from.columns[leaf.name] : undefined;
    const ends = column ? endsOf(column) : null;
    if (ends) cut.set(writeSql(leaf), ends);
  }
  return cut;
}

/** Yields the columns that an expression reads, except those that it only asks to be there. */
function* columnsIn(expression: Expression): Iterable<ColumnLeaf> {
  if (expression.kind === "column") yield expression;
  if (expression.kind === "call" && !["is-null", "is-not-null"].includes(expression.operator))
    for (const argument of expression.args) yield* columnsIn(argument);
  if (expression.kind !== "case") return;
  for (const branch of expression.branches) {
    yield* columnsIn(branch.when);
    yield* columnsIn(branch.then);
  }
  yield* columnsIn(expression.otherwise);
}

/** Returns the bounds of a column; null where there are none. A count or a sum of a unit's own rows goes up to 2^53, which nobody's rows reach. */
function endsOf(column: ColumnPolicy): Ends | null {
  if (column.type === "integer" && column.categories !== null) return null;
  if (column.type !== "integer" && column.type !== "number") return null;
  return column.bounds && column.bounds[1] < 2 ** 53 ? column.bounds : null;
}

/** Returns the value of an argument where its FILTER holds; the FILTER makes the argument NULL elsewhere. */
function unfiltered(argument: Expression): Expression {
  const parts = filterOf(argument);
  return parts ? unfiltered(parts.value) : argument;
}

/** Returns the parts of CASE WHEN condition THEN value END; null for any other expression. */
export function filterOf(
  argument: Expression,
): { readonly value: Expression; readonly condition: Expression } | null {
  if (argument.kind !== "case" || argument.branches.length !== 1) return null;
  const { branches, otherwise } = argument;
  if (otherwise.kind !== "literal" || otherwise.value !== null) return null;
  return { value: elementAt(branches, 0).then, condition: elementAt(branches, 0).when };
}
