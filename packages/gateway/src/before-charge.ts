import { LetheError } from "@lethe/core";
import { keyNotice, mergeOptions, uninformative } from "@lethe/query";
import type { Stage } from "./answer-stage.ts";
import type { DrawingHouse } from "./house.ts";

/**
 * What is told before a charge, of plan and policy alone: that groups are chosen by chance, and that the answer would say next to
 * nothing, which is refused unless it was accepted. A request that was answered already costs nothing, and is not asked again;
 * an error that was stated is as wide as it was meant to be.
 * Errors: query.uninformative.
 */
export async function tellBeforeCharge(stage: Stage, house: DrawingHouse): Promise<void> {
  const { plan, prepared, target, question } = stage;
  const { policy, ledger, notice } = house;
  if (target !== null || (await ledger.settled(question.requestId)) !== null) return;
  const words = keyNotice(plan);
  if (words !== null) notice?.(words);
  if (mergeOptions(prepared.bound.options, prepared.stated).acceptUninformative === true) return;
  const [warning] = uninformative(plan, policy, prepared.confidence);
  if (!warning) return;
  throw new LetheError("query.uninformative", warning.message, {
    fix: `${warning.fix}; to pay all the same: --yes, acceptUninformative: true, or OPTIONS (accept_uninformative = true)`,
  });
}
