import { estimate } from "../estimate/estimate.ts";
import { knownBad } from "../known-bad/registry.ts";
import type { Subject } from "../subject.ts";
import { coreSubjects } from "../subjects/registry.ts";
import type { Audit, AuditRequest, AuditStep } from "./audit.ts";
import type { AuditRow } from "./audit-row.ts";

/** Lower bounds of ε from outputs alone. */
export const estimateAudit: Audit = {
  id: "estimate",
  title: "lower bounds of ε from samples, with confidence, against the whole claimed curve",
  steps: (request) => [
    ...coreSubjects.map((each) => step(each.id, "lethe", each.subject, request)),
    ...knownBad
      .filter(({ caughtBy }) => caughtBy.includes("estimate"))
      // What is caught in 30,000 samples is caught in a quick audit too: controls are never drawn more seldom.
      .map((each) =>
        step(each.id, "control", each.subject, { ...request, samples: Math.max(request.samples, 30_000) }),
      ),
  ],
};

function step(id: string, of: AuditRow["of"], make: () => Subject, request: AuditRequest): AuditStep {
  return {
    subject: id,
    make() {
      const subject = make();
      const falseAlarm = request.falseAlarm / coreSubjects.length;
      const { worst, broken } = estimate(subject, { ...request, falseAlarm });
      return {
        audit: "estimate",
        subject: id,
        of,
        finding: broken ? `loses more than it claims: ${worst.event}` : null,
        claim: subject.claim.text,
        measured: `ε ≥ ${worst.epsilon.toFixed(3)}, where ${worst.claimed.toFixed(3)} is claimed`,
        interval: [worst.epsilon, Number.POSITIVE_INFINITY],
        ceiling: worst.claimed,
        how: `${request.samples.toLocaleString("en")} outputs of each neighbour, Clopper–Pearson at ${falseAlarm.toPrecision(2)}`,
      };
    },
  };
}
