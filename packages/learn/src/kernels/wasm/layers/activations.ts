import type { Kernels, LayerPlace, WasmLayer } from "../wasm-layer.ts";

/** A function of each of `size` entries a row. */
export function activation(
  name: "relu" | "tanh" | "sigmoid",
  size: number,
  { x, y, dx, dy }: LayerPlace,
  kernels: Kernels,
): WasmLayer {
  const back = `${name}Back` as const;
  return {
    load: () => undefined,
    forward: (rows) => kernels()[name](x, rows * size, y),
    backward(rows) {
      if (dx !== null) kernels()[back](y, dy, rows * size, dx);
    },
  };
}

/** Flatten: what lies there is read as a vector. */
export const nothing: WasmLayer = {
  load: () => undefined,
  forward: () => undefined,
  backward: () => undefined,
};
