import { coreSubjects } from "../subjects/registry.ts";
import type { AuditRequest } from "./audit.ts";

/*
 * How the false alarm of one run is shared: an equal part to the estimate of each mechanism, one more to all that is left to chance
 * elsewhere.
 */

const parts = coreSubjects.length + 1;

/** Of the estimate of one mechanism. */
export function estimateAlarm({ falseAlarm }: Pick<AuditRequest, "falseAlarm">): number {
  return falseAlarm / parts;
}

/** Of each of the two other audits that chance can mislead, over all its rows: one run of training, impossible outputs. */
export function spareAlarm(request: Pick<AuditRequest, "falseAlarm">): number {
  return estimateAlarm(request) / 2;
}
