import { compare, subtract, toDecimal, toDouble } from "@lethe/core";
import { knownBad } from "../known-bad/registry.ts";
import type { Subject } from "../subject.ts";
import { coreSubjects } from "../subjects/registry.ts";
import type { Verification } from "../verify/verify.ts";
import { verifySubject } from "../verify-subject.ts";
import type { Audit, AuditStep } from "./audit.ts";
import type { AuditRow } from "./audit-row.ts";

/** Enumerated laws against the claim, exactly. */
export const verifyAudit: Audit = {
  id: "verify",
  title: "exact laws of mechanisms, by enumeration, against the price of their event",
  steps: () => [
    ...coreSubjects
      .filter(({ enumerated }) => enumerated)
      .map((each) => step(each.id, "lethe", each.subject)),
    ...knownBad
      .filter(({ caughtBy }) => caughtBy.includes("verify"))
      .map((each) => step(each.id, "control", each.subject)),
  ],
};

function step(id: string, of: AuditRow["of"], make: () => Subject): AuditStep {
  return {
    subject: id,
    make() {
      const subject = make();
      const found = verifySubject(subject);
      if (found === null) throw new Error(`${id} has no law`);
      const [refuted] = found.refuted;
      const { point, delta } = refuted ?? closest(found.deltas);
      const [lo, hi] = [toDouble(delta.lo, "down"), toDouble(delta.hi, "up")];
      const claimed = toDouble(point.delta, "up");
      const epsilon = toDecimal(point.epsilon, "up", 4);
      return {
        audit: "verify",
        subject: id,
        of,
        finding: refuted
          ? `false on some neighbours: at ε = ${epsilon} it needs a δ of ${lo.toPrecision(3)}`
          : null,
        claim: subject.claim.text,
        measured: `δ = ${lo.toPrecision(3)} at ε = ${epsilon}, where ${claimed.toPrecision(3)} is claimed`,
        interval: [lo, hi],
        ceiling: claimed,
        how: "every path of its coins or noise, in exact arithmetic",
      };
    },
  };
}

/** Where least room is left below the claim. */
function closest(deltas: Verification["deltas"]): Verification["deltas"][number] {
  return deltas.reduce((a, b) =>
    compare(subtract(b.point.delta, b.delta.lo), subtract(a.point.delta, a.delta.lo)) < 0 ? b : a,
  );
}
