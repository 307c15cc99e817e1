import { LetheError } from "@lethe/core";
import { keyNotice, mergeOptions, questionsOf, uninformative } from "@lethe/query";
import type { PlannedRequest } from "./answer-planned.ts";
import type { DrawingHouse } from "./house.ts";

/**
 * Tells the asker, before a charge, what follows from plan and policy alone: that groups are chosen by chance. Refuses an answer that would say next
 * to nothing, unless that was accepted. A request that was answered already costs nothing, and is not told of. Nor is anything told where a target error was
 * stated, since the answer is then as wide as it was meant to be.
 * Errors: query.uninformative.
 */
export function tellBeforeCharge(request: PlannedRequest, { policy, notice }: DrawingHouse): void {
  const { plan, resolved, target } = request;
  if (target !== null) return;
  const plans = questionsOf(plan);
  const notices = plans.map((each) => keyNotice(each)).filter((words) => words !== null);
  for (const words of new Set(notices)) notice?.(words);
  if (mergeOptions(resolved.query.options, resolved.stated).acceptUninformative === true) return;
  const [warning] = plans.flatMap((each) => uninformative(each, policy, resolved.confidence));
  if (!warning) return;
  throw new LetheError("query.uninformative", warning.message, {
    fix: `${warning.fix}; to pay all the same: --yes, acceptUninformative: true, or OPTIONS (accept_uninformative = true)`,
  });
}
