import { elementAt } from "@lethe/core/numeric";
import { sizeOf } from "../../network/layer-shape.ts";
import type { Layer, Shape } from "../../network/network.ts";
import type { Kernels, LayerPlace, WasmLayer } from "../wasm-layer.ts";

/** The largest entry, or the mean, of every window. */
export function pooling(
  { layer, kernel, stride }: Extract<Layer, { layer: "max-pool2d" | "avg-pool2d" }>,
  input: Shape,
  output: Shape,
  { x, y, dx, dy }: LayerPlace,
  kernels: Kernels,
): WasmLayer {
  const [width, channels] = [elementAt(input, 1), elementAt(input, 2)];
  const windows = [width, channels, kernel, stride, elementAt(output, 0), elementAt(output, 1)] as const;
  const [inputBytes, outputBytes] = [4 * sizeOf(input), 4 * sizeOf(output)];
  const forward = layer === "max-pool2d" ? "maxPool" : "averagePool";
  return {
    load: () => undefined,
    forward(rows) {
      for (let row = 0; row < rows; row += 1)
        kernels()[forward](x + row * inputBytes, ...windows, y + row * outputBytes);
    },
    backward(rows) {
      if (dx === null) return;
      const k = kernels();
      k.clear(dx, rows * inputBytes);
      for (let row = 0; row < rows; row += 1) {
        const [from, to] = [dy + row * outputBytes, dx + row * inputBytes];
        if (layer === "avg-pool2d") k.averagePoolBack(from, ...windows, to);
        else k.maxPoolBack(x + row * inputBytes, y + row * outputBytes, from, ...windows, to);
      }
    },
  };
}
