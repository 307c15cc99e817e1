import { doubleAt } from "@lethe/core/numeric";
import { increase, type ReferenceLayer } from "../reference-layer.ts";

/** y_j = b_j + Σ_i x_i·W_ij. */
export function linear(inputs: number, outputs: number): ReferenceLayer {
  return {
    forward(x, w) {
      const y = w.slice(inputs * outputs);
      for (let i = 0; i < inputs; i += 1)
        for (let j = 0; j < outputs; j += 1) increase(y, j, doubleAt(x, i) * doubleAt(w, i * outputs + j));
      return y;
    },
    backward({ x, dy, w, dw }) {
      const dx = new Float64Array(inputs);
      for (let i = 0; i < inputs; i += 1) {
        for (let j = 0; j < outputs; j += 1) {
          increase(dw, i * outputs + j, doubleAt(x, i) * doubleAt(dy, j));
          increase(dx, i, doubleAt(w, i * outputs + j) * doubleAt(dy, j));
        }
      }
      for (let j = 0; j < outputs; j += 1) increase(dw, inputs * outputs + j, doubleAt(dy, j));
      return dx;
    },
  };
}
