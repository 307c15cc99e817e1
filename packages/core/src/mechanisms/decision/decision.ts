import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Event } from "../../events/event.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import { multiply, type Rational, ratio, zero } from "../../numeric/rational.ts";
import { exponential } from "../exponential/exponential.ts";
import { permuteAndFlip } from "../permute-and-flip/permute-and-flip.ts";
import { firstLargest } from "../report-noisy-max/report-noisy-max.ts";
import { rateFor } from "../scores/scores.ts";

/** A decision about a population: which of the actions has the largest expected utility. */
export interface Decision {
  readonly actions: number;
  readonly outcomes: number;
  /**
   * The most by which one unit moves a difference of two actions' total utilities, derived from the table and the adjacency,
   * in the table's own units.
   */
  readonly range: Rational;
  readonly event: Event;
  readonly epsilon: Rational;
  /**
   * The chosen action, given how many units have each outcome. Errors: parameter.invalid unless there is a count ≥ 0 for
   * every outcome.
   */
  choose(counts: readonly bigint[], bits: BitSource): number;
}

export interface DecisionRequest {
  /** utilities[action][outcome]: what the action is worth for a unit of this outcome. */
  readonly utilities: readonly (readonly Rational[])[];
  readonly adjacency: Adjacency;
  readonly epsilon: Rational;
  /** Permute-and-flip unless stated: never worse in expectation; the exponential mechanism composes better. */
  readonly by?: "permute-and-flip" | "exponential";
}

/**
 * Chooses an action by expected utility at a price of ε. An action's score is Σ_outcome count·utility, so n times its
 * expected utility under the data. How far a unit moves scores follows from the table and is never an argument: with
 * add-or-remove-one it is the largest spread of a column, max_o (max_a u − min_a u); with replace-one the largest
 * max_o d − min_o d of a difference d of two rows. Where that is 0 no choice depends on a unit, and it costs nothing.
 * Proof: ./decision.proof.md
 *
 * Source: D (the exponential mechanism, Δu and u(x, a)); McSherry & Talwar 2007
 * Direction: exact
 *
 * Errors: parameter.invalid for an empty or ragged table, ε ≤ 0, an unknown adjacency or mechanism.
 * @example decisionFor({ utilities, adjacency: "add-or-remove-one", epsilon: ratio(1n) }).choose([812n, 188n], bits)
 */
export function decisionFor({
  utilities,
  adjacency,
  epsilon,
  by = "permute-and-flip",
}: DecisionRequest): Decision {
  const outcomes = utilities[0]?.length ?? 0;
  if (!(outcomes >= 1 && utilities.every((row) => row.length === outcomes))) {
    throw invalidParameter(
      "utilities",
      "others",
      "a table of at least one action and one outcome, all rows as long",
    );
  }
  if (by !== "permute-and-flip" && by !== "exponential") {
    throw invalidParameter("by", by, '"permute-and-flip" or "exponential"');
  }
  const unit = leastCommonMultiple(utilities.flatMap((row) => row.map(({ den }) => den)));
  const table = utilities.map((row) => row.map(({ num, den }) => num * (unit / den)));
  const range = rangeOf(table, adjacency);
  const rate = rateFor(epsilon, range === 0n ? 1n : range);
  const selection =
    range === 0n ? null : (by === "exponential" ? exponential : permuteAndFlip)({ rate, range });
  return {
    actions: table.length,
    outcomes,
    range: ratio(range, unit),
    event: selection === null ? { kind: "constant", version: 1 } : named(selection),
    epsilon: selection?.epsilon ?? zero,
    choose(counts, bits) {
      if (
        !(counts.length === outcomes && counts.every((count) => typeof count === "bigint" && count >= 0n))
      ) {
        throw invalidParameter("counts", "others", "one bigint ≥ 0 for every outcome");
      }
      const scores = table.map((row) =>
        row.reduce((total, utility, at) => total + utility * elementAt(counts, at), 0n),
      );
      return selection === null ? firstLargest(scores) : selection.choose(scores, bits);
    },
  };
}

function named({ event }: ReturnType<typeof exponential> | ReturnType<typeof permuteAndFlip>): Event {
  return { ...event, of: "decision" };
}

/** max over neighbours of (max_a − min_a) of what a unit adds to the scores. */
function rangeOf(table: readonly (readonly bigint[])[], adjacency: Adjacency): bigint {
  const outcomes = [...elementAt(table, 0).keys()];
  if (adjacency === "add-or-remove-one") {
    return largest(outcomes.map((at) => spread(table.map((row) => elementAt(row, at)))));
  }
  if (adjacency !== "replace-one") {
    throw invalidParameter("adjacency", adjacency, "add-or-remove-one or replace-one");
  }
  return largest(
    table.flatMap((row, a) =>
      table
        .slice(0, a)
        .map((other) => spread(outcomes.map((at) => elementAt(row, at) - elementAt(other, at)))),
    ),
  );
}

function largest(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a > b ? a : b), 0n);
}

function spread(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a > b ? a : b)) - values.reduce((a, b) => (a < b ? a : b));
}

function leastCommonMultiple(values: readonly bigint[]): bigint {
  return values.reduce((multiple, value) => multiple * multiply(ratio(value), ratio(1n, multiple)).num, 1n);
}
