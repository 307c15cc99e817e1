import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { SelectionRule, SelectionRuleName } from "../../events/event.ts";
import type { Mechanism } from "../mechanism.ts";
import { integer } from "../parameters.ts";
import { gaussianThreshold } from "./gaussian-threshold.ts";
import { laplaceThreshold } from "./laplace-threshold.ts";
import type { SelectionMechanism } from "./selection-mechanism.ts";
import { truncatedGeometric } from "./truncated-geometric.ts";

/** Every rule; a new one is a file and a line here. */
const rules: { readonly [R in SelectionRuleName]: SelectionMechanism<R> } = {
  "truncated-geometric": truncatedGeometric,
  "laplace-threshold": laplaceThreshold,
  "gaussian-threshold": gaussianThreshold,
};

function mechanismOf(rule: SelectionRule): SelectionMechanism<SelectionRuleName> {
  if (!Object.hasOwn(rules, rule.rule)) {
    throw invalidParameter("selection rule", rule.rule, `one of ${Object.keys(rules).join(", ")}`);
  }
  return rules[rule.rule] as unknown as SelectionMechanism<SelectionRuleName>;
}

/** The n that a rule reads is units − below. */
function below(rule: SelectionRule): bigint {
  return integer(rule.minUnits ?? "1", "minUnits", 1n) - 1n;
}

/**
 * Keeps or drops each group by its number of units, independently of all else. A group of fewer than minUnits units (so
 * one that is absent) is never kept. Proof of every rule: ./group-selection.proof.md
 */
export const groupSelection: Mechanism<"select-groups"> = {
  kind: "select-groups",
  losses(event) {
    below(event.rule);
    return mechanismOf(event.rule).losses(event.rule, integer(event.groups, "groups", 1n));
  },
};

/**
 * The draw itself: (units of a group, coins) → whether its key may leave. Coins are drawn for every group alike, those
 * below the floor included.
 * Errors: parameter.invalid, of the rule alone, when it is made; none when it draws.
 */
export function groupKeeper(rule: SelectionRule): (units: bigint, bits: BitSource) => boolean {
  const floor = below(rule);
  const keep = mechanismOf(rule).keeper(rule);
  return (units, bits) => {
    const reaches = units > floor;
    const kept = keep(reaches ? units - floor : 1n, bits);
    return reaches && kept;
  };
}

/**
 * The probability that a group of so many units is shown, to double precision. For explain; it says nothing of the data.
 * @example keepProbability({ rule: "truncated-geometric", epsilon: "1", delta: "1/8" }, 1n) // => 0.125
 */
export function keepProbability(rule: SelectionRule, units: bigint): number {
  const floor = below(rule);
  return units > floor ? mechanismOf(rule).probability(rule, units - floor) : 0;
}

/** The least number of units at which a group is shown with probability at least 1/2. */
export function halfwayUnits(rule: SelectionRule): bigint {
  return below(rule) + mechanismOf(rule).halfway(rule);
}
