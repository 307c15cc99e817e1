import { countImpossible } from "../estimate/impossible.ts";
import { naiveLaplace } from "../known-bad/naive-laplace.ts";
import type { Subject } from "../subject.ts";
import { coreSubjects } from "../subjects/registry.ts";
import type { Audit, AuditRequest, AuditStep } from "./audit.ts";
import type { AuditRow } from "./audit-row.ts";

/** A control with a half of impossible outputs shows it in a few thousand. */
const controlDraws = 4_000;

/** Outputs of one data set that its neighbour cannot give. */
export const impossibleAudit: Audit = {
  id: "impossible",
  title: "outputs that a neighbour cannot give",
  steps: (request) => [
    ...coreSubjects.filter(({ tells }) => tells).map((each) => step(each.id, "lethe", each.subject, request)),
    step(naiveLaplace.id, "control", naiveLaplace.subject, { ...request, draws: controlDraws }),
  ],
};

function step(id: string, of: AuditRow["of"], make: () => Subject, request: AuditRequest): AuditStep {
  return {
    subject: id,
    make() {
      const subject = make();
      const found = countImpossible(subject, { seed: request.seed, samples: request.draws });
      if (found === null) throw new Error(`${id} cannot tell what its neighbour gives`);
      const share = found.impossible / found.drawn;
      return {
        audit: "impossible",
        subject: id,
        of,
        finding: found.impossible === 0 ? null : "gives what its neighbour cannot",
        claim: subject.claim.text,
        measured: `${found.impossible} of ${found.drawn.toLocaleString("en")}`,
        interval: [share, share],
        ceiling: 0,
        how: "every output asked of the neighbour",
      };
    },
  };
}
