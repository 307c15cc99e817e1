import { elementAt } from "@lethe/core/numeric";
import { sizeOf } from "../network/layer-shape.ts";
import type { Layer } from "../network/network.ts";
import type { CheckedNetwork, PlacedLayer } from "../network/read-network.ts";
import { flatten, relu, sigmoid, tanh } from "./layers/activations.ts";
import { convolution } from "./layers/convolution.ts";
import { embedding } from "./layers/embedding.ts";
import { linear } from "./layers/linear.ts";
import { groupSets, layerSets, normalization } from "./layers/normalization.ts";
import { averagePooling, maxPooling } from "./layers/pooling.ts";
import type { ReferenceLayer } from "./reference-layer.ts";
import { referenceLosses } from "./reference-loss.ts";

/** A network in double precision, one example at a time. */
export interface ReferenceNetwork {
  /** The last layer's vector. */
  outputs(weights: Float64Array, input: Float32Array | Float64Array): Float64Array;
  /** The loss of a row: of data that is public, or in tests. */
  loss(weights: Float64Array, input: Float32Array, labels: Float32Array): number;
  /** Its gradient by the weights; 0 for a row whose input or labels mean nothing. */
  gradient(weights: Float64Array, input: Float32Array, labels: Float32Array): Float64Array;
}

type Maker<L extends Layer> = (layer: L, placed: PlacedLayer) => ReferenceLayer;

const makers: { readonly [Name in Layer["layer"]]: Maker<Extract<Layer, { layer: Name }>> } = {
  linear: (_, { input, output }) => linear(sizeOf(input), sizeOf(output)),
  conv2d: ({ kernel, stride, padding }, { input, output }) =>
    convolution({ input, output, kernel, stride, padding }),
  "max-pool2d": ({ kernel, stride }, { input, output }) =>
    maxPooling({ input, output, kernel, stride, padding: 0 }),
  "avg-pool2d": ({ kernel, stride }, { input, output }) =>
    averagePooling({ input, output, kernel, stride, padding: 0 }),
  "group-norm": ({ groups }, { input }) => {
    const channels = elementAt(input, input.length - 1);
    return normalization(groupSets(sizeOf(input), channels, groups), channels);
  },
  "layer-norm": (_, { input }) => {
    const width = elementAt(input, input.length - 1);
    return normalization(layerSets(sizeOf(input), width), width);
  },
  embedding: ({ width }) => embedding(width),
  relu: () => relu,
  tanh: () => tanh,
  sigmoid: () => sigmoid,
  flatten: () => flatten,
};

/** Builds one layer. */
export function referenceLayer(placed: PlacedLayer): ReferenceLayer {
  const make = makers[placed.layer.layer] as Maker<Layer>;
  return make(placed.layer, placed);
}

/** Builds the network. */
export function referenceNetwork(checked: CheckedNetwork): ReferenceNetwork {
  const layers = checked.layers.map((placed) => ({ placed, layer: referenceLayer(placed) }));
  const loss = referenceLosses[checked.network.loss];
  const own = ({ offset, parameters }: PlacedLayer, weights: Float64Array): Float64Array =>
    weights.subarray(offset, offset + parameters);

  /** The input, and every layer's output. */
  const forward = (weights: Float64Array, input: Float32Array | Float64Array): readonly Float64Array[] => {
    const values: Float64Array[] = [Float64Array.from(input)];
    for (const { placed, layer } of layers)
      values.push(layer.forward(elementAt(values, values.length - 1), own(placed, weights)));
    return values;
  };
  const last = (values: readonly Float64Array[]): Float64Array => elementAt(values, layers.length);

  return {
    outputs: (weights, input) => last(forward(weights, input)),
    loss: (weights, input, labels) => loss.value(last(forward(weights, input)), labels),
    gradient(weights, input, labels) {
      const gradient = new Float64Array(checked.parameters);
      if (!acceptsInput(checked, input) || !loss.accepts(labels, checked.outputs)) return gradient;
      const values = forward(weights, input);
      let dy = loss.gradient(last(values), labels);
      for (let at = layers.length - 1; at >= 0; at -= 1) {
        const { placed, layer } = elementAt(layers, at);
        const [x, y] = [elementAt(values, at), elementAt(values, at + 1)];
        dy = layer.backward({ x, y, dy, w: own(placed, weights), dw: own(placed, gradient) });
      }
      return gradient;
    },
  };
}

/** Whether an input is finite, and indices are those of an embedding. */
function acceptsInput({ layers }: CheckedNetwork, input: Float32Array): boolean {
  const first = layers[0]?.layer;
  const limit = first?.layer === "embedding" ? first.entries : null;
  return input.every((x) =>
    limit === null ? Number.isFinite(x) : Number.isInteger(x) && x >= 0 && x < limit,
  );
}
