import { type Event, lossFromJson, lossToJson, type PrivacyLossText, price } from "@lethe/core";
import { noiseEvent } from "@lethe/core/mechanisms";
import { priceTarget } from "../plan/passes/plan-event.ts";
import type { Measurement, Plan, TreeMeasurement } from "../plan/plan.ts";

/** Returns the price of a measurement alone, at the plan's δ: for Gaussian noise it is more than its share, as all are priced as one. */
export function priceAlone(
  plan: Plan,
  { noise, l1, l2Squared }: Measurement | TreeMeasurement,
): PrivacyLossText {
  return priceOf(noiseEvent(noise, { l1: BigInt(l1), l2Squared: BigInt(l2Squared) }), plan);
}

/** Returns the price of an event in the measure, and at the δ, of the plan's price. */
export function priceOf(event: Event, plan: Plan): PrivacyLossText {
  return lossToJson(price(event, priceTarget(lossFromJson(plan.price))));
}
