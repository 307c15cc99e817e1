import { doubleAt } from "@lethe/core/numeric";
import { increase, type ReferenceLayer } from "../reference-layer.ts";

/** The table's row of each index, one after another. No gradient leads through an index. */
export function embedding(width: number): ReferenceLayer {
  return {
    forward(x, w) {
      const y = new Float64Array(x.length * width);
      for (let i = 0; i < x.length; i += 1)
        y.set(w.subarray(doubleAt(x, i) * width, (doubleAt(x, i) + 1) * width), i * width);
      return y;
    },
    backward({ x, dy, dw }) {
      for (let j = 0; j < dy.length; j += 1)
        increase(dw, doubleAt(x, Math.floor(j / width)) * width + (j % width), doubleAt(dy, j));
      return new Float64Array(x.length);
    },
  };
}
