import { toDecimal, toDouble } from "@lethe/core";
import { compare, subtract } from "@lethe/core/numeric";
import { knownBad } from "../known-bad/registry.ts";
import type { Subject } from "../subject.ts";
import { coreSubjects } from "../subjects/registry.ts";
import type { RefutedForms } from "../verify/refuted-forms.ts";
import type { Verification } from "../verify/verify.ts";
import { verifySubject } from "../verify-subject.ts";
import type { Audit, AuditStep } from "./audit.ts";
import type { AuditRow } from "./audit-row.ts";

/** The audit that holds enumerated laws against the claim, exactly. */
export const verifyAudit: Audit = {
  id: "verify",
  title: "exact laws of all mechanisms against the price of their event",
  steps: () => [
    ...coreSubjects.map((each) => step(each.id, "lethe", each.subject)),
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
      const isPure = claimed === 0 && found.deltas.length === 1;
      const { lo: least, hi: most } = found.epsilon;
      return {
        audit: "verify",
        subject: id,
        of,
        finding: refuted
          ? `false on some neighbours: at ε = ${epsilon} it needs a δ of ${lo.toPrecision(3)}; refuted by ${formsOf(refuted.forms)}`
          : null,
        claim: subject.claim.text,
        measured: isPure
          ? `needs ε = ${shown(least, most)}, where ${epsilon} is claimed`
          : `δ = ${lo.toPrecision(3)} at ε = ${epsilon}, where ${claimed.toPrecision(3)} is claimed`,
        interval: isPure ? [least, most ?? Number.POSITIVE_INFINITY] : [lo, hi],
        ceiling: isPure ? toDouble(point.epsilon, "up") : claimed,
        how: "the probability of every outcome, from coins, noise or definition, in exact arithmetic and in both directions",
      };
    },
  };
}

/** Returns the point that has the least room below the claim. */
function closest(deltas: Verification["deltas"]): Verification["deltas"][number] {
  return deltas.reduce((a, b) =>
    compare(subtract(b.point.delta, b.delta.lo), subtract(a.point.delta, a.delta.lo)) < 0 ? b : a,
  );
}

/** Returns the text of the least ε, or of a lower bound on it where its enclosure is wide. */
function shown(least: number, most: number | null): string {
  return most === null || most - least > 0.001 ? `${least.toFixed(4)} or more` : least.toFixed(4);
}

/** Returns the names of the forms of DP that are refuted: at δ = 0 all three or none. */
function formsOf({ sets, outcomes, losses }: RefutedForms): string {
  const names = [sets && "a set of outcomes", outcomes && "a single outcome", losses && "the loss"];
  return names.filter(Boolean).join(", ");
}
