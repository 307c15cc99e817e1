import { estimate } from "../../estimate/estimate.ts";
import { seedOfRound } from "../../estimate/estimate-in-rounds.ts";
import type { KnownBad } from "../../known-bad/known-bad.ts";
import { controlRounds } from "../control-rounds.ts";
import { estimateAlarm } from "../false-alarms.ts";
import { saidBound } from "../said-bounds.ts";
import { controlStep } from "./control-step.ts";
import type { SoakRequest, SoakStep } from "./soak-request.ts";

/** Estimates of one control. */
export function soakControl({ id, subject }: KnownBad, request: SoakRequest): SoakStep {
  const { rounds, samples } = controlRounds;
  const falseAlarm = estimateAlarm(request) / rounds;
  return controlStep(
    "estimate",
    id,
    () => {
      const made = subject();
      return {
        claim: made.claim.text,
        rounds,
        how: `${samples.toLocaleString("en")} outputs of each neighbour`,
        said: saidBound,
        judge(seed) {
          const { broken, worst } = estimate(made, { seed: seedOfRound(seed, 1), samples, falseAlarm });
          return { broken, epsilon: worst.epsilon, claimed: worst.claimed, finding: worst.event };
        },
      };
    },
    request,
  );
}
