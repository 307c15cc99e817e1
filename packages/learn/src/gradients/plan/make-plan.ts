import { smallestNoise } from "@lethe/core";
import { compare, one, type Rational, rationalOf, toDouble, toText, zero } from "@lethe/core/numeric";
import { readSampler } from "../sampling/read-sampler.ts";
import { checkInteger, refuse } from "../sampling/refusal.ts";
import { expectedBatch, unitMove } from "../sampling/sampled-event.ts";
import { planPrice } from "./plan-price.ts";
import type { ModelShape, PlanRequest } from "./plan-request.ts";
import type { PrivatePlan } from "./private-plan.ts";
import { readClip } from "./read-clip.ts";
import { eventAt, noised, type Unpriced } from "./step-noise.ts";

/**
 * The plan of a private training from one description: sampler, clip, sensitivity, noise, divisor and the event that is charged. The *unit* is sampled and
 * clipped. Data-independent and JSON; `planPrice` tells what it costs.
 * Source: Abadi et al. 2016 (arXiv 1607.00133); Andrew et al. 2021 (arXiv 1905.03871); Chua et al. 2024 (arXiv 2411.04205, 2412.16802); Denisov et al. 2022
 * (arXiv 2202.08312). Proof: core's noisy-gradients.proof.md and correlated-gradients.proof.md.
 * Direction: upper (σ is rounded up).
 * Errors: parameter.invalid for a description that is wrong, or that no theorem covers: each names the condition and what would be accepted.
 * @example privatePlan({ model: { name: "logistic", parameters: 105 }, loss: "logistic", adjacency: "add-or-remove-one", units: 60000,
 *   sampler: "poisson", rate: "1/250", clip: 1, noise: 1.1, delta: 1e-5, steps: 15000 }).divisor // => "240"
 */
export function privatePlan(request: PlanRequest): PrivatePlan {
  const plan = unpriced(request);
  const delta = deltaOf(request);
  const multiplier = multiplierOf(request, plan, delta);
  return {
    version: 1,
    ...plan,
    loss: request.loss,
    delta: toText(delta),
    ...noised(plan, multiplier),
    divisor: toText(expectedBatch(plan.sampler, plan.units)),
  };
}

function unpriced(request: PlanRequest): Unpriced {
  const { model, adjacency, units, steps, correlation = null } = request;
  checkModel(model);
  if (adjacency !== "add-or-remove-one" && adjacency !== "replace-one") {
    refuse({
      name: "adjacency",
      value: adjacency,
      condition: "add-or-remove-one or replace-one",
      fix: 'give the policy\'s own, such as adjacency: "add-or-remove-one"',
    });
  }
  checkInteger(
    "units",
    units,
    [1, 2 ** 31],
    "give the number of units that the policy declares, such as units: 60000; sums are divided by rate · units, never by a number that was counted",
  );
  checkInteger("steps", steps, [1, 2 ** 31], "give a whole number of steps, such as steps: 1000");
  const sampler = readSampler({ ...request, sampler: request.sampler ?? "poisson" });
  unitMove(sampler, adjacency);
  const clip = readClip(request.clip, model, expectedBatch(sampler, units));
  checkCorrelated({ correlation, sampler: sampler.kind, clip: clip.kind });
  return { model: shapeAlone(model), adjacency, units, sampler, clip, correlation, steps };
}

const shapeAlone = ({ name, parameters, layers }: ModelShape): ModelShape => ({
  name,
  parameters,
  ...(layers ? { layers: [...layers] } : {}),
});

function checkModel({ parameters, layers }: ModelShape): void {
  const fix = "give the length of the model's vector of weights, such as parameters: 26010";
  checkInteger("model.parameters", parameters, [1, 2 ** 23 - 1], fix);
  if (layers === undefined) return;
  const total = layers.reduce((sum, length) => sum + length, 0);
  if (!layers.every((length) => Number.isSafeInteger(length) && length >= 1) || total !== parameters) {
    refuse({
      name: "model.layers",
      value: layers.join(", "),
      condition: `lengths of at least 1 that sum to parameters, ${parameters}`,
      fix: "leave model.layers out, or give the length of every layer",
    });
  }
}

function checkCorrelated(plan: { correlation: object | null; sampler: string; clip: string }): void {
  if (plan.correlation === null) {
    if (plan.sampler !== "cyclic") return;
    refuse({
      name: "sampler",
      value: plan.sampler,
      condition: "another one where noise is not correlated: a fixed order is worth nothing there",
      fix: 'ask for sampler: "balls-in-bins", or for a correlation such as { kind: "tree" }',
    });
  }
  if (plan.sampler !== "cyclic") {
    refuse({
      name: "sampler",
      value: plan.sampler,
      condition:
        "cyclic for correlated noise: its price counts in how many steps a unit takes part, and how far apart",
      fix: 'ask for sampler: "cyclic", or leave correlation out',
    });
  }
  if (plan.clip === "adaptive") {
    refuse({
      name: "clip",
      value: plan.clip,
      condition: "the same in all steps for correlated noise",
      fix: "give a number as the clip",
    });
  }
}

function deltaOf({ delta }: PlanRequest): Rational {
  const exact = rationalOf(delta ?? Number.NaN, "delta");
  if (!(compare(exact, zero) > 0 && compare(exact, one) < 0)) {
    refuse({
      name: "delta",
      value: delta,
      condition: "above 0 and below 1",
      fix: "give a δ well below one over units, such as delta: 1e-6",
    });
  }
  return exact;
}

function multiplierOf({ noise, epsilon }: PlanRequest, plan: Unpriced, delta: Rational): Rational {
  if ((noise === undefined) === (epsilon === undefined)) {
    refuse({
      name: "noise and epsilon",
      value: noise === undefined ? "neither" : "both",
      condition: "one of the two: each follows from the other",
      fix: noise === undefined ? "give noise: 1, or epsilon: 1" : "leave noise out, or epsilon",
    });
  }
  if (noise !== undefined) {
    const exact = rationalOf(noise, "noise");
    if (compare(exact, zero) > 0) return exact;
    refuse({
      name: "noise",
      value: noise,
      condition: "above 0: without noise there is no finite price",
      fix: "give noise: 1, or epsilon",
    });
  }
  if (epsilon === undefined || !(epsilon > 0 && epsilon < Number.POSITIVE_INFINITY)) {
    return refuse({
      name: "epsilon",
      value: epsilon,
      condition: "a finite number above 0",
      fix: "give epsilon: 1, or noise",
    });
  }
  const at = eventAt(plan);
  const { adjacency } = plan;
  const search = { eventAt: at, epsilon, delta: toDouble(delta, "down"), adjacency, tolerance: 1e-5 };
  // A short number, and one that is within the target at the accuracy at which prices are told.
  const upward = (x: number): number => Number((x * (1 + 1e-5)).toPrecision(6));
  let multiplier = upward(smallestNoise(search).value);
  const told = (): number => planPrice({ event: at(multiplier), adjacency, delta: toText(delta) }).epsilon;
  while (told() > epsilon) multiplier = upward(multiplier);
  return rationalOf(multiplier, "noise");
}
