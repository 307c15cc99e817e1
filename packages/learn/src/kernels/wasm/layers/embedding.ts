import type { Arena } from "../arena.ts";
import type { Kernels, LayerPlace, WasmLayer } from "../wasm-layer.ts";

/** The table's row of each of `length` indices. */
export function embedding(
  { entries, width }: { readonly entries: number; readonly width: number },
  length: number,
  { x, y, dy, dw }: LayerPlace,
  arena: Arena,
  kernels: Kernels,
): WasmLayer {
  const table = arena.floats(entries * width);
  return {
    load: (weights) => kernels().narrow(weights, entries * width, table),
    forward: (rows) => kernels().embed(x, rows * length, width, table, y),
    backward(rows, { stride }) {
      for (let row = 0; row < rows; row += 1) {
        const [from, to] = [dy + 4 * row * length * width, dw + row * stride];
        if (stride > 0) kernels().clear(to, 4 * entries * width);
        kernels().embedBack(x + 4 * row * length, from, length, width, to);
      }
    },
  };
}
