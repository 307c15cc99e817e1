import { toDouble } from "@lethe/core";
import { closeness } from "../estimate/estimate.ts";
import { auditOneRun, type OneRun } from "../estimate/one-run.ts";
import { trainings } from "../trainings/registry.ts";
import type { Training } from "../trainings/training.ts";
import type { Claim } from "../verify/claim.ts";
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

/** A claim against one run, and the point of its curve of which the run says most. */
export interface JudgedTraining {
  readonly run: OneRun;
  readonly epsilon: number;
  readonly claimed: number;
}

/** One run of a training, judged at an equal part of the false alarm of a whole audit. */
export function judgeTraining(
  training: Training,
  claim: Claim,
  request: Pick<AuditRequest, "seed" | "falseAlarm">,
): JudgedTraining {
  const run = auditOneRun({
    ...training,
    claim,
    train: (included, bits) => training.train(included, bits),
    seed: request.seed,
    falseAlarm: alarmOf(request),
  });
  const [first, ...others] = run.bounds
    .filter(({ point }) => point.epsilon.num > 0n || run.bounds.length === 1)
    .map(({ point, epsilon }) => ({ epsilon, claimed: toDouble(point.epsilon, "up") }));
  return { run, ...others.reduce((a, b) => (closeness(b) > closeness(a) ? b : a), first!) };
}

const alarmOf = (request: Pick<AuditRequest, "falseAlarm">): number => spareAlarm(request) / trainings.length;

/** @example manyCanaries(training) // => "one run with 4,000 canaries (8 steps …)" */
export function manyCanaries({ canaries, describes }: Training): string {
  return `one run with ${canaries.toLocaleString("en")} canaries (${describes})`;
}

function rowOf(training: Training, request: AuditRequest): AuditRow {
  const claim = training.claim();
  const { run, epsilon, claimed } = judgeTraining(training, claim, request);
  return {
    audit: "one-run",
    subject: training.id,
    of: training.source === null ? "lethe" : "control",
    finding: run.broken.length === 0 ? null : `loses more than it claims: ${training.describes}`,
    claim: claim.text,
    measured: `ε ≥ ${epsilon.toFixed(3)} by ${run.correct} of ${run.guesses} right guesses, where ${claimed.toFixed(3)} is claimed`,
    interval: [epsilon, Number.POSITIVE_INFINITY],
    ceiling: claimed,
    how: `${manyCanaries(training)}, at ${alarmOf(request).toPrecision(2)}`,
  };
}
