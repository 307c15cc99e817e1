import { type Adjacency, account, type Event } from "@lethe/core";
import { correlatedSensitivity } from "@lethe/core/mechanisms";
import { fromDouble, toText } from "@lethe/core/numeric";
import type { GradientTraining, NetworkModel, NetworkPlan, Sampler } from "../../procedure/network.ts";
import type { ProcedureRelease } from "../../procedure/procedure.ts";
import type { Mutable } from "./forgery.ts";
import { genuine, signed } from "./procedures.ts";

export type NetworkRelease = ProcedureRelease<NetworkPlan, NetworkModel>;

/** What varies of a training; the rest is one. */
interface Varied {
  readonly adjacency: Adjacency;
  readonly sampler: Sampler;
  readonly clip: GradientTraining["clip"];
  readonly correlation: GradientTraining["correlation"];
}

const poisson: Varied = {
  adjacency: "add-or-remove-one",
  sampler: { kind: "poisson", rate: "1/10" },
  clip: { kind: "flat", norm: 1 },
  correlation: null,
};
const adaptive: Varied["clip"] = { kind: "adaptive", start: 1, quantile: 0.5, pace: 0.2, countNoise: "50" };
const cyclic: Varied["sampler"] = { kind: "cyclic", bins: 4 };

/** The kinds of trainings that are forged. */
export type NetworkKind =
  | "poisson"
  | "replaced"
  | "adaptive"
  | "bins"
  | "adaptive-bins"
  | "full"
  | "full-replaced"
  | "tree"
  | "banded"
  | "banded-replaced"
  | "blt";

export const networkKinds: Readonly<Record<NetworkKind, Varied>> = {
  poisson,
  replaced: { ...poisson, adjacency: "replace-one" },
  adaptive: { ...poisson, clip: adaptive },
  bins: { ...poisson, sampler: { kind: "balls-in-bins", bins: 5 } },
  "adaptive-bins": { ...poisson, clip: adaptive, sampler: { kind: "balls-in-bins", bins: 5 } },
  full: { ...poisson, sampler: { kind: "full" } },
  "full-replaced": { ...poisson, adjacency: "replace-one", sampler: { kind: "full" } },
  tree: { ...poisson, sampler: cyclic, correlation: { kind: "tree" } },
  banded: { ...poisson, sampler: cyclic, correlation: { kind: "banded", bands: 6 } },
  "banded-replaced": {
    ...poisson,
    adjacency: "replace-one",
    sampler: cyclic,
    correlation: { kind: "banded", bands: 3 },
  },
  blt: { ...poisson, sampler: cyclic, correlation: { kind: "blt", decays: [0.9, 0.5], outputs: [0.1, 0.2] } },
};

const steps = 20;
/** Of layers of 6 × 2 + 2 and 2 × 1 + 1. */
const weights = 17;
const countWeight = 60_000;

/** Four times the root of the sensitivity: an ε of a few. */
function trainingOf({ adjacency, sampler, clip, correlation }: Varied): GradientTraining {
  const count = clip.kind === "adaptive" ? countWeight : 0;
  const replaced = adjacency === "replace-one" && (sampler.kind === "full" || sampler.kind === "cyclic");
  const shape = { parameters: weights, layers: 1, countWeight: count };
  const l2Squared =
    correlation === null
      ? (replaced ? 4n : 1n) * (1n << 40n) + BigInt(count) ** 2n
      : correlatedSensitivity(
          { steps, correlation, participations: 5, separation: 4 },
          shape,
          replaced ? "replaced" : "came-or-went",
        ).l2Squared;
  const sigma = String(Math.ceil(4 * Math.sqrt(Number(l2Squared))));
  return {
    ...{ version: 1, model: { name: "network", parameters: weights }, loss: "binary-logistic", adjacency },
    ...{ units: 1000, sampler, clip, correlation, steps, delta: "1/1000000", noiseMultiplier: "4", shape },
    sensitivity: { l1: "1", l2Squared: String(l2Squared) },
    ...{ noise: { mechanism: "rounded-gaussian@1", sigma }, divisor: "100" },
    event: eventOf(sampler, { kind: "rounded-gaussian", version: 1, sigma, l2Squared: String(l2Squared) }),
  };
}

function eventOf(sampler: Sampler, step: Extract<Event, { readonly kind: "rounded-gaussian" }>): Event {
  const repeat = (count: number, event: Event): Event => ({
    kind: "repeat",
    version: 1,
    count: String(count),
    event,
  });
  switch (sampler.kind) {
    case "cyclic":
      return step;
    case "full":
      return repeat(steps, step);
    case "poisson":
      return repeat(steps, { kind: "poisson-sample", version: 1, rate: sampler.rate, event: step });
    case "balls-in-bins":
      return repeat(steps / sampler.bins, {
        ...{ kind: "random-allocation", version: 1, steps: String(sampler.bins), selected: "1" },
        ...{ sigma: step.sigma, sensitivity: String(Math.ceil(Math.sqrt(Number(step.l2Squared)))) },
      });
  }
}

function planOf(varied: Varied): NetworkPlan {
  const training = trainingOf(varied);
  const { sampler, adjacency, event } = training;
  const sampled = sampler.kind === "poisson" || sampler.kind === "balls-in-bins";
  const epsilon = sampled ? account(event, { adjacency }).epsilon(1e-6).upper : 0;
  const columns = [
    { kind: "number", name: "wage", bounds: [0, 60] },
    { kind: "category", name: "sector", categories: ["manufacturing", "other"] },
    { kind: "category", name: "grade", categories: [1, 2, 3] },
  ] as const;
  const plan: NetworkPlan = {
    ...{ kind: "network-plan", version: 1, source: "people", where: null },
    target: { kind: "category", name: "member", categories: [false, true] },
    features: columns,
    network: {
      ...{ version: 1, input: [6], loss: "binary-logistic" },
      layers: [{ layer: "linear", outputs: 2 }, { layer: "tanh" }, { layer: "linear", outputs: 1 }],
    },
    ...{ layerNorms: null, seed: 1, training },
    event: sampled
      ? {
          ...{ kind: "approximate", version: 1, delta: "1/1000000", of: "private-training" },
          epsilon: toText(fromDouble(epsilon)),
        }
      : event,
  };
  return { ...plan, optimizer: { kind: "sgd", rate: 0.5, momentum: 0.9 } } as NetworkPlan;
}

/** The release of a network, as an honest service would sign it. */
export function genuineNetwork(kind: NetworkKind = "poisson"): NetworkRelease {
  const plan = planOf(networkKinds[kind]);
  const { target, features, network, training, event } = plan;
  const result: NetworkModel = {
    ...{ kind: "network", version: 1, target, features, network },
    weights: Array.from({ length: weights }, (_, i) => i / 8),
    ...{ adjacency: training.adjacency, event },
  };
  return genuine("network", plan, result, training.adjacency);
}

interface Draft {
  readonly plan: Mutable<NetworkPlan>;
  readonly model: Mutable<NetworkModel>;
}

type Change = (draft: Draft) => void;

export function forgedNetwork(kind: NetworkKind, change: Change): NetworkRelease {
  const release = JSON.parse(JSON.stringify(genuineNetwork(kind))) as Mutable<NetworkRelease>;
  change({ plan: release.certificate.procedure.plan, model: release.result });
  return signed(release);
}

const rounded = (sigma: string) => ({ mechanism: "rounded-gaussian@1", sigma }) as const;

/** What is said ↦ of which kind, and how a lying service comes to be told it. */
export const forgedNetworks: readonly (readonly [string, NetworkKind, Change])[] = [
  // The noise that was run, and the noise that is priced.
  ...(["poisson", "full", "tree", "bins"] as const).map((kind): readonly [string, NetworkKind, Change] => [
    "times, derived ",
    kind,
    ({ plan }) => {
      plan.training.noise = rounded("100");
    },
  ]),
  // More steps, or larger batches, than are priced.
  ...(["poisson", "full", "bins"] as const).map((kind): readonly [string, NetworkKind, Change] => [
    "times, derived ",
    kind,
    ({ plan }) => {
      plan.training.steps = 40;
    },
  ]),
  [
    "times, derived ",
    "poisson",
    ({ plan }) => {
      plan.training.sampler = { kind: "poisson", rate: "1/2" };
    },
  ],
  [
    "times, derived ",
    "bins",
    ({ plan }) => {
      plan.training.steps = 21;
    },
  ],
  // A replaced unit that is priced as one that comes or goes; a count that is measured and not priced.
  [
    "times, derived ",
    "full",
    ({ plan, model }) => {
      plan.training.adjacency = "replace-one";
      model.adjacency = "replace-one";
    },
  ],
  [
    "times, derived ",
    "poisson",
    ({ plan }) => {
      plan.training.clip = { ...adaptive };
      plan.training.shape.countWeight = countWeight;
    },
  ],
  [
    "the count of an adaptive clip is not measured",
    "poisson",
    ({ plan }) => {
      plan.training.clip = { ...adaptive };
    },
  ],
  [
    "what a unit is clipped to is not above 0",
    "poisson",
    ({ plan }) => {
      plan.training.clip = { kind: "flat", norm: 0 };
    },
  ],
  [
    "the layers together are clipped to more than the norm that is priced",
    "poisson",
    ({ plan }) => {
      plan.layerNorms = [0.8, 0.8];
    },
  ],
  [
    "correlated noise stands beside another sampler than cyclic, or cyclic beside none",
    "poisson",
    ({ plan }) => {
      plan.training.correlation = { kind: "tree" };
    },
  ],
  [
    "correlated noise stands beside another sampler than cyclic, or cyclic beside none",
    "tree",
    ({ plan }) => {
      plan.training.correlation = null;
    },
  ],
  [
    "the noise of the network is not rounded Gaussian",
    "poisson",
    ({ plan }) => {
      plan.training.noise = { mechanism: "constant@1" };
    },
  ],
  ...(["tree", "banded", "blt"] as const).map((kind): readonly [string, NetworkKind, Change] => [
    "a unit moves the correlated steps further than is priced",
    kind,
    ({ plan }) => {
      const { sensitivity } = plan.training;
      sensitivity.l2Squared = String((BigInt(sensitivity.l2Squared) * 99n) / 100n);
    },
  ]),
  [
    "a unit moves the correlated steps further than is priced",
    "banded",
    ({ plan }) => {
      plan.training.sampler = { kind: "cyclic", bins: 2 };
    },
  ],
  [
    "the record that was charged is not that of the steps",
    "full",
    ({ plan, model }) => {
      plan.event = { kind: "gaussian-dp", version: 1, muSquared: "1/1000" };
      model.event = plan.event;
    },
  ],
  [
    "the record that was charged is not an (ε, δ) at the training's δ",
    "poisson",
    ({ plan }) => {
      plan.training.delta = "1/10";
    },
  ],
  [
    "the steps cost more than the ε that was charged",
    "poisson",
    ({ plan, model }) => {
      if (plan.event.kind === "approximate") plan.event.epsilon = "1/10";
      model.event = plan.event;
    },
  ],
  [
    "the network is of another target, features, layers, adjacency or event than its plan",
    "poisson",
    ({ model }) => void model.features.pop(),
  ],
  [
    "the network does not lead from its features to its target",
    "poisson",
    ({ plan, model }) => {
      for (const { network } of [plan, model]) network.input = [7];
    },
  ],
  [
    "the network does not lead from its features to its target",
    "poisson",
    ({ plan, model }) => {
      const layer = { layer: "conv2d", channels: 1, kernel: 2, stride: 1, padding: 0 } as const;
      for (const { network } of [plan, model]) network.layers = [{ ...layer }];
    },
  ],
  [
    "the network does not lead from its features to its target",
    "poisson",
    ({ plan, model }) => {
      for (const one of [plan, model])
        one.target = { kind: "category", name: "grade", categories: [1, 2, 3] };
    },
  ],
  ["the network has not as many weights as its layers", "poisson", ({ model }) => void model.weights.pop()],
  [
    "the network has not one norm for each layer with weights",
    "poisson",
    ({ plan }) => {
      plan.layerNorms = [0.5];
    },
  ],
  [
    "the network's adjacency is not the policy's",
    "poisson",
    ({ plan, model }) => {
      plan.training.adjacency = "replace-one";
      model.adjacency = "replace-one";
    },
  ],
  [
    "the condition on the network's rows is more than a condition",
    "poisson",
    ({ plan }) => {
      plan.where = "wage > 3 LIMIT 5";
    },
  ],
  [
    "column wage is not declared so in the policy",
    "poisson",
    ({ plan, model }) => {
      for (const column of [plan.features[0], model.features[0]])
        if (column?.kind === "number") column.bounds = [0, 50];
    },
  ],
  [
    "column sector is not declared so in the policy",
    "poisson",
    ({ plan, model }) => {
      for (const column of [plan.features[1], model.features[1]])
        if (column?.kind === "category") column.categories = ["manufacturing", "none"];
    },
  ],
];
