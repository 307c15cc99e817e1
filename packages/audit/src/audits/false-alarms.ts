import { coreSubjects } from "../subjects/registry.ts";
import { trainings } from "../trainings/registry.ts";
import type { Training } from "../trainings/training.ts";
import type { AuditRequest } from "./audit.ts";

/*
 * How the false alarm of one whole run is shared: a hundredth to each end of an interval that an attack is judged by; of what these leave
 * an equal part to the estimate of each mechanism, and one more to impossible outputs and to training, half each.
 */

type Whole = Pick<AuditRequest, "falseAlarm">;

/** How many ends of intervals attacks may be judged by in one run. */
export const mostJudgedEnds = 30;
const hundred = 100;
const parts = coreSubjects.length + 1;

/** Returns the false alarm of one end of one interval that an attack is judged by. */
export function attackAlarm({ falseAlarm }: Whole): number {
  return falseAlarm / hundred;
}

/** Returns the false alarm of the estimate of one mechanism. */
export function estimateAlarm({ falseAlarm }: Whole): number {
  return (falseAlarm * (1 - mostJudgedEnds / hundred)) / parts;
}

/** Returns the false alarm of the search for impossible outputs of one mechanism. */
export function impossibleAlarm(whole: Whole): number {
  return estimateAlarm(whole) / 2 / coreSubjects.length;
}

/**
 * Returns the largest number of runs of a training. A training that is right has one run; a control has up to two, each on coins of its own and with
 * its part of the false alarm. So a soak that counts single runs says enough of both.
 */
export function runsOf({ source }: Training): number {
  return source === null ? 1 : 2;
}

/** Returns the false alarm of one run of a training. */
export function trainingAlarm(training: Training, whole: Whole): number {
  return estimateAlarm(whole) / 2 / trainings.length / runsOf(training);
}
