import { account, type Event, parseRational, toDouble } from "@lethe/core";
import type { Policy } from "@lethe/query";
import { type Verdict, verdict } from "../checks/check.ts";
import { differences, tallyOfEvent } from "../derive/event.ts";
import { correlatedSquare } from "./correlated-steps.ts";
import { type StatedColumn, undeclaredOf } from "./declared-domain.ts";
import { networkSizes } from "./layer-sizes.ts";
import type { GradientTraining, NetworkModel, NetworkPlan } from "./network.ts";
import { same } from "./procedure-checks.ts";
import { isCondition } from "./stated-condition.ts";

/** A unit's clipped gradient is integers of norm at most 2^20. */
const radius = 2n ** 20n;

/** Room for sensitivities that are derived in doubles. */
const rounding = 1 - 1e-9;

/**
 * Checks that the event of the steps is that of the noise at what clipping leaves of a unit, under the sampler and the adjacency; and that the record that
 * was charged covers it. In a step a unit has a norm of at most 2²⁰, and another in its place moves the sums by twice that; where samples are priced, the
 * account of the sampled event has its own two sides. An adaptive clip measures one count more, jointly.
 */
export function networkEventFollows({ training, layerNorms, event }: NetworkPlan): Verdict {
  const { noise, sampler, clip, shape, correlation } = training;
  const count = clip.kind === "adaptive" ? BigInt(shape.countWeight) : 0n;
  const norm = clip.kind === "flat" ? clip.norm : clip.start;
  return verdict(
    [
      ...(norm > 0 ? [] : ["what a unit is clipped to is not above 0"]),
      ...(clip.kind === "adaptive" && count === 0n ? ["the count of an adaptive clip is not measured"] : []),
      ...(layerNorms === null || Math.hypot(...layerNorms) <= norm
        ? []
        : ["the layers together are clipped to more than the norm that is priced"]),
      ...((correlation === null) === (sampler.kind !== "cyclic")
        ? []
        : ["correlated noise stands beside another sampler than cyclic, or cyclic beside none"]),
      ...(noise.mechanism === "rounded-gaussian@1"
        ? []
        : ["the noise of the network is not rounded Gaussian"]),
      ...(correlation === null ? [] : correlatedFindings(training)),
      ...differences(tallyOfEvent(training.event), tallyOfEvent(stepsEvent(training, count))),
      ...chargeFindings(training, event),
    ],
    `the event is ${training.steps} steps by ${sampler.kind}, each with its noise at what a unit is clipped to, and the charge covers them`,
  );
}

/** How far a unit moves the sums of one step, on their grid. */
function moveOf({ adjacency, sampler }: GradientTraining): bigint {
  const whole = sampler.kind === "full" || sampler.kind === "cyclic";
  return adjacency === "replace-one" && whole ? 2n * radius : radius;
}

function correlatedFindings(training: GradientTraining): readonly string[] {
  const { correlation, sampler, steps, shape, sensitivity } = training;
  if (correlation === null || sampler.kind !== "cyclic") return [];
  const move = Number(moveOf(training));
  const least = correlatedSquare(correlation, {
    steps,
    bins: sampler.bins,
    move,
    parameters: shape.parameters,
  });
  return Number(sensitivity.l2Squared) >= least * rounding
    ? []
    : ["a unit moves the correlated steps further than is priced"];
}

/** The event of all steps, derived from sampler, noise and what a unit can move. */
function stepsEvent(training: GradientTraining, count: bigint): Event {
  const { noise, sampler, steps, correlation, sensitivity } = training;
  if (noise.mechanism !== "rounded-gaussian@1") return { kind: "constant", version: 1 };
  const { sigma } = noise;
  const l2Squared =
    correlation === null ? String(moveOf(training) ** 2n + count ** 2n) : sensitivity.l2Squared;
  const step: Event = { kind: "rounded-gaussian", version: 1, sigma, l2Squared };
  const times = (number: number, event: Event): Event => ({
    ...{ kind: "repeat", version: 1, count: String(number), event },
  });
  switch (sampler.kind) {
    case "cyclic":
      return step;
    case "full":
      return times(steps, step);
    case "poisson":
      return times(steps, { kind: "poisson-sample", version: 1, rate: sampler.rate, event: step });
    case "balls-in-bins": {
      const pass: Event = {
        ...{ kind: "random-allocation", version: 1, steps: String(sampler.bins), selected: "1" },
        ...{ sigma, sensitivity: rootText(BigInt(l2Squared), training.event) },
      };
      return steps % sampler.bins === 0
        ? times(steps / sampler.bins, pass)
        : { kind: "constant", version: 1 };
    }
  }
}

/** √x where it is whole; else the root that the event states, if its square is not below x. */
function rootText(x: bigint, stated: Event): string {
  const root = BigInt(Math.round(Math.sqrt(Number(x))));
  if (root * root === x) return String(root);
  const inner = stated.kind === "repeat" ? stated.event : stated;
  const text = inner.kind === "random-allocation" ? inner.sensitivity : "0";
  const { num, den } = parseRational(text);
  return num * num >= x * den * den ? text : String(root + 1n);
}

/** A sampled training is charged as the (ε, δ) that the account of its steps proves; every other as it is. */
function chargeFindings(
  { sampler, event: steps, adjacency, delta }: GradientTraining,
  charged: Event,
): readonly string[] {
  if (sampler.kind === "full" || sampler.kind === "cyclic")
    return same(charged, steps) ? [] : ["the record that was charged is not that of the steps"];
  if (charged.kind !== "approximate" || !same(parseRational(charged.delta), parseRational(delta)))
    return ["the record that was charged is not an (ε, δ) at the training's δ"];
  const due = account(steps, { adjacency }).epsilon(toDouble(parseRational(delta), "down")).upper;
  return toDouble(parseRational(charged.epsilon), "down") >= due * rounding
    ? []
    : ["the steps cost more than the ε that was charged"];
}

/** Checks that the network released is that of the plan, with as many weights as its layers have, between its features and its target. */
export function networkIsThePlans(plan: NetworkPlan, model: NetworkModel): Verdict {
  const { target, features, network, training, event, layerNorms } = plan;
  const sizes = networkSizes(network);
  const entries = features.reduce(
    (sum, column) => sum + (column.kind === "number" ? 1 : column.categories.length),
    0,
  );
  return verdict(
    [
      ...(same(
        [model.target, model.features, model.network, model.adjacency, model.event],
        [target, features, network, training.adjacency, event],
      )
        ? []
        : ["the network is of another target, features, layers, adjacency or event than its plan"]),
      ...(sizes !== null && sizes.inputs === entries && fits(target, network.loss, sizes.outputs)
        ? []
        : ["the network does not lead from its features to its target"]),
      ...(sizes?.weights === model.weights.length &&
      sizes.weights === training.model.parameters &&
      sizes.weights === training.shape.parameters
        ? []
        : ["the network has not as many weights as its layers"]),
      ...(layerNorms === null || layerNorms.length === sizes?.weighted
        ? []
        : ["the network has not one norm for each layer with weights"]),
    ],
    "the network leads from the features to the target of its plan, and has a weight for each of its layers' places",
  );
}

function fits(target: StatedColumn, loss: string, outputs: number): boolean {
  if (target.kind === "number") return loss === "squared-error" && outputs === 1;
  const classes = target.categories.length;
  return classes === 2
    ? loss === "binary-logistic" && outputs === 1
    : loss === "softmax-cross-entropy" && outputs === classes;
}

/** Checks that target and features are read within what the policy declares of them, and that adjacency is its own. */
export async function networkIsDeclared(
  { target, features, training, source, where }: NetworkPlan,
  policy: Policy,
): Promise<Verdict> {
  return verdict(
    [
      ...(training.adjacency === policy.privacyUnit.adjacency
        ? []
        : ["the network's adjacency is not the policy's"]),
      ...(where === null || (await isCondition(where, source, policy))
        ? []
        : ["the condition on the network's rows is more than a condition"]),
      ...(await undeclaredOf([target, ...features], source, policy)),
    ],
    "target and features are coded within the bounds and categories that the policy declares",
  );
}
