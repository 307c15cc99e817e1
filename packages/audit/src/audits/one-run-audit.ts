import { toDouble } from "@lethe/core";
import { closeness } from "../estimate/estimate.ts";
import { auditOneRun, type OneRun } from "../estimate/one-run.ts";
import { trainings } from "../trainings/registry.ts";
import type { Training } from "../trainings/training.ts";
import type { Audit, AuditRequest } from "./audit.ts";
import type { AuditRow } from "./audit-row.ts";
import { spareAlarm } from "./false-alarms.ts";

/** Training, by canaries of which each is in or out by a fair coin, in a single run. */
export const oneRunAudit: Audit = {
  id: "one-run",
  title: "training with canaries, each in or out by a coin and guessed after a single run",
  steps: (request) =>
    trainings.map((training) => ({ subject: training.id, make: () => rowOf(training, request) })),
};

function rowOf(training: Training, request: AuditRequest): AuditRow {
  const claim = training.claim();
  const falseAlarm = spareAlarm(request) / trainings.length;
  const { canaries, guesses, correct, bounds, broken } = auditOneRun({
    ...training,
    claim,
    train: (included, bits) => training.train(included, bits),
    seed: request.seed,
    falseAlarm,
  });
  const { point, epsilon } = bounds
    .filter(({ point }) => point.epsilon.num > 0n || bounds.length === 1)
    .reduce((a, b) => (saysOf(b) > saysOf(a) ? b : a));
  const claimed = toDouble(point.epsilon, "up");
  return {
    audit: "one-run",
    subject: training.id,
    of: training.source === null ? "lethe" : "control",
    finding: broken.length === 0 ? null : `loses more than it claims: ${training.describes}`,
    claim: claim.text,
    measured: `ε ≥ ${epsilon.toFixed(3)} by ${correct} of ${guesses} right guesses, where ${claimed.toFixed(3)} is claimed`,
    interval: [epsilon, Number.POSITIVE_INFINITY],
    ceiling: claimed,
    how: `one run with ${canaries.toLocaleString("en")} canaries (${training.describes}), at ${falseAlarm.toPrecision(2)}`,
  };
}

function saysOf({ point, epsilon }: OneRun["bounds"][number]): number {
  return closeness({ epsilon, claimed: toDouble(point.epsilon, "up") });
}
