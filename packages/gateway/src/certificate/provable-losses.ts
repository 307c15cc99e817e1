import {
  LetheError,
  lossToJson,
  type PriceTarget,
  type PrivacyLossText,
  parseRational,
  price,
} from "@lethe/core";
import { zero } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";

/**
 * The event's loss under each measure that it can be proven for: a Gaussian has no pure loss, for one. Errors: those of core's
 * price, but for its refusal of a measure that has no price for the event.
 */
export function provableLosses({
  event,
  price: paid,
}: Pick<Plan, "event" | "price">): readonly PrivacyLossText[] {
  const delta = paid.measure === "approximate" ? parseRational(paid.delta) : zero;
  const targets: readonly PriceTarget[] = [
    { measure: "pure" },
    { measure: "approximate", delta },
    { measure: "zcdp" },
  ];
  return targets.flatMap((target) => {
    try {
      return [lossToJson(price(event, target))];
    } catch (error) {
      if (error instanceof LetheError && error.code === "query.missing-delta") return [];
      throw error;
    }
  });
}
