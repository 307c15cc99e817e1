import { elementAt } from "@lethe/core/numeric";
import { sizeOf } from "../../network/layer-shape.ts";
import type { Layer, Shape } from "../../network/network.ts";
import type { Arena } from "../arena.ts";
import type { Bytes } from "../kernel-exports.ts";
import type { Kernels, LayerPlace, WasmLayer } from "../wasm-layer.ts";

/**
 * A convolution as a product of matrices, row by row: windows × W. The windows of a block of rows are kept for the way back, where the gradient of each
 * window takes its place.
 */
export function convolution(
  { channels: outputs, kernel, stride, padding }: Extract<Layer, { layer: "conv2d" }>,
  input: Shape,
  output: Shape,
  { x, y, dx, dy, dw }: LayerPlace,
  mostRows: number,
  arena: Arena,
  kernels: Kernels,
): WasmLayer {
  const [height, width, channels] = [elementAt(input, 0), elementAt(input, 1), elementAt(input, 2)];
  const [outHeight, outWidth] = [elementAt(output, 0), elementAt(output, 1)];
  const positions = outHeight * outWidth;
  const depth = kernel * kernel * channels;
  const paddedWidth = width + 2 * padding;
  const paddedSize = (height + 2 * padding) * paddedWidth * channels;
  const [inputBytes, outputBytes] = [4 * sizeOf(input), 4 * sizeOf(output)];
  const panels = arena.panels(depth, outputs);
  const transposed = dx === null ? null : arena.panels(outputs, depth);
  const bias = arena.floats(outputs + 8);
  const zeros = arena.floats(depth + 8);
  const windowBytes = 4 * positions * depth;
  const allWindows = arena.floats(mostRows * positions * depth);
  const padded = padding === 0 ? null : arena.floats(paddedSize);

  const unfold = (row: number, windows: Bytes): void => {
    const k = kernels();
    let from = x + row * inputBytes;
    if (padded !== null) {
      k.pad(from, height, width, channels, padding, paddedWidth, padded);
      from = padded;
    }
    k.unfold(from, paddedWidth, channels, kernel, stride, outHeight, outWidth, windows);
  };
  /** The padded input is of no more use: its border stays zero for the next row, because only the middle is written. */
  const inputGradient = (row: number, windows: Bytes, to: Bytes, weights: Bytes): void => {
    const k = kernels();
    const from = dy + row * outputBytes;
    k.multiply(from, 4 * outputs, positions, outputs, weights, depth, zeros, windows, 4 * depth);
    const sums = padded ?? to;
    k.clear(sums, 4 * paddedSize);
    k.fold(windows, paddedWidth, channels, kernel, stride, outHeight, outWidth, sums);
    if (padded === null) return;
    k.unpad(padded, height, width, channels, padding, paddedWidth, to);
    k.clear(padded, 4 * paddedSize);
  };
  return {
    load(weights) {
      const k = kernels();
      k.pack(weights, depth, outputs, outputs, 1, panels);
      if (transposed !== null) k.pack(weights, outputs, depth, 1, outputs, transposed);
      k.narrow(weights + 8 * depth * outputs, outputs, bias);
    },
    forward(rows) {
      for (let row = 0; row < rows; row += 1) {
        const windows = allWindows + row * windowBytes;
        unfold(row, windows);
        const to = y + row * outputBytes;
        kernels().multiply(windows, 4 * depth, positions, depth, panels, outputs, bias, to, 4 * outputs);
      }
    },
    backward(rows, { stride: next }) {
      for (let row = 0; row < rows; row += 1) {
        const [from, to] = [dy + row * outputBytes, dw + row * next];
        const windows = allWindows + row * windowBytes;
        const k = kernels();
        k.multiplyTransposed(windows, 4 * depth, from, 4 * outputs, positions, depth, outputs, to);
        k.addRows(from, positions, outputs, to + 4 * depth * outputs);
        if (dx !== null && transposed !== null)
          inputGradient(row, windows, dx + row * inputBytes, transposed);
      }
    },
  };
}
