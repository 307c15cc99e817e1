import {
  byName,
  children,
  combinedTotal,
  type Expression,
  familyOf,
  type Plan,
  type PlannedAggregate,
  policyOf,
  type ReadValue,
  type SumColumn,
  sumKindOf,
  writeSql,
} from "@lethe/query";

/**
 * Returns notes on how far the bounds can bias each answer, in public terms: what a value beyond the bounds, or a row or a group beyond the
 * limits, does to it. How many lie beyond is data. A function of the plan alone.
 */
export function biasNotes(plan: Plan): readonly string[] {
  return [...clampNotes(plan), ...statedNotes(plan), ...contributionNotes(plan)];
}

/** Yields a note for every column with bounds that an aggregate reads. */
function* clampNotes(plan: Plan): Iterable<string> {
  const answers = plan.aggregates.flatMap((aggregate) => argumentsOf(plan, aggregate));
  const columns = new Map<string, readonly [number, number]>();
  for (const { argument } of answers)
    for (const [name, bounds] of boundedColumns(plan, argument)) columns.set(name, bounds);
  for (const [name, [lo, hi]] of columns) {
    const told = new Set(
      answers.flatMap(({ aggregate, argument }) =>
        boundedColumns(plan, argument).some(([read]) => read === name)
          ? [
              writeSql(shownValue(argument)) === name
                ? familyOf(aggregate).biasNote(aggregate, name)
                : `expressions of it are computed from the clamped values`,
            ]
          : [],
      ),
    );
    yield `values of ${name} below ${lo} or above ${hi} count as the nearer bound: ${[...told].join("; ")}`;
  }
}

/** Yields a note for every argument that the question itself clamps, or that nothing else bounds. */
function* statedNotes(plan: Plan): Iterable<string> {
  const told = new Map<string, Set<string>>();
  for (const value of plan.aggregates.flatMap((one) => argumentsOf(plan, one))) {
    const { aggregate, argument, grid, factors } = value;
    // A product of factors is clamped nowhere: they are, to their own domains.
    if (grid === null || factors !== undefined || argument.domain.type !== "number") continue;
    const step = 2 ** grid.exponent;
    const [lo, hi] = [Number(grid.lo) * step, Number(grid.hi) * step];
    const [least, greatest] = argument.domain.bounds ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    // Bounds lie on the grid but for half a step.
    if (lo - step <= least && hi + step >= greatest) continue;
    const written = writeSql(argument);
    const origin = isLearned(plan, argument, [lo, hi]) ? "learned bounds" : "bounds of the question";
    const where = `values of ${written} below ${lo} or above ${hi} (${origin})`;
    told.set(where, (told.get(where) ?? new Set()).add(familyOf(aggregate).biasNote(aggregate, written)));
  }
  for (const [where, effects] of told) yield `${where} count as the nearer bound: ${[...effects].join("; ")}`;
}

/** Whether a stage of the plan found these bounds, which lie on the grid but for less than a step. */
function isLearned({ learned }: Plan, argument: Expression, [lo, hi]: readonly [number, number]): boolean {
  const written = JSON.stringify(argument);
  const near = (x: number, y: number): boolean => Math.abs(x - y) <= (hi - lo) * 2 ** -19;
  return (learned?.stages ?? []).some(
    ({ argument: found, bounds }) =>
      JSON.stringify(found) === written && near(bounds[0], lo) && near(bounds[1], hi),
  );
}

/** A value that an aggregate reads. */
interface Argument extends ReadValue {
  readonly aggregate: PlannedAggregate;
}

/** Returns the row expressions whose values an aggregate reads, without those that it only counts as present or absent. */
function argumentsOf(plan: Plan, aggregate: PlannedAggregate): readonly Argument[] {
  return valuesOf(plan, aggregate).map((value) => ({ aggregate, ...value }));
}

function valuesOf(plan: Plan, aggregate: PlannedAggregate): readonly ReadValue[] {
  const family = familyOf(aggregate);
  const reading = family.reading(aggregate);
  if (reading) {
    const { argument, grid } = byName(plan.trees ?? [], reading.tree);
    return [{ argument, grid }];
  }
  const summed = family.valuesIn(aggregate);
  // A count is of rows, whatever values it is read from beside others.
  if (summed === null || (family.isCount && combinedTotal(plan, summed))) return [];
  return sumsOf(plan, summed).flatMap((sum) => sumKindOf(sum).values(sum));
}

/** Returns the sums that a total is made of: of one that is read from several measurements, those of the first. */
function sumsOf(plan: Plan, total: string): readonly SumColumn[] {
  const first = combinedTotal(plan, total)?.terms[0]?.measurement;
  return byName(plan.measurements, first ?? total).terms.map((term) => byName(plan.sums, term.sum));
}

/** Columns whose values are cut to bounds, as they are written, wherever the expression reads more than whether they are there. */
function boundedColumns(
  plan: Plan,
  expression: Expression,
): readonly (readonly [string, readonly [number, number]])[] {
  if (expression.kind === "column") {
    const policy = policyOf(plan.from, expression);
    const isCut =
      (policy.type === "number" || (policy.type === "integer" && policy.categories === null)) &&
      policy.bounds;
    return isCut && isReached(isCut) ? [[writeSql(expression), isCut]] : [];
  }
  if (expression.kind === "call" && ["is-null", "is-not-null"].includes(expression.operator)) return [];
  return children(expression).flatMap((part) => boundedColumns(plan, part));
}

/** Whether values can lie beyond an upper bound. A count or a sum of a unit's own rows is bounded by 2^53, which nobody's rows reach. */
const isReached = ([, hi]: readonly [number, number]): boolean => hi < 2 ** 53;

/** Returns the value itself where the expression only leaves out rows: CASE WHEN y IS NOT NULL THEN x END. */
function shownValue(expression: Expression): Expression {
  if (expression.kind !== "case") return expression;
  const [only, ...others] = expression.branches;
  const { otherwise } = expression;
  const leavesOut = others.length === 0 && otherwise.kind === "literal" && otherwise.value === null;
  return leavesOut && only ? shownValue(only.then) : expression;
}

/** Yields notes on the rows and groups that a unit has beyond its contribution limits, measure by measure. */
function* contributionNotes(plan: Plan): Iterable<string> {
  const { contribution, keys, sums, trees = [] } = plan;
  if (!contribution.enforced) return;
  const { groups, rows, limit } = contribution;
  const before = limit === "rows-before-filter";
  const most = before ? groups * rows : rows;
  const where = before || keys.program.kind === "none" ? "" : " in a group";
  const told: string[] = [];
  if (countsRows(plan)) told.push("COUNT leaves out its other rows");
  for (const sum of sums) {
    const range = sumKindOf(sum).unitRange(sum);
    if (range === null) continue;
    const { argument, lo, hi, largest } = range;
    const name = `SUM(${writeSql(argument)})`;
    told.push(
      before
        ? `${name} leaves out their values, each at most ${largest} in size`
        : `${name} clamps the unit's own sum to the range ${lo} to ${hi}`,
    );
  }
  const weighed = new Set([
    ...sums
      .flatMap((sum) => (sumKindOf(sum).weighsRows ? sumKindOf(sum).values(sum) : []))
      .map(({ argument }) => writeSql(argument)),
    ...trees.map(({ argument }) => writeSql(argument)),
  ]);
  if (weighed.size > 0) {
    const names = [...weighed].join(", ");
    told.push(
      before
        ? `averages, spreads and quantiles of ${names} are those of the rows that are kept`
        : `averages, spreads and quantiles of ${names} give its rows a total weight of ${most}`,
    );
  }
  if (told.length > 0)
    yield `if a unit has more than ${most} ${most === 1 ? "row" : "rows"}${where}: ${told.join("; ")}`;
  const all = keys.program.kind === "public" ? keys.program.declared.length : Number.POSITIVE_INFINITY;
  if (!before && keys.program.kind !== "none" && all > groups)
    yield `if a unit is in more than ${groups} ${groups === 1 ? "group" : "groups"}, it counts in only ${groups} of them, chosen by lowest keyed hash`;
}

/** Whether an answer is a count of rows. An average needs such a count, too, but is no COUNT that anybody asked for. */
function countsRows(plan: Plan): boolean {
  return plan.aggregates.some((aggregate) => {
    const family = familyOf(aggregate);
    const total = family.isCount ? family.total(aggregate) : null;
    if (total === null) return false;
    if (combinedTotal(plan, total.measurement)) return true;
    const counted = sumsOf(plan, total.measurement);
    return counted.map(sumKindOf).some((each) => each.countsRows && !each.countsUnits);
  });
}
