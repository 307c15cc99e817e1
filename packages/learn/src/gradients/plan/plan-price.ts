import { account, type Event, eventFromJson, lossToJson, price } from "@lethe/core";
import { fromDouble, parseRational, toDouble, toText } from "@lethe/core/numeric";
import type { PrivatePlan } from "./private-plan.ts";

/** What a training costs, all steps together. */
export interface PlanPrice {
  /** Rounded up. */
  readonly epsilon: number;
  readonly delta: number;
}

/**
 * The certified price of a plan under its own adjacency, at its δ: by core's accounts, from the plan's event alone.
 * Direction: upper. Errors: account.unprovable, parameter.invalid for a broken event.
 * @example planPrice(plan) // => { epsilon: 0.8335…, delta: 1e-5 }
 */
export function planPrice({
  event,
  adjacency,
  delta,
}: Pick<PrivatePlan, "event" | "adjacency" | "delta">): PlanPrice {
  const exact = parseRational(delta, "delta");
  const { upper } = account(event, { adjacency }).epsilon(toDouble(exact, "down"));
  return { epsilon: upper, delta: toDouble(exact, "up") };
}

/**
 * The event that an exact account of measure (ε, δ) charges for a plan. Where every step is a Gaussian release it is the plan's own; samples are priced by
 * calculators alone, and their certified (ε, δ) is charged as a whole.
 */
export function chargedEvent(plan: PrivatePlan): Event {
  if (plan.sampler.kind === "full" || plan.sampler.kind === "cyclic") return plan.event;
  const { epsilon } = planPrice(plan);
  return eventFromJson({
    kind: "approximate",
    version: 1,
    epsilon: toText(fromDouble(epsilon)),
    delta: plan.delta,
    of: "private-training",
  });
}

/** The loss that an exact account charges for a plan, as JSON. */
export function chargedLoss(plan: PrivatePlan): ReturnType<typeof lossToJson> {
  return lossToJson(
    price(chargedEvent(plan), { measure: "approximate", delta: parseRational(plan.delta, "delta") }),
  );
}
