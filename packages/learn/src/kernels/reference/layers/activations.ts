import { doubleAt } from "@lethe/core/numeric";
import type { ReferenceLayer } from "../reference-layer.ts";

/** A function of each entry, whose slope follows from its value y. */
function entrywise(value: (x: number) => number, slope: (y: number) => number): ReferenceLayer {
  return {
    forward: (x) => x.map(value),
    backward: ({ y, dy }) => dy.map((gradient, i) => gradient * slope(doubleAt(y, i))),
  };
}

/** max(x, 0), of slope 0 at 0. */
export const relu: ReferenceLayer = entrywise(
  (x) => Math.max(x, 0),
  (y) => (y > 0 ? 1 : 0),
);

export const tanh: ReferenceLayer = entrywise(Math.tanh, (y) => 1 - y * y);

/** 1/(1 + e^−x), from e^−|x| so that neither end loses digits. */
export function sigmoidOf(x: number): number {
  const e = Math.exp(-Math.abs(x));
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

export const sigmoid: ReferenceLayer = entrywise(sigmoidOf, (y) => y * (1 - y));

export const flatten: ReferenceLayer = { forward: (x) => x, backward: ({ dy }) => dy };
