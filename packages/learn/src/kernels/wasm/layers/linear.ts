import type { Arena } from "../arena.ts";
import type { Kernels, LayerPlace, WasmLayer } from "../wasm-layer.ts";

/** y = x·W + b. A row's gradient of W and b is the outer product of x (and 1) with dy; it is multiplied out only where rows are added up. */
export function linear(
  inputs: number,
  outputs: number,
  { x, y, dx, dy, dw }: LayerPlace,
  arena: Arena,
  kernels: Kernels,
): WasmLayer {
  const panels = arena.panels(inputs, outputs);
  const transposed = dx === null ? null : arena.panels(outputs, inputs);
  const bias = arena.floats(outputs + 8);
  const zeros = arena.floats(inputs + 8);
  return {
    load(weights) {
      const k = kernels();
      k.pack(weights, inputs, outputs, outputs, 1, panels);
      if (transposed !== null) k.pack(weights, outputs, inputs, 1, outputs, transposed);
      k.narrow(weights + 8 * inputs * outputs, outputs, bias);
    },
    forward: (rows) => kernels().multiply(x, 4 * inputs, rows, inputs, panels, outputs, bias, y, 4 * outputs),
    backward(rows, { dense }) {
      const k = kernels();
      if (dense) {
        k.multiplyTransposed(x, 4 * inputs, dy, 4 * outputs, rows, inputs, outputs, dw);
        k.addRows(dy, rows, outputs, dw + 4 * inputs * outputs);
      }
      if (dx !== null && transposed !== null)
        k.multiply(dy, 4 * outputs, rows, outputs, transposed, inputs, zeros, dx, 4 * inputs);
    },
  };
}
