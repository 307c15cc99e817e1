import { type Arena, panelFloats } from "../arena.ts";
import { rowOffsets } from "../row-offsets.ts";
import type { Kernels, LayerPlace, WasmLayer } from "../wasm-layer.ts";

/** y = x·W + b. A row's gradient of W and b is the outer product of x (and 1) with dy; it is multiplied out only where rows are added up. */
export function linear(
  inputs: number,
  outputs: number,
  { x, y, dx, dy, dw }: LayerPlace,
  mostRows: number,
  arena: Arena,
  kernels: Kernels,
): WasmLayer {
  const panels = arena.floats(panelFloats(inputs, outputs));
  const transposed = dx === null ? null : arena.floats(panelFloats(outputs, inputs));
  const bias = arena.floats(outputs);
  const zeros = arena.floats(inputs);
  const inputRows = arena.table(rowOffsets({ count: mostRows, bytes: 4 * inputs }));
  const outputRows = arena.table(rowOffsets({ count: mostRows, bytes: 4 * outputs }));
  return {
    load(weights) {
      const k = kernels();
      k.pack(weights, inputs, outputs, outputs, 1, panels);
      if (transposed !== null) k.pack(weights, outputs, inputs, 1, outputs, transposed);
      k.narrow(weights + 8 * inputs * outputs, outputs, bias);
    },
    forward: (rows) =>
      kernels().multiply(x, inputRows, rows, 1, inputs, 0, panels, outputs, bias, y, outputRows, false),
    backward(rows, { dense }) {
      const k = kernels();
      if (dense) {
        k.multiplyTransposed(x, inputRows, rows, 1, inputs, 0, dy, outputs, dw, true);
        k.addRows(dy, rows, outputs, dw + 4 * inputs * outputs, true);
      }
      if (dx !== null && transposed !== null)
        k.multiply(dy, outputRows, rows, 1, outputs, 0, transposed, inputs, zeros, dx, inputRows, false);
    },
  };
}
