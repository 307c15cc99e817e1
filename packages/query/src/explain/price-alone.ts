import {
  type Event,
  lossFromJson,
  lossToJson,
  noiseEvent,
  type PrivacyLossText,
  parseRational,
  price,
} from "@lethe/core";
import type { Measurement, Plan } from "../plan/plan.ts";

/** What a measurement would cost alone at the plan's δ: for Gaussian noise more than its share, as all are priced as one. */
export function priceAlone(plan: Plan, { noise, l1, l2Squared }: Measurement): PrivacyLossText {
  const event: Event = noiseEvent(noise, { l1: BigInt(l1), l2Squared: BigInt(l2Squared) });
  const whole = lossFromJson(plan.price);
  if (whole.measure !== "approximate") return lossToJson(price(event, { measure: whole.measure }));
  return lossToJson(
    price(event, { measure: "approximate", delta: whole.delta.num > 0n ? whole.delta : parseRational("0") }),
  );
}
