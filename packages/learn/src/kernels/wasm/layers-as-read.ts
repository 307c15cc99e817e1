import { elementAt } from "@lethe/core/numeric";
import type { Layer, Shape } from "../network/network.ts";
import type { PlacedLayer } from "../network/read-network.ts";

/** How a layer goes about a picture of which less is asked. */
interface Reading<L extends Layer> {
  /** Whether it can give a part of its output, where its own input may be a part. */
  readonly part: boolean;
  /** What it reads of its input, to give that much of its output. */
  readonly reads: (layer: L, input: Shape, output: Shape) => Shape;
}

const whole: Reading<Layer> = { part: false, reads: (_layer, input) => input };
const entries: Reading<Layer> = { part: true, reads: (_layer, _input, output) => output };

/** Of every side the places that windows reach: from the first on, and never more than there are. */
const windows = (
  { kernel, stride }: { readonly kernel: number; readonly stride: number },
  padding: number,
  input: Shape,
  output: Shape,
): Shape => {
  const reached = (at: number): number => (elementAt(output, at) - 1) * stride + kernel - padding;
  const side = (at: number): number => Math.min(elementAt(input, at), Math.max(1, reached(at)));
  return [side(0), side(1), elementAt(input, 2)];
};
const pooled: Reading<Extract<Layer, { layer: "max-pool2d" | "avg-pool2d" }>> = {
  part: true,
  reads: (layer, input, output) => windows(layer, 0, input, output),
};

const readings: { readonly [Name in Layer["layer"]]: Reading<Extract<Layer, { layer: Name }>> } = {
  linear: whole,
  conv2d: { part: true, reads: (layer, input, output) => windows(layer, layer.padding, input, output) },
  "max-pool2d": pooled,
  "avg-pool2d": pooled,
  "group-norm": whole,
  "layer-norm": whole,
  embedding: whole,
  relu: entries,
  tanh: entries,
  sigmoid: entries,
  flatten: whole,
};

const readingOf = ({ layer }: PlacedLayer): Reading<Layer> => readings[layer.layer] as Reading<Layer>;

/**
 * The layers, each with as much of its input and output as later ones read. Windows of a stride above 1 may reach no last row or column of a picture: what
 * stands there is not computed, and has a gradient of 0. The network's own input is laid out whole.
 */
export function layersAsRead(layers: readonly PlacedLayer[]): readonly PlacedLayer[] {
  /** Whether each layer's output may be a part: windows give one of any input, functions of entries only of a part. */
  const parts: boolean[] = [];
  for (const placed of layers)
    parts.push(readingOf(placed).part && ("kernel" in placed.layer || parts.at(-1) === true));
  const found: PlacedLayer[] = [];
  for (let at = layers.length - 1; at >= 0; at -= 1) {
    const placed = elementAt(layers, at);
    const output = found[0]?.input ?? placed.output;
    const reads = (): Shape => readingOf(placed).reads(placed.layer, placed.input, output);
    found.unshift({ ...placed, input: parts[at - 1] === true ? reads() : placed.input, output });
  }
  return found;
}
