import type { Plan } from "@lethe/query";
import { failed, passed, type Verdict } from "../checks/check.ts";
import type { Certificate } from "../format/release.ts";

/**
 * Checks that the time which an answer was given follows from its plan: a span for each statement. With a pilot there are two requests of as many statements. That the answer left at that time
 * no certificate can show.
 */
export function scheduleFollows({
  plan,
  schedule,
  pilot,
}: Pick<Certificate, "plan" | "schedule" | "pilot">): Verdict {
  if (schedule === undefined) return passed("the certificate states no release schedule");
  const due = statements(plan) * (pilot === undefined ? 1 : 2);
  return schedule.statements === due
    ? passed(`the answer was given ${schedule.each * due} ms, which follow from its plan`)
    : failed("the time that the answer was given does not follow from its plan");
}

/** The statements that a plan asks of the database: for each question its sums, and the cells of each tree; before these, where bounds are learned, the same of the stages. */
function statements(plan: Plan): number {
  const others = (plan.others ?? []).map((other) => other.plan);
  return [plan, ...others].reduce((sum, { trees = [], learned }) => {
    const ofStages = learned === undefined ? 0 : 1 + learned.stages.length;
    return sum + 1 + trees.length + ofStages;
  }, 0);
}
