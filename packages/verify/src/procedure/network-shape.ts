import { event, positiveText } from "../format/core-texts.ts";
import { noise } from "../format/measurement-shape.ts";
import { ownersWords } from "../format/owners-words.ts";
import {
  extended,
  integer,
  integerText,
  list,
  literal,
  nullable,
  number,
  object,
  type Read,
  tagged,
  text,
} from "../format/shape.ts";
import { declaredColumn } from "./declared-shape.ts";
import type {
  Clip,
  Correlation,
  GradientTraining,
  Layer,
  Network,
  NetworkModel,
  NetworkPlan,
  Sampler,
} from "./network.ts";

const adjacency = literal("add-or-remove-one", "replace-one");
const size = integer(1);

const sampler: Read<Sampler> = tagged("kind", {
  poisson: object({ kind: literal("poisson"), rate: positiveText }),
  "balls-in-bins": object({ kind: literal("balls-in-bins"), bins: size }),
  cyclic: object({ kind: literal("cyclic"), bins: size }),
  full: object({ kind: literal("full") }),
});

const clip: Read<Clip> = tagged("kind", {
  flat: object({ kind: literal("flat"), norm: number }),
  adaptive: object({
    ...{ kind: literal("adaptive"), start: number, quantile: number, pace: number },
    countNoise: positiveText,
  }),
});

const correlation: Read<Correlation> = tagged("kind", {
  tree: object({ kind: literal("tree") }),
  banded: object({ kind: literal("banded"), bands: size }),
  blt: object({ kind: literal("blt"), decays: list(number), outputs: list(number) }),
});

const training: Read<GradientTraining> = object({
  ...{ version: literal(1), model: object({ name: text, parameters: size }), loss: text, adjacency },
  ...{ units: size, sampler, clip, correlation: nullable(correlation), steps: size, delta: positiveText },
  noiseMultiplier: positiveText,
  shape: object({ parameters: size, layers: size, countWeight: integer(0) }),
  sensitivity: object({ l1: integerText, l2Squared: integerText }),
  ...{ noise, divisor: positiveText, event },
});

const pooling = { kernel: size, stride: size } as const;
const layer: Read<Layer> = tagged("layer", {
  linear: object({ layer: literal("linear"), outputs: size }),
  conv2d: object({
    layer: literal("conv2d"),
    channels: size,
    kernel: size,
    stride: size,
    padding: integer(0),
  }),
  "max-pool2d": object({ layer: literal("max-pool2d"), ...pooling }),
  "avg-pool2d": object({ layer: literal("avg-pool2d"), ...pooling }),
  "group-norm": object({ layer: literal("group-norm"), groups: size }),
  "layer-norm": object({ layer: literal("layer-norm") }),
  relu: object({ layer: literal("relu") }),
  tanh: object({ layer: literal("tanh") }),
  sigmoid: object({ layer: literal("sigmoid") }),
  flatten: object({ layer: literal("flatten") }),
});

const network: Read<Network> = object({
  ...{ version: literal(1), input: list(size), layers: list(layer), loss: text },
});

const optimizer = tagged("kind", {
  sgd: extended({ kind: literal("sgd"), rate: number }, { momentum: number }),
  adam: extended({ kind: literal("adam"), rate: number }, { first: number, second: number, floor: number }),
});

/** Reads the plan of a network's training. */
export const networkPlan: Read<NetworkPlan> = extended(
  {
    ...{ kind: literal("network-plan"), version: literal(1), source: text, where: nullable(text) },
    ...{
      target: declaredColumn,
      features: list(declaredColumn),
      network,
      layerNorms: nullable(list(number)),
    },
    ...{ optimizer, seed: integer(0), training, event },
  },
  ownersWords,
);

/** Reads the network that a training releases. */
export const networkModel: Read<NetworkModel> = object({
  ...{
    kind: literal("network"),
    version: literal(1),
    target: declaredColumn,
    features: list(declaredColumn),
  },
  ...{ network, weights: list(number), adjacency, event },
});
