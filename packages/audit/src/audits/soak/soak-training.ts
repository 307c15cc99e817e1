import { isRefutedInOneRun } from "../../estimate/one-run.ts";
import type { Training } from "../../trainings/training.ts";
import { runsOf } from "../false-alarms.ts";
import { judgeTraining, manyCanaries } from "../one-run-audit.ts";
import { saidShare } from "../said-bounds.ts";
import { controlStep } from "./control-step.ts";
import { innocentStep, loud } from "./innocent-step.ts";
import type { SoakRequest, SoakStep } from "./soak-request.ts";

/** One training, right or wrong, a run a seed. */
export function soakTraining(training: Training, request: SoakRequest): SoakStep {
  const { id, describes, source } = training;
  const how = manyCanaries(training);
  const make = () => {
    const claim = training.claim();
    return { claim, judge: (seed: number) => judgeTraining(training, claim, { ...request, seed }) };
  };
  if (source !== null) {
    const wrong = () => {
      const { claim, judge } = make();
      return {
        claim: claim.text,
        rounds: runsOf(training),
        how,
        said: saidShare,
        judge(seed: number) {
          const { run, epsilon, claimed } = judge(seed);
          return { broken: run.broken, epsilon, claimed, finding: describes };
        },
      };
    };
    return controlStep("one-run", id, wrong, request);
  }
  const right = () => {
    const { claim, judge } = make();
    return {
      claim: claim.text,
      how,
      judge(seed: number) {
        const { run, epsilon, claimed } = judge(seed);
        return {
          finding: run.broken ? `loses more than it claims: ${describes}` : null,
          loudly: isRefutedInOneRun(run, claim, loud),
          measured: epsilon,
          allowed: claimed,
        };
      },
      shown: ({ measured, allowed }: { readonly measured: number; readonly allowed: number }) =>
        `at most ${saidShare({ epsilon: measured, claimed: allowed })}`,
    };
  };
  return innocentStep("one-run", id, right, request);
}
