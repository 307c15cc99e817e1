import { binomialAtLeast } from "../estimate/binomial-tail.ts";
import { countImpossible, type Impossible, impossibleMass } from "../estimate/impossible.ts";
import { naiveLaplace } from "../known-bad/naive-laplace.ts";
import type { Subject } from "../subject.ts";
import { coreSubjects } from "../subjects/registry.ts";
import type { Audit, AuditRequest, AuditStep } from "./audit.ts";
import type { AuditRow } from "./audit-row.ts";
import { impossibleAlarm } from "./false-alarms.ts";

/** A control with a half of impossible outputs shows it in a few thousand. */
const controlDraws = 4_000;
/** The share of impossible outputs that the control must show. */
const controlShare = 0.5;

/** Outputs of one data set that its neighbour cannot give. */
export const impossibleAudit: Audit = {
  id: "impossible",
  title: "outputs that a neighbour cannot give",
  steps: (request) => [
    ...coreSubjects.map(({ id, subject }) => mechanismStep(id, subject, request)),
    impossibleControl(request),
  ],
};

/** Its noise is a double that is computed: of most outputs the neighbour has no coins. */
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
        how: "every output asked of the neighbour, by all coins that could give it",
      };
    },
  };
}

/** Of what only one neighbour can give, at most the mass that their exact laws know of, which a δ pays for: none for pure DP. */
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
        how: `every output asked of the neighbour: its exact law, and the noise it would have needed${allowed > 0 ? `; a share of ${allowed.toPrecision(3)} is paid for as δ` : ""}`,
      };
    },
  };
}

/** What a row says of a subject that gives more of them than its δ pays for. */
export const tooMany = "gives what its neighbour cannot";

/** Whether so many are more than their mass explains, in doubt by a false alarm. */
export function isTooMany({ impossible, drawn }: Impossible, allowed: number, falseAlarm: number): boolean {
  return impossible > 0 && binomialAtLeast(impossible, drawn, allowed).hi <= falseAlarm;
}

/** Those among so many draws. */
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
