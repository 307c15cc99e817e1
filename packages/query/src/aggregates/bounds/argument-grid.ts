import type { NumberDomain } from "../../expressions/domain.ts";
import { children, type Expression } from "../../expressions/expression.ts";
import { maxExact } from "../../expressions/operators/interval.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { type Grid, gridFor } from "../../grid/grid.ts";
import { refuse } from "../../refusals/refuse.ts";
import { distinctWord } from "../distinct/distinct-words.ts";
import type { AggregateBounds, AskedBounds } from "./aggregate-bounds.ts";

/** What a call has beside its argument, so that a rewrite has it, too. */
export interface Written {
  /** Whether DISTINCT stands before the argument. */
  readonly distinct?: true | undefined;
  /** The arguments behind the first, each after its comma. */
  readonly further?: string;
}

/** Returns a call up to its arguments' end. */
export function openedCall(name: string, argument: Expression, { distinct, further = "" }: Written): string {
  return `${name}(${distinctWord(distinct)}${writeSql(argument)}${further}`;
}

/**
 * Returns the grid on which the rows of an aggregate's argument are clamped: the argument's domain, cut by the bounds that the
 * question states for each row. Where it states bounds for each group alone, a row is clamped to ±the larger of them, which no
 * clamped sum of one row exceeds.
 * Errors: query.type for an argument that is not a number; query.missing-bounds, with the rewrite.
 */
export function argumentGrid(
  name: string,
  argument: Expression,
  asked: AskedBounds | null,
  written: Written = {},
): Grid {
  // A question may ask for learned bounds where there is nothing to learn: then the domain of the argument bounds it.
  const stated = asked?.per === "auto" ? null : asked;
  const { domain } = argument;
  if (domain.type !== "number") {
    refuse(
      "query.type",
      `${name} needs a number, and ${writeSql(argument)} is ${domain.type}`,
      `write ${name}(CAST(… AS double precision))`,
    );
  }
  if (
    stated !== null &&
    !(Number.isFinite(stated.lo) && Number.isFinite(stated.hi) && stated.lo <= stated.hi)
  ) {
    refuse(
      "query.option",
      `the bounds of ${name} must be two finite numbers, the lower first`,
      `write ${rewrite(name, argument, written)}`,
    );
  }
  const bounds = rowBounds(hasNoMore(argument) ? { ...domain, bounds: null } : domain, stated);
  if (bounds === null) {
    refuse(
      "query.missing-bounds",
      `${openedCall(name, argument, written)}) needs bounds, and ${writeSql(argument)} has none`,
      missingBoundsFix(name, argument, written),
    );
  }
  return gridFor(bounds, domain.integer && bounds.every(Number.isInteger));
}

/**
 * The widest bounds that count as stated. Counts and sums within a unit get bounds by themselves; bounds further apart than this
 * were stated by nobody.
 */
const widest = 2 ** 31;

/** Whether an argument has only the bounds of all integers, as a unit's counts and sums have. */
function hasNoMore(argument: Expression): boolean {
  const { domain } = argument;
  if (domain.type !== "number" || domain.bounds === null) return false;
  return domain.bounds[1] - domain.bounds[0] > widest && readsLimit(argument);
}

/** Whether nobody stated a bound of a number. */
export function isUnlimited(argument: Expression): boolean {
  return argument.domain.type === "number" && (argument.domain.bounds === null || hasNoMore(argument));
}

function readsLimit(expression: Expression): boolean {
  const { domain } = expression;
  if (expression.kind !== "column") return children(expression).some(readsLimit);
  if (domain.type !== "number" || !domain.integer || domain.bounds === null) return false;
  return Math.max(-domain.bounds[0], domain.bounds[1]) === maxExact;
}

function rowBounds(domain: NumberDomain, stated: AggregateBounds | null): readonly [number, number] | null {
  if (stated?.per !== "row") {
    if (domain.bounds !== null || stated === null) return domain.bounds;
    const largest = Math.max(Math.abs(stated.lo), Math.abs(stated.hi));
    return [-largest, largest];
  }
  if (domain.bounds === null) return [stated.lo, stated.hi];
  const clamp = (x: number): number => Math.min(stated.hi, Math.max(stated.lo, x));
  return [clamp(domain.bounds[0]), clamp(domain.bounds[1])];
}

function rewrite(name: string, argument: Expression, written: Written): string {
  return `${openedCall(name, argument, written)}, contribution_bounds_per_row => (lo, hi))`;
}

function missingBoundsFix(name: string, argument: Expression, written: Written): string {
  return `write ${rewrite(name, argument, written)}${whereElse(argument)}`;
}

/** Names another place where a column could be given bounds. */
function whereElse(argument: Expression): string {
  if (argument.kind !== "column" || argument.domain.type !== "number" || argument.domain.bounds !== null)
    return "";
  return argument.source === undefined
    ? `, or in the policy ${argument.name}: { bounds: [lo, hi] }`
    : `, or bound ${writeSql(argument)} where it comes from`;
}
