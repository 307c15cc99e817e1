import { sizeOf } from "./network/layer-shape.ts";
import type { Layer } from "./network/network.ts";
import { type PlacedLayer, readNetwork } from "./network/read-network.ts";

/** How the weights of one layer begin. */
type Start = (placed: PlacedLayer, uniform: () => number) => Iterable<number>;

/** Uniform on ±1/√(inputs of one output), weights and biases alike: what PyTorch's layers begin with. */
function* fanIn({ weights, parameters }: PlacedLayer, uniform: () => number): Iterable<number> {
  const bound = 1 / Math.sqrt(weights[0]?.[0] ?? 1);
  for (let i = 0; i < parameters; i += 1) yield bound * (2 * uniform() - 1);
}

/** Gains of 1 and biases of 0. */
function* normed({ parameters }: PlacedLayer): Iterable<number> {
  for (let i = 0; i < parameters; i += 1) yield i < parameters / 2 ? 1 : 0;
}

/** Uniform of variance 1. */
function* table({ weights }: PlacedLayer, uniform: () => number): Iterable<number> {
  const size = sizeOf(weights[0] ?? []);
  for (let i = 0; i < size; i += 1) yield Math.sqrt(3) * (2 * uniform() - 1);
}

const none: Start = () => [];

const starts: Readonly<Record<Layer["layer"], Start>> = {
  linear: fanIn,
  conv2d: fanIn,
  "group-norm": normed,
  "layer-norm": normed,
  embedding: table,
  "max-pool2d": none,
  "avg-pool2d": none,
  relu: none,
  tanh: none,
  sigmoid: none,
  flatten: none,
};

/**
 * Draws weights to begin with, without a look at data. They are public, and so may the coins be.
 * @param uniform gives numbers of [0, 1)
 * Errors: model.invalid for a network that is not one.
 */
export function initialWeights(network: unknown, uniform: () => number): Float64Array {
  return Float64Array.from(
    readNetwork(network).layers.flatMap((placed) => [...starts[placed.layer.layer](placed, uniform)]),
  );
}
