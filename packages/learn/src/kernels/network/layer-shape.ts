import { elementAt } from "@lethe/core/numeric";
import { unfit } from "./fields.ts";
import type { Layer, Shape } from "./network.ts";

/** Returns the number of entries. */
export const sizeOf = (shape: Shape): number => shape.reduce((product, size) => product * size, 1);

/** What a layer makes of a shape, and the shapes of its weights: the first of them may be a matrix, inputs × outputs. */
export interface LayerShape {
  readonly output: Shape;
  readonly weights: readonly Shape[];
}

type Rule<L extends Layer> = (layer: L, input: Shape, place: string) => LayerShape;

const same: Rule<Layer> = (_layer, input) => ({ output: input, weights: [] });

const told = (shape: Shape): string => `[${shape.join(", ")}]`;

function plane(input: Shape, place: string): readonly [number, number, number] {
  if (input.length !== 3) {
    throw unfit(
      place,
      `takes [height, width, channels], and is given ${told(input)}`,
      "give the input three dimensions, and put flatten after this layer",
    );
  }
  return [elementAt(input, 0), elementAt(input, 1), elementAt(input, 2)];
}

/** The number of places that a window takes along one side. */
function windows(side: number, kernel: number, stride: number, place: string): number {
  if (kernel > side) {
    throw unfit(
      place,
      `has a kernel of ${kernel} on a side of ${side}`,
      "make the kernel smaller, or pad the input of a conv2d",
    );
  }
  return Math.floor((side - kernel) / stride) + 1;
}

const pooled: Rule<Extract<Layer, { layer: "max-pool2d" | "avg-pool2d" }>> = (
  { kernel, stride },
  input,
  place,
) => {
  const [height, width, channels] = plane(input, place);
  return {
    output: [windows(height, kernel, stride, place), windows(width, kernel, stride, place), channels],
    weights: [],
  };
};

const rules: { readonly [Name in Layer["layer"]]: Rule<Extract<Layer, { layer: Name }>> } = {
  linear: ({ outputs }, input, place) => {
    if (input.length !== 1) {
      throw unfit(
        place,
        `takes a vector, and is given ${told(input)}`,
        'put { "layer": "flatten" } before it',
      );
    }
    return { output: [outputs], weights: [[sizeOf(input), outputs], [outputs]] };
  },
  conv2d: ({ channels, kernel, stride, padding }, input, place) => {
    const [height, width, from] = plane(input, place);
    const side = (length: number): number => windows(length + 2 * padding, kernel, stride, place);
    return {
      output: [side(height), side(width), channels],
      weights: [[kernel * kernel * from, channels], [channels]],
    };
  },
  "max-pool2d": pooled,
  "avg-pool2d": pooled,
  "group-norm": ({ groups }, input, place) => {
    const channels = elementAt(input, input.length - 1);
    if (channels % groups !== 0) {
      throw unfit(
        place,
        `splits ${channels} channels into ${groups} groups`,
        `take a number of groups that divides ${channels}`,
      );
    }
    return { output: input, weights: [[channels], [channels]] };
  },
  "layer-norm": (_layer, input) => {
    const width = elementAt(input, input.length - 1);
    return { output: input, weights: [[width], [width]] };
  },
  embedding: ({ entries, width }, input, place) => {
    if (input.length !== 1)
      throw unfit(place, `takes a vector of indices, and is given ${told(input)}`, "write input: [length]");
    return { output: [elementAt(input, 0), width], weights: [[entries, width]] };
  },
  relu: same,
  tanh: same,
  sigmoid: same,
  flatten: (_layer, input) => ({ output: [sizeOf(input)], weights: [] }),
};

/** Derives what a layer makes of an input. Errors: model.invalid where it cannot take it. */
export function layerShape(layer: Layer, input: Shape, place: string): LayerShape {
  const rule = rules[layer.layer] as Rule<Layer>;
  return rule(layer, input, place);
}
