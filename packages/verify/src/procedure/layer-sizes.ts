import type { Layer, Network } from "./network.ts";

/** What a layer makes of a shape, and how many weights it has; null where they do not fit. */
type Step = { readonly shape: readonly number[]; readonly weights: number } | null;

const sizeOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/**
 * The entries of a network's input, its outputs, its weights, and how many of its layers have weights, counted from its description; null where a layer does
 * not fit what it is given.
 */
export function networkSizes({ input, layers }: Network): {
  readonly inputs: number;
  readonly outputs: number;
  readonly weights: number;
  readonly weighted: number;
} | null {
  let shape: readonly number[] = input;
  let weights = 0;
  let weighted = 0;
  for (const layer of layers) {
    const step = stepOf(layer, shape);
    if (step === null) return null;
    shape = step.shape;
    weights += step.weights;
    if (step.weights > 0) weighted += 1;
  }
  return { inputs: sizeOf(input), outputs: sizeOf(shape), weights, weighted };
}

function stepOf(layer: Layer, shape: readonly number[]): Step {
  const channels = shape.at(-1) ?? 0;
  switch (layer.layer) {
    case "linear":
      return shape.length === 1
        ? { shape: [layer.outputs], weights: (sizeOf(shape) + 1) * layer.outputs }
        : null;
    case "conv2d": {
      const plane = windows(shape, layer, layer.padding);
      const each = layer.kernel ** 2 * channels + 1;
      return plane && { shape: [...plane, layer.channels], weights: each * layer.channels };
    }
    case "max-pool2d":
    case "avg-pool2d": {
      const plane = windows(shape, layer, 0);
      return plane && { shape: [...plane, channels], weights: 0 };
    }
    case "group-norm":
      return channels % layer.groups === 0 ? { shape, weights: 2 * channels } : null;
    case "layer-norm":
      return { shape, weights: 2 * channels };
    case "flatten":
      return { shape: [sizeOf(shape)], weights: 0 };
    case "relu":
    case "tanh":
    case "sigmoid":
      return { shape, weights: 0 };
  }
}

function windows(
  shape: readonly number[],
  { kernel, stride }: { readonly kernel: number; readonly stride: number },
  padding: number,
): readonly number[] | null {
  if (shape.length !== 3) return null;
  const sides = shape.slice(0, 2).map((side) => Math.floor((side + 2 * padding - kernel) / stride) + 1);
  return sides.every((side) => side >= 1) ? sides : null;
}
