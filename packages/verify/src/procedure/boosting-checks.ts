import type { Event } from "@lethe/core";
import type { Noise } from "@lethe/core/mechanisms";
import type { Policy } from "@lethe/query";
import { type Verdict, verdict } from "../checks/check.ts";
import { differences, tallyOfEvent } from "../derive/event.ts";
import type { BoostedModel, BoostingPlan, PlannedFeature, Shape } from "./boosting.ts";
import { areEven, undeclaredOf } from "./declared-domain.ts";
import { same } from "./procedure-checks.ts";
import { isCondition } from "./stated-condition.ts";

/** Sums are integers of 2⁻²⁰ of what a unit is clipped to. */
const squaredClip = 1n << 40n;

/**
 * Checks that the event is the counts once and a step for each feature in every round, each with its noise, at the sensitivity that clipping leaves. In the counts a unit has a
 * norm of at most 2²⁰ in every feature; another in its place moves them by √2 of that, since counts are not negative. In a step it has a norm of at most
 * 2²⁰; another in its place moves them by twice that.
 */
export function boostingEventFollows({ event, ...plan }: BoostingPlan): Verdict {
  const { features, rounds, clip, rows, countNoise, stepNoise, adjacency } = plan;
  const replaced = adjacency === "replace-one";
  const columns = BigInt(features.length);
  const due = [
    { noise: countNoise, l2Squared: columns * (replaced ? 2n : 1n) * squaredClip, times: 1n },
    { noise: stepNoise, l2Squared: (replaced ? 4n : 1n) * squaredClip, times: columns * BigInt(rounds) },
  ];
  const derived: Event = {
    ...{ kind: "compose", version: 1 },
    events: due.flatMap(({ noise, l2Squared, times }) => repeated(noise, l2Squared, times)),
  };
  return verdict(
    [
      ...(features.length > 0 ? [] : ["the boosting has no feature"]),
      ...(clip > 0 && rows > 0 ? [] : ["what a unit is clipped to is not above 0"]),
      ...(due.every(({ noise }) => noise.mechanism === "rounded-gaussian@1")
        ? []
        : ["a noise of the boosting is not rounded Gaussian"]),
      ...differences(tallyOfEvent(event), tallyOfEvent(derived)),
    ],
    `the event is counts of ${features.length} features and ${columns * BigInt(rounds)} steps, each with its noise at what a unit is clipped to`,
  );
}

function repeated(noise: Noise, l2Squared: bigint, times: bigint): readonly Event[] {
  if (noise.mechanism !== "rounded-gaussian@1") return [];
  const event: Event = {
    ...{ kind: "rounded-gaussian", version: 1 },
    ...{ sigma: noise.sigma, l2Squared: String(l2Squared) },
  };
  return [{ kind: "repeat", version: 1, count: String(times), event }];
}

/** Checks that a model is one of its plan: a shape for each feature, over bins that its public cells can be merged to. */
export function modelIsThePlans(plan: BoostingPlan, model: BoostedModel): Verdict {
  const { target, features, adjacency, event } = plan;
  return verdict(
    [
      ...(same([model.target, model.adjacency, model.event], [target, adjacency, event])
        ? []
        : ["the model is of another target, adjacency or event than its plan"]),
      ...(model.shapes.length === features.length
        ? []
        : ["the model has not one shape for each feature of its plan"]),
      ...model.shapes.flatMap((shape, at) => {
        const feature = features[at];
        return feature && isOf(shape, feature)
          ? []
          : ["a shape of the model is not over bins of its feature's cells"];
      }),
    ],
    "the model has a shape for each feature, over bins of the cells that the plan names",
  );
}

function isOf(shape: Shape, feature: PlannedFeature): boolean {
  if (shape.name !== feature.name) return false;
  if (shape.kind === "number" && feature.kind === "number") {
    const { bounds, edges, bins } = shape;
    const kept = feature.edges.filter((edge) => edges.includes(edge));
    const whole = feature.merged ? same(kept, edges) : same(feature.edges, edges);
    return same(bounds, feature.bounds) && whole && bins.length === edges.length + 1;
  }
  if (shape.kind === "category" && feature.kind === "category") {
    const named = shape.groups.flat();
    const all = feature.categories;
    return (
      shape.bins.length === shape.groups.length &&
      named.length === all.length &&
      all.every((each) => named.includes(each))
    );
  }
  return false;
}

/**
 * Checks that target and features are read within what the policy declares of them, that the condition on rows is one, and that adjacency is the
 * policy's own.
 */
export async function columnsAreDeclared(plan: BoostingPlan, policy: Policy): Promise<Verdict> {
  const { target, features, adjacency, source, where } = plan;
  const undeclared = [...(await undeclaredOf([target, ...features], source, policy))];
  for (const feature of features)
    if (
      feature.kind === "number" &&
      !areEven([feature.bounds[0], ...feature.edges, feature.bounds[1]], feature.bounds, false)
    )
      undeclared.push(`column ${feature.name} is not cut evenly between its bounds`);
  return verdict(
    [
      ...(adjacency === policy.privacyUnit.adjacency ? [] : ["the boosting's adjacency is not the policy's"]),
      ...(where === null || (await isCondition(where, source, policy))
        ? []
        : ["the condition on the boosting's rows is more than a condition"]),
      ...(target.kind === "number" || target.categories.length === 2
        ? []
        : ["the target of the boosting is neither a number nor one of two categories"]),
      ...undeclared,
    ],
    "target and features are cut within the bounds and categories that the policy declares",
  );
}
