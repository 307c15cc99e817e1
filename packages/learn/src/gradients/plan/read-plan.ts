import { canonicalJson, sha256 } from "@lethe/core/canonical";
import { LetheError } from "@lethe/core/errors";
import { privatePlan } from "./make-plan.ts";
import type { Clip, ClipRequest, PlanRequest } from "./plan-request.ts";
import type { PrivatePlan } from "./private-plan.ts";

const clipRequests: {
  readonly [K in Clip["kind"]]: (clip: Extract<Clip, { readonly kind: K }>) => ClipRequest;
} = {
  flat: ({ norm }) => norm,
  "per-layer": ({ norms }) => ({ perLayer: norms }),
  adaptive: ({ start, quantile, pace, countNoise }) => ({ adaptive: { start, quantile, pace, countNoise } }),
};

/** The description that a plan follows from, its noise found. */
export function planRequest(plan: PrivatePlan): PlanRequest {
  const { sampler } = plan;
  const rate = "rate" in sampler ? sampler.rate : "bins" in sampler ? `1/${sampler.bins}` : "1";
  const clip = (clipRequests[plan.clip.kind] as (clip: Clip) => ClipRequest)(plan.clip);
  return {
    model: plan.model,
    loss: plan.loss,
    adjacency: plan.adjacency,
    units: plan.units,
    sampler: sampler.kind,
    rate,
    ...("limit" in sampler ? { limit: sampler.limit } : {}),
    clip,
    noise: plan.noiseMultiplier,
    delta: plan.delta,
    steps: plan.steps,
    ...(plan.correlation === null ? {} : { correlation: plan.correlation }),
  };
}

/**
 * Reads a plan that was stored. Everything that follows from its description is derived again, and must be the same: a plan whose noise, sensitivity, divisor or
 * event was changed is refused.
 * Errors: parameter.invalid.
 */
export function readPlan(json: unknown): PrivatePlan {
  const stored = json as PrivatePlan;
  const derived = (): PrivatePlan => privatePlan(planRequest(stored));
  if (typeof json !== "object" || json === null || stored.version !== 1 || !isSame(stored, derived)) {
    throw new LetheError("parameter.invalid", "the plan does not follow from its own description", {
      fix: "make the plan again with privatePlan, and store what it gives",
      fields: { name: "plan" },
    });
  }
  return derived();
}

function isSame(stored: PrivatePlan, derived: () => PrivatePlan): boolean {
  try {
    return canonicalJson(stored) === canonicalJson(derived());
  } catch {
    return false;
  }
}

/** The hash by which a checkpoint knows its plan. */
export function planHash(plan: PrivatePlan): string {
  return sha256(canonicalJson(plan));
}
