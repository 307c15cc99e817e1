import { type Adjacency, LetheError, type Rational, type RationalInput } from "@lethe/core";
import { gaussianFor } from "@lethe/core/mechanisms";
import { toDouble, toText } from "@lethe/core/numeric";
import { perLayer } from "../../clipping/clip-scale.ts";
import { privatePlan } from "../../gradients/plan/make-plan.ts";
import { chargedEvent } from "../../gradients/plan/plan-price.ts";
import type { ClipRequest, PlanRequest } from "../../gradients/plan/plan-request.ts";
import type { PrivatePlan } from "../../gradients/plan/private-plan.ts";
import { readNetwork } from "../../kernels/network/read-network.ts";
import { declaredColumn } from "../../model/declared-column.ts";
import type { NetworkPlan } from "./network-plan.ts";
import type { NetworkTask } from "./network-task.ts";

/** The price of a whole training: (ε, δ), or ρ of zCDP, in which samples have no price. */
export type NetworkBudget =
  | { readonly epsilon: Rational; readonly delta: Rational }
  | { readonly rho: Rational };

/** What is asked of a plan. */
export interface NetworkDescription extends Omit<NetworkTask, "kind" | "version" | "source" | "where"> {
  readonly adjacency: Adjacency;
  readonly budget: NetworkBudget;
}

/**
 * Plans the training of a network, and finds the least noise that its price covers. Where every step sees all units, or noise is correlated, the whole is
 * Gaussian, and is priced as such; samples are priced by calculators, whose certified (ε, δ) is the record. See privatePlan for the theorems.
 * Errors: parameter.invalid for a description that no theorem covers, naming the condition; query.unsupported for samples under zCDP.
 */
export function planNetwork(description: NetworkDescription): NetworkPlan {
  const { target, features, network, clip, optimizer, seed } = description;
  const training = trainingPlan(description);
  const layerNorms = typeof clip === "object" && "perLayer" in clip ? clip.perLayer : null;
  // What the run would refuse is refused before it is paid.
  if (layerNorms !== null) perLayer(layerNorms);
  return {
    ...({ kind: "network-plan", version: 1 } as const),
    target: declaredColumn(target),
    features: features.map(declaredColumn),
    network,
    ...{ layerNorms, optimizer, seed, training },
    event: chargedEvent(training),
  };
}

function trainingPlan(description: NetworkDescription): PrivatePlan {
  const { network, adjacency, units, sampler, rate, steps, clip, correlation, budget } = description;
  const request: Omit<PlanRequest, "delta"> = {
    model: { name: "network", parameters: readNetwork(network).parameters },
    loss: network.loss,
    ...{ adjacency, units, sampler, steps },
    ...(sampler === "full" ? {} : { rate }),
    clip: clipRequest(clip),
    ...(correlation === null ? {} : { correlation }),
  };
  // Where the whole is one Gaussian, its noise follows from the budget exactly.
  const gaussianSteps = { full: steps, cyclic: 1, poisson: null, "balls-in-bins": null }[sampler];
  if (gaussianSteps !== null)
    return privatePlan({ ...request, noise: multiplierOf(gaussianSteps, budget), delta: deltaOf(budget) });
  if ("rho" in budget)
    throw new LetheError(
      "query.unsupported",
      `a sampled training (sampler: ${sampler}) has no price in zCDP`,
      {
        fix: "write sampler: full, or keep the account in approximate DP",
      },
    );
  return privatePlan({
    ...request,
    epsilon: toDouble(budget.epsilon, "down"),
    delta: toText(budget.delta),
  });
}

/** Layers that are clipped each to its norm have together the root of their sum of squares: rounded up. */
function clipRequest(clip: NetworkDescription["clip"]): ClipRequest {
  if (typeof clip === "number" || "adaptive" in clip) return clip;
  return Math.hypot(...clip.perLayer) * (1 + 2 ** -40);
}

/** σ over the sensitivity of a step, where so many steps are to fit into a budget. Rounded up. */
function multiplierOf(steps: number, budget: NetworkBudget): RationalInput {
  const noise = gaussianFor({ l2Squared: steps, ...budget });
  if ("sigma" in noise) return noise.sigma;
  throw new LetheError("internal.invariant", "a training was planned without noise", {
    fix: "report this: Lethe found no noise for a price",
  });
}

/** A plan names a δ; an account in zCDP has none, and reads it nowhere. */
function deltaOf(budget: NetworkBudget): string {
  return "rho" in budget ? "1e-6" : toText(budget.delta);
}
