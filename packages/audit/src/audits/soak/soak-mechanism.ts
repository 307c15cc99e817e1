import { brokenAt, estimate } from "../../estimate/estimate.ts";
import type { CoreSubject } from "../../subjects/core-subject.ts";
import { estimateAlarm } from "../false-alarms.ts";
import { saidBound } from "../said-bounds.ts";
import { innocentStep, loud } from "./innocent-step.ts";
import type { SoakRequest, SoakStep } from "./soak-request.ts";

/** Outputs drawn of each neighbour for each seed. */
const samples = 2_000;

/** Estimates of one mechanism. */
export function soakMechanism({ id, subject }: CoreSubject, request: SoakRequest): SoakStep {
  const falseAlarm = estimateAlarm(request);
  return innocentStep(
    "estimate",
    id,
    () => {
      const made = subject();
      return {
        claim: made.claim.text,
        how: `${samples.toLocaleString("en")} outputs of each neighbour`,
        judge(seed) {
          const found = estimate(made, { seed, samples, falseAlarm });
          const { event, epsilon, claimed } = found.worst;
          return {
            finding: found.broken ? `loses more than it claims: ${event}` : null,
            loudly: brokenAt(made, found, loud),
            measured: epsilon,
            allowed: claimed,
          };
        },
        shown: ({ measured, allowed }) => `at most ${saidBound({ epsilon: measured, claimed: allowed })}`,
      };
    },
    request,
  );
}
