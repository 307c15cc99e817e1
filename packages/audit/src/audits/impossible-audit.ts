import { binomialAtLeast } from "../estimate/binomial-tail.ts";
import { countImpossible, type Impossible, impossibleMass } from "../estimate/impossible.ts";
import { naiveLaplace } from "../known-bad/naive-laplace.ts";
import type { Subject } from "../subject.ts";
import { coreSubjects } from "../subjects/registry.ts";
import type { Audit, AuditRequest, AuditStep } from "./audit.ts";
import type { AuditRow } from "./audit-row.ts";
import { impossibleAlarm } from "./false-alarms.ts";

/** The draws of the control. Half of its outputs are impossible, which a few thousand draws show. */
const controlDraws = 4_000;
/** The share of impossible outputs that the control must show. */
const controlShare = 0.5;

/** The audit for outputs of one data set that its neighbour cannot give. */
export const impossibleAudit: Audit = {
  id: "impossible",
  title: "outputs that a neighbour cannot give",
  steps: (request) => [
    ...coreSubjects.map(({ id, subject }) => mechanismStep(id, subject, request)),
    impossibleControl(request),
  ],
};

/** Returns the step of the control, a naive Laplace mechanism in doubles: the neighbour has no coins that give most of its outputs. */
export function impossibleControl({ seed }: Pick<AuditRequest, "seed">): AuditStep {
  return {
    subject: naiveLaplace.id,
    make() {
      const made = naiveLaplace.subject();
      const found = countOf(made, { seed, draws: controlDraws });
      return {
        ...rowOf(made, found),
        of: "control",
        finding: shareOf(found) >= controlShare ? tooMany : null,
        ceiling: 0,
        how: "each output is looked for among all that the neighbour's coins can give",
      };
    },
  };
}

/**
 * Returns the step of one mechanism. Outputs that only one neighbour can give may have at most the mass that the exact laws give them, which δ pays
 * for; under pure DP they have none.
 */
function mechanismStep(id: string, make: () => Subject, request: AuditRequest): AuditStep {
  return {
    subject: id,
    make() {
      const subject = make();
      const found = countOf(subject, request);
      const allowed = impossibleMass(subject);
      return {
        ...rowOf(subject, found),
        of: "lethe",
        finding: isTooMany(found, allowed, impossibleAlarm(request)) ? tooMany : null,
        ceiling: allowed,
        how: `each output is checked against the neighbour's exact law, and the noise that it would have needed${allowed > 0 ? `; a share of ${allowed.toPrecision(3)} is covered by δ` : ""}`,
      };
    },
  };
}

/** The finding on a subject that gives more impossible outputs than its δ pays for. */
export const tooMany = "gives outputs that its neighbour cannot give";

/** Whether this many impossible outputs are more than their mass explains, at the given false alarm. */
export function isTooMany({ impossible, drawn }: Impossible, allowed: number, falseAlarm: number): boolean {
  return impossible > 0 && binomialAtLeast(impossible, drawn, allowed).hi <= falseAlarm;
}

/** Counts the impossible outputs of a subject among the given number of draws. */
export function countOf(subject: Subject, { seed, draws }: Pick<AuditRequest, "seed" | "draws">): Impossible {
  const found = countImpossible(subject, { seed, samples: draws });
  if (found === null) throw new Error(`${subject.id} cannot tell what its neighbour gives`);
  return found;
}

function rowOf(
  subject: Subject,
  found: Impossible,
): Pick<AuditRow, "audit" | "subject" | "claim" | "measured" | "interval"> {
  const share = shareOf(found);
  return {
    audit: "impossible",
    subject: subject.id,
    claim: subject.claim.text,
    measured: `${found.impossible} of ${found.drawn.toLocaleString("en")}`,
    interval: [share, share],
  };
}

export const shareOf = ({ impossible, drawn }: Impossible): number => impossible / drawn;
