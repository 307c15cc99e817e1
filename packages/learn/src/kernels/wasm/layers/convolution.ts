import { elementAt } from "@lethe/core/numeric";
import { sizeOf } from "../../network/layer-shape.ts";
import type { Layer, Shape } from "../../network/network.ts";
import { type Arena, panelFloats } from "../arena.ts";
import { rowOffsets } from "../row-offsets.ts";
import type { Kernels, LayerPlace, WasmLayer } from "../wasm-layer.ts";

/**
 * A convolution as a product of matrices, windows × W. A window is a row in as many runs as the kernel has rows, and is read where it lies in the padded
 * picture; its gradient is added there.
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
  const run = kernel * channels;
  const paddedWidth = width + 2 * padding;
  const lineBytes = 4 * paddedWidth * channels;
  const pictureBytes = (height + 2 * padding) * lineBytes;
  const [inputBytes, outputBytes] = [4 * sizeOf(input), 4 * sizeOf(output)];
  const panels = arena.floats(panelFloats(kernel * run, outputs));
  /** Of each row of the kernel, transposed. */
  const runPanels = dx === null ? null : arena.floats(kernel * panelFloats(outputs, run));
  const runPanelBytes = 4 * panelFloats(outputs, run);
  const bias = arena.floats(outputs);
  const zeros = arena.floats(run);
  const padded = padding === 0 ? null : arena.floats((mostRows * pictureBytes) / 4);
  const pictures = padded ?? x;
  const windows = arena.table(
    rowOffsets(
      { count: mostRows, bytes: pictureBytes },
      { count: outHeight, bytes: stride * lineBytes },
      { count: outWidth, bytes: 4 * stride * channels },
    ),
  );
  const places = arena.table(rowOffsets({ count: mostRows * positions, bytes: 4 * outputs }));

  return {
    load(weights) {
      const k = kernels();
      k.pack(weights, kernel * run, outputs, outputs, 1, panels);
      for (let kh = 0; kh < kernel && runPanels !== null; kh += 1)
        k.pack(weights + 8 * kh * run * outputs, outputs, run, 1, outputs, runPanels + kh * runPanelBytes);
      k.narrow(weights + 8 * kernel * run * outputs, outputs, bias);
    },
    forward(rows) {
      const k = kernels();
      for (let row = 0; row < rows && padded !== null; row += 1) {
        const to = padded + row * pictureBytes;
        k.pad(x + row * inputBytes, height, width, channels, padding, paddedWidth, to);
      }
      const all = rows * positions;
      k.multiply(pictures, windows, all, kernel, run, lineBytes, panels, outputs, bias, y, places, false);
    },
    backward(rows, { stride: next }) {
      const k = kernels();
      const add = next === 0;
      for (let row = 0; row < rows; row += 1) {
        const [from, to] = [dy + row * outputBytes, dw + row * next];
        const own = windows + 4 * row * positions;
        k.multiplyTransposed(pictures, own, positions, kernel, run, lineBytes, from, outputs, to, add);
        k.addRows(from, positions, outputs, to + 4 * kernel * run * outputs, add);
      }
      if (dx === null || runPanels === null) return;
      // The padded pictures are of no more use: gradients take their place.
      const sums = padded ?? dx;
      k.clear(sums, rows * pictureBytes);
      for (let kh = 0; kh < kernel; kh += 1) {
        const [weights, to] = [runPanels + kh * runPanelBytes, sums + kh * lineBytes];
        k.multiply(dy, places, rows * positions, 1, outputs, 0, weights, run, zeros, to, windows, true);
      }
      if (padded === null) return;
      for (let row = 0; row < rows; row += 1) {
        const from = padded + row * pictureBytes;
        k.unpad(from, height, width, channels, padding, paddedWidth, dx + row * inputBytes);
      }
      // The border is to be zeros for the next block, of which only the middle is written.
      k.clear(padded, rows * pictureBytes);
    },
  };
}
