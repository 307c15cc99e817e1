import { impossibleMass } from "../../estimate/impossible.ts";
import type { CoreSubject } from "../../subjects/core-subject.ts";
import { quickRequest } from "../audit.ts";
import { impossibleAlarm } from "../false-alarms.ts";
import { countOf, isTooMany, shareOf, tooMany } from "../impossible-audit.ts";
import { innocentStep, loud } from "./innocent-step.ts";
import type { SoakRequest, SoakStep } from "./soak-request.ts";

/** Impossible outputs of one mechanism: at each seed those of a quick audit, and over all seeds at least `draws`. */
export function soakImpossible({ id, subject }: CoreSubject, request: SoakRequest): SoakStep {
  const draws = Math.max(quickRequest.draws, Math.ceil(request.draws / request.seeds));
  return innocentStep(
    "impossible",
    id,
    () => {
      const made = subject();
      const allowed = impossibleMass(made);
      let [impossible, drawn] = [0, 0];
      return {
        claim: made.claim.text,
        how: `${draws.toLocaleString("en")} outputs asked of the neighbour`,
        judge(seed) {
          const found = countOf(made, { seed, draws });
          impossible += found.impossible;
          drawn += found.drawn;
          return {
            finding: isTooMany(found, allowed, impossibleAlarm(request)) ? tooMany : null,
            loudly: isTooMany(found, allowed, loud),
            measured: shareOf(found),
            allowed,
          };
        },
        shown: () =>
          `${impossible} of ${drawn.toLocaleString("en")} in all${allowed > 0 ? `, where ${(allowed * drawn).toFixed(0)} are covered by δ` : ""}`,
      };
    },
    request,
  );
}
