import type { Measurement, Plan, PlannedTotals } from "@lethe/query";
import { named } from "./named.ts";
import { type Range, unitRange } from "./unit-range.ts";

/** The largest distance of the integer vector over groups between any two neighbouring data sets. */
export interface Distance {
  readonly l1: bigint;
  readonly l2Squared: bigint;
}

/**
 * Returns the sensitivity of a measurement, derived from the plan's unit, adjacency, contribution bounds, keys and sums. Shares
 * no code with the planner. Errors: RangeError when the plan contradicts itself.
 */
export function deriveSensitivity(measurement: Measurement, plan: Plan): Distance {
  const range = unitRange(measurement, plan);
  const ofRows = isRowBounded(plan) && addsRows(measurement, plan);
  const distance = (cost: (difference: bigint) => bigint): bigint =>
    farthestOf({ appear: cost(magnitude(range)), change: cost(range.high - range.low) }, ofRows, plan);
  return { l1: distance((x) => x), l2Squared: distance((x) => x * x) };
}

/** The largest cost of a unit's values in one group where it comes or goes, and where another takes its place. */
interface Costs {
  readonly appear: bigint;
  readonly change: bigint;
}

/** Returns the largest distance over all groups; `ofRows`: whether rows are all that is limited, so that the costs are those of all of them in one group. */
export function farthestOf(costs: Costs, ofRows: boolean, plan: Plan): bigint {
  return ofRows ? farthestOfRows(costs, plan) : farthest(costs, plan);
}

/**
 * Returns the sensitivity of a measurement over the totals of a coarser grouping, which hold all its groups. Each vector of a
 * unit is a sum of at most k values, or of its bounded rows, wherever they fall. Such vectors lie in the hull of 0 and of those
 * that have everything in one total, at the value's low end or at its high end. Errors: RangeError when the plan contradicts itself.
 */
export function deriveTotalSensitivity(
  measurement: Measurement,
  totals: PlannedTotals,
  plan: Plan,
): Distance {
  const { low, high } = unitRange(measurement, plan);
  const values = isRowBounded(plan) && addsRows(measurement, plan) ? 1n : groupsOfUnit(plan);
  const [up, down] = [high > 0n ? values * high : 0n, low < 0n ? -values * low : 0n];
  const most = up > down ? up : down;
  const distance = (cost: (difference: bigint) => bigint): bigint => {
    if (plan.adjacency === "add-or-remove-one") return cost(most);
    const inOne = cost(up + down);
    const apart = totals.declared?.length === 1 ? cost(most) : 2n * cost(most);
    return inOne > apart ? inOne : apart;
  };
  return { l1: distance((x) => x), l2Squared: distance((x) => x * x) };
}

/** Whether contributions are limited by the number of a unit's rows, wherever they lie. Errors: RangeError where nobody could. */
export function isRowBounded(plan: Plan): boolean {
  if (plan.unit.kind === "row" || plan.contribution.limit !== "rows-before-filter") return false;
  const rows = plan.from;
  if (
    rows.kind !== "table" ||
    rows.source !== null ||
    rows.unit.kind !== "column" ||
    rows.unit.path.length > 0
  )
    throw new RangeError("rows are bounded that no single table holds");
  return true;
}

/** Whether each of a unit's rows has its own part in a measurement; a unit's being in a group is no row's. */
function addsRows({ terms }: Measurement, plan: Plan): boolean {
  const kinds = new Set(terms.map(({ sum }) => /^units/.test(named(plan.sums, sum).kind)));
  if (kinds.size > 1) throw new RangeError("a measurement that adds rows and units");
  return kinds.has(false);
}

/**
 * Returns the largest distance of a sum over at most m rows a unit, in whatever groups. Such vectors lie in the hull of 0 and of those that have all
 * m rows in one group, and a distance is greatest between corners of hulls. The costs are those of one group with up to m rows.
 */
function farthestOfRows({ appear: one, change: both }: Costs, plan: Plan): bigint {
  const all = groupsInAll(plan);
  if (groupsOfUnit(plan) === 0n) return 0n;
  if (plan.adjacency === "add-or-remove-one") return one;
  if (everyUnitAnswers(plan)) return both;
  const apart = all === 1n ? one : 2n * one;
  return apart > both ? apart : both;
}

/**
 * Returns the number of groups that one unit can be in: one where there is no GROUP BY or a unit is a row; else the enforced limit, of groups or of
 * rows.
 */
export function groupsOfUnit(plan: Plan): bigint {
  const all = groupsInAll(plan);
  let own = plan.unit.kind === "row" ? 1n : BigInt(plan.contribution.groups);
  if (isRowBounded(plan)) own *= BigInt(plan.contribution.rows);
  if (plan.unit.kind === "column" && !plan.contribution.enforced) {
    throw new RangeError("a unit with many rows whose contribution nothing bounds");
  }
  if (all !== null && all < own) own = all;
  return own;
}

/** Returns the number of groups whose number of units may change by one: a private selection of keys must be charged for that many. */
export function groupsTouched(plan: Plan): bigint {
  return groupsOfUnit(plan) * (plan.adjacency === "replace-one" ? 2n : 1n);
}

/** Returns the number of groups that are answered, where it is public. */
function groupsInAll({ keys }: Plan): bigint | null {
  if (keys.program.kind === "none") return 1n;
  return keys.program.kind === "public" ? BigInt(keys.program.declared.length) : null;
}

function farthest({ appear, change }: Costs, plan: Plan): bigint {
  const k = groupsOfUnit(plan);
  if (plan.adjacency === "add-or-remove-one") return k * appear;
  if (everyUnitAnswers(plan)) return change;

  // One unit leaves and another comes. Let them share j groups, where the answer changes by at most `change`; each
  // has at most k − j groups for itself, where it changes by at most `appear`, and there is room for all − j of them.
  const all = groupsInAll(plan);
  const apart = (j: bigint): bigint => {
    const free = 2n * (k - j);
    const room = all === null ? free : all - j;
    return (free < room ? free : room) * appear + j * change;
  };
  // apart is concave in j: find the first j from which it does not grow.
  let [low, high] = [0n, k];
  while (low < high) {
    const j = (low + high) / 2n;
    if (apart(j + 1n) > apart(j)) low = j + 1n;
    else high = j;
  }
  return apart(low);
}

function magnitude({ low, high }: Range): bigint {
  const [a, b] = [low < 0n ? -low : low, high < 0n ? -high : high];
  return a > b ? a : b;
}

/**
 * Whether every unit is in the one group: without keys and filter, every unit of the one private table is; that its argument may be NULL is part of
 * its range. That there is one such table is what the plan says: checks/presence.ts asks the policy.
 */
function everyUnitAnswers(plan: Plan): boolean {
  const { keys, where, unit } = plan;
  return keys.program.kind === "none" && where === null && plan.from.kind === "table" && unit.shared !== true;
}
