import { familyOf } from "../aggregates/family-of.ts";
import { answerSetting } from "../plan/answer-setting.ts";
import { expectedRows } from "../plan/expected-error/expected-group-rows.ts";
import type { Plan, PlannedAggregate } from "../plan/plan.ts";
import type { Policy } from "../policy/policy.ts";
import { plural } from "../refusals/plural.ts";
import { hopelessKeys } from "./key-chances.ts";
import type { Warning } from "./warning.ts";

/**
 * Returns the reasons why an answer would say next to nothing, before it is paid: its groups are hardly ever released, or every
 * interval is as wide as what is known without asking, even for a group of all rows that the policy expects. A function of plan
 * and policy alone; empty where the policy expects no number of rows.
 */
export function uninformative(plan: Plan, policy: Policy, confidence: number): readonly Warning[] {
  const hopelessGroups = hopelessKeys(plan, policy);
  const emptyAnswers = saysNothing(plan, policy, confidence);
  return [hopelessGroups, emptyAnswers].filter((warning) => warning !== null);
}

function saysNothing(plan: Plan, policy: Policy, confidence: number): Warning | null {
  const rows = expectedRows(plan, policy);
  // Bounds that are yet to be learned give nothing to judge by.
  if (rows === null || plan.learned) return null;
  if (!plan.aggregates.every((aggregate) => isWhole(plan, aggregate, confidence, rows))) return null;
  return {
    message:
      `every interval would be as wide as the range of possible answers, even for a group of all ${plural(rows, "row")} ` +
      "that the policy expects",
    fix: "pay more epsilon: lethe explain shows the error to expect",
  };
}

/** Whether an interval around the middle reaches both ends of the values that a group of so many rows can give. */
function isWhole(plan: Plan, aggregate: PlannedAggregate, confidence: number, rows: number): boolean {
  const family = familyOf(aggregate);
  const setting = answerSetting(plan, confidence);
  const { halfWidth, widthAt, bounds } = family.widths(aggregate, setting);
  const term = family.largestTerm(aggregate, setting);
  if (term !== null) return halfWidth! >= rows * term;
  if (bounds === null || widthAt === null) return false;
  const width = widthAt(rows);
  return width !== null && width.typical >= ((bounds[1] - bounds[0]) / 2) * (1 - 1e-9);
}
