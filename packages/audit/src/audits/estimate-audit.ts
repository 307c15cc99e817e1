import { estimateInRounds, type Rounds } from "../estimate/estimate-in-rounds.ts";
import { seenInSamples } from "../known-bad/known-bad.ts";
import { knownBad } from "../known-bad/registry.ts";
import type { Subject } from "../subject.ts";
import { coreSubjects } from "../subjects/registry.ts";
import type { Audit, AuditRequest, AuditStep } from "./audit.ts";
import type { AuditRow } from "./audit-row.ts";
import { controlRounds } from "./control-rounds.ts";
import { estimateAlarm } from "./false-alarms.ts";
import { saidBound } from "./said-bounds.ts";

/** Lower bounds of ε from outputs alone. */
export const estimateAudit: Audit = {
  id: "estimate",
  title: "lower bounds of ε from samples, with confidence, against the whole claimed curve",
  steps: (request) => [
    ...coreSubjects.map((each) => step(each.id, "lethe", each.subject, { ...request, rounds: 1 })),
    // What is caught in so many outputs is caught in a quick audit too: controls are never drawn more seldom.
    ...knownBad
      .filter(seenInSamples)
      .map((each) => step(each.id, "control", each.subject, { ...request, ...controlRounds })),
  ],
};

function step(
  id: string,
  of: AuditRow["of"],
  make: () => Subject,
  request: AuditRequest & Rounds,
): AuditStep {
  return {
    subject: id,
    make() {
      const subject = make();
      const falseAlarm = estimateAlarm(request);
      const { worst, broken, taken } = estimateInRounds(subject, { ...request, falseAlarm });
      return {
        audit: "estimate",
        subject: id,
        of,
        finding: broken ? `loses more than it claims: ${worst.event}` : null,
        claim: subject.claim.text,
        measured: saidBound(worst),
        interval: [worst.epsilon, Number.POSITIVE_INFINITY],
        ceiling: worst.claimed,
        how: `${howMany(request, taken)} outputs of each neighbour, Clopper–Pearson at ${falseAlarm.toPrecision(2)}`,
      };
    },
  };
}

function howMany({ samples, rounds }: Rounds, taken: number): string {
  const each = samples.toLocaleString("en");
  return rounds === 1 ? each : `in round ${taken} of ${rounds}, ${each}`;
}
