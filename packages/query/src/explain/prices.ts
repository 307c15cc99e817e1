import {
  LetheError,
  lossToJson,
  type PriceTarget,
  type PrivacyLossText,
  price,
  type Rational,
  toText,
} from "@lethe/core";
import { compare, zero } from "@lethe/core/numeric";
import type { Plan } from "../plan/plan.ts";
import type { ExplainedPrice } from "./explanation.ts";

/**
 * Returns the price of the same noise in an account of each measure: pure, approximate at `delta` (left out where it is 0), zCDP.
 * Null where the noise has no proof of it: a Gaussian has no pure price.
 */
export function pricesOf({ event }: Plan, delta: Rational): readonly ExplainedPrice[] {
  const targets: readonly PriceTarget[] = [
    { measure: "pure" },
    ...(compare(delta, zero) > 0 ? [{ measure: "approximate", delta } as const] : []),
    { measure: "zcdp" },
  ];
  return targets.map((target) => ({
    measure: target.measure,
    delta: target.measure === "approximate" ? toText(target.delta) : null,
    price: provenPrice(event, target),
  }));
}

function provenPrice(event: Plan["event"], target: PriceTarget): PrivacyLossText | null {
  try {
    return lossToJson(price(event, target));
  } catch (error) {
    if (error instanceof LetheError && error.code === "query.missing-delta") return null;
    throw error;
  }
}
