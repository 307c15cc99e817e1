import { elementAt } from "@lethe/core/numeric";
import { sizeOf } from "../network/layer-shape.ts";
import type { Layer } from "../network/network.ts";
import type { CheckedNetwork, PlacedLayer } from "../network/read-network.ts";
import type { Arena } from "./arena.ts";
import type { Bytes } from "./kernel-exports.ts";
import { activation, nothing } from "./layers/activations.ts";
import { convolution } from "./layers/convolution.ts";
import { embedding } from "./layers/embedding.ts";
import { linear } from "./layers/linear.ts";
import { groupSets, layerSets, normalization } from "./layers/normalization.ts";
import { pooling } from "./layers/pooling.ts";
import { layersAsRead } from "./layers-as-read.ts";
import { type Kernels, type LayerPlace, mostRows, type WasmLayer } from "./wasm-layer.ts";

/** A network laid out in the kernels' memory. */
export interface PlannedNetwork {
  readonly layers: readonly (WasmLayer & { readonly offset: number })[];
  /** Rows that pass together. A function of the network alone: it shows in the last bits of a unit's gradient. */
  readonly rows: number;
  /** Where rows' inputs go, and their labels. */
  readonly x: Bytes;
  readonly labels: Bytes;
  /** What the network gives, and its gradient. */
  readonly z: Bytes;
  readonly dz: Bytes;
  /** The weights of layers that have any, in order. */
  readonly parts: readonly PlannedPart[];
  /** The gradients that each row of a block has for itself: their first address, and the bytes from one row's to the next's. */
  readonly own: { readonly at: Bytes; readonly stride: Bytes };
  /** The gradients of linear layers, multiplied out, of one unit of several rows. */
  readonly unit: { readonly at: Bytes; readonly bytes: Bytes };
}

/** The weights of one layer. */
export interface PlannedPart {
  /** The place of the first in the vector of parameters. */
  readonly offset: number;
  readonly parameters: number;
  /** The gradient, row by row for layers that multiply out, else for a unit of several rows. */
  readonly dw: Bytes;
  /** The factors of a linear layer's gradient; null for others. */
  readonly outer: OuterFactors | null;
}

export interface OuterFactors {
  readonly x: Bytes;
  readonly inputs: number;
  readonly d: Bytes;
  readonly outputs: number;
  /** The scaled d of each row, filled up with zeros to `stride` bytes. */
  readonly scaled: Bytes;
  readonly stride: Bytes;
}

type Maker<L extends Layer> = (layer: L, placed: PlacedLayer, at: LayerPlace, to: Making) => WasmLayer;
interface Making {
  readonly rows: number;
  readonly arena: Arena;
  readonly kernels: Kernels;
}

const makers: { readonly [Name in Layer["layer"]]: Maker<Extract<Layer, { layer: Name }>> } = {
  linear: (_, { input, output }, at, { rows, arena, kernels }) =>
    linear(sizeOf(input), sizeOf(output), at, rows, arena, kernels),
  conv2d: (layer, { input, output }, at, { rows, arena, kernels }) =>
    convolution(layer, input, output, at, rows, arena, kernels),
  "max-pool2d": (layer, { input, output }, at, { kernels }) => pooling(layer, input, output, at, kernels),
  "avg-pool2d": (layer, { input, output }, at, { kernels }) => pooling(layer, input, output, at, kernels),
  "group-norm": ({ groups }, { input }, at, { arena, kernels }) =>
    normalization(groupSets(sizeOf(input), elementAt(input, input.length - 1), groups), at, arena, kernels),
  "layer-norm": (_, { input }, at, { arena, kernels }) =>
    normalization(layerSets(sizeOf(input), elementAt(input, input.length - 1)), at, arena, kernels),
  embedding: (layer, { input }, at, { arena, kernels }) =>
    embedding(layer, sizeOf(input), at, arena, kernels),
  relu: (_, { input }, at, { kernels }) => activation("relu", sizeOf(input), at, kernels),
  tanh: (_, { input }, at, { kernels }) => activation("tanh", sizeOf(input), at, kernels),
  sigmoid: (_, { input }, at, { kernels }) => activation("sigmoid", sizeOf(input), at, kernels),
  flatten: () => nothing,
};

/** How much of a block is meant to stay near the processor. */
const blockFloats = 2 ** 18;

/** The more a row needs, the fewer pass together: from 4, which share a tile of a product, to 16. */
function rowsTogether(layers: readonly PlacedLayer[], inputs: number): number {
  const floats = layers.reduce(
    (sum, { layer, output, parameters }) =>
      sum + 2 * sizeOf(output) + (layer.layer === "linear" ? 0 : parameters),
    inputs,
  );
  return Math.max(4, Math.min(mostRows, 4 * Math.floor(blockFloats / (4 * floats))));
}

/** Lays a network out: buffers for a block of rows, then what each layer needs. */
export function planNetwork(checked: CheckedNetwork, arena: Arena, kernels: Kernels): PlannedNetwork {
  const layers = layersAsRead(checked.layers);
  const rows = rowsTogether(layers, checked.inputs);
  const isLinear = ({ layer }: PlacedLayer): boolean => layer.layer === "linear";
  const total = (which: (placed: PlacedLayer) => boolean): number =>
    layers.filter(which).reduce((sum, { parameters }) => sum + parameters, 0);
  const ownFloats = total((placed) => !isLinear(placed));
  const own = { at: arena.floats(rows * ownFloats), stride: 4 * ownFloats };
  const unitFloats = total(isLinear);
  const unit = { at: arena.floats(unitFloats), bytes: 4 * unitFloats };
  const labels = arena.floats(rows * checked.labels);
  const x = arena.floats(rows * checked.inputs);

  const planned: (WasmLayer & { readonly offset: number })[] = [];
  const parts: PlannedPart[] = [];
  let [value, gradient]: [Bytes, Bytes | null] = [x, null];
  let [nextOwn, nextUnit] = [own.at, unit.at];
  for (const placed of layers) {
    const { layer, output, parameters, offset } = placed;
    const same = layer.layer === "flatten";
    const y = same ? value : arena.floats(rows * sizeOf(output));
    // A gradient that no layer before asks for is written all the same: by what comes after.
    const dy: Bytes = same && gradient !== null ? gradient : arena.floats(rows * sizeOf(output));
    const dw = isLinear(placed) ? nextUnit : nextOwn;
    const at: LayerPlace = { x: value, y, dy, dx: parts.length === 0 ? null : gradient, dw };
    const make = makers[layer.layer] as Maker<Layer>;
    planned.push({ ...make(layer, placed, at, { rows, arena, kernels }), offset });
    if (isLinear(placed)) nextUnit += 4 * parameters;
    else nextOwn += 4 * parameters;
    if (parameters > 0)
      parts.push({
        offset,
        parameters,
        dw,
        outer: isLinear(placed) ? outerOf(placed, at, rows, arena) : null,
      });
    [value, gradient] = [y, dy];
  }
  if (gradient === null) throw new TypeError("a checked network has layers");
  return { layers: planned, rows, x, labels, z: value, dz: gradient, parts, own, unit };
}

function outerOf({ input, output }: PlacedLayer, at: LayerPlace, rows: number, arena: Arena): OuterFactors {
  const outputs = sizeOf(output);
  const width = 4 * Math.ceil(outputs / 4);
  const scaled = arena.floats(rows * width);
  return { x: at.x, inputs: sizeOf(input), d: at.dy, outputs, scaled, stride: 4 * width };
}
