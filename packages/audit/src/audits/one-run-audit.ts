import { toDouble } from "@lethe/core";
import { lastElement } from "@lethe/core/numeric";
import { seedOfRound } from "../estimate/estimate-in-rounds.ts";
import { auditOneRun, type OneRun } from "../estimate/one-run.ts";
import { trainings } from "../trainings/registry.ts";
import type { Training } from "../trainings/training.ts";
import type { Claim, Point } from "../verify/claim.ts";
import type { Audit, AuditRequest } from "./audit.ts";
import type { AuditRow } from "./audit-row.ts";
import { runsOf, trainingAlarm } from "./false-alarms.ts";
import { saidShare } from "./said-bounds.ts";

/** Training, by canaries of which each is in or out by a fair coin, in a single run. */
export const oneRunAudit: Audit = {
  id: "one-run",
  title: "training with canaries: each is included by the toss of a coin, and guessed after a single run",
  steps: (request) =>
    trainings.map((training) => ({ subject: training.id, make: () => trainingRow(training, request) })),
};

/** A whole curve against one run; the share of it that is refuted as an ε at one point, which is no bound at that point alone. */
export interface JudgedTraining {
  readonly run: OneRun;
  readonly epsilon: number;
  readonly claimed: number;
}

/** One run of a training, judged at its part of the false alarm of a whole audit. */
export function judgeTraining(
  training: Training,
  claim: Claim,
  request: Pick<AuditRequest, "seed" | "falseAlarm">,
  round = 1,
): JudgedTraining {
  const run = auditOneRun({
    ...training,
    claim,
    train: (included, bits) => training.train(included, bits),
    seed: seedOfRound(request.seed, round),
    falseAlarm: trainingAlarm(training, request),
  });
  const claimed = toDouble(shownPoint(claim).epsilon, "up");
  return { run, epsilon: run.factor * claimed, claimed };
}

/** The point of a curve of which an audit speaks: the first whose δ is small. */
function shownPoint({ points }: Claim): Point {
  return points.find(({ delta }) => toDouble(delta, "up") <= 1e-6) ?? lastElement(points);
}

/** @example manyCanaries(training) // => "one run with 4,000 canaries (8 steps …)" */
export function manyCanaries({ canaries, describes }: Training): string {
  return `one run with ${canaries.toLocaleString("en")} canaries (${describes})`;
}

/** One training, met in as many runs as it takes. */
export function trainingRow(training: Training, request: AuditRequest): AuditRow {
  const claim = training.claim();
  let judged = judgeTraining(training, claim, request);
  for (let round = 2; !judged.run.broken && round <= runsOf(training); round += 1) {
    judged = judgeTraining(training, claim, request, round);
  }
  const { run, epsilon, claimed } = judged;
  return {
    audit: "one-run",
    subject: training.id,
    of: training.source === null ? "lethe" : "control",
    finding: !run.broken ? null : `loses more than it claims: ${training.describes}`,
    claim: claim.text,
    measured: `${saidShare(judged)}, by ${run.correct} of ${run.guesses} right guesses`,
    interval: [epsilon, Number.POSITIVE_INFINITY],
    ceiling: claimed,
    how: `${manyCanaries(training)}, at ${trainingAlarm(training, request).toPrecision(2)}`,
  };
}
