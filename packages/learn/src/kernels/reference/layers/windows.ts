import { elementAt } from "@lethe/core/numeric";
import type { Shape } from "../../network/network.ts";

/** Square windows over [height, width, channels], moved by `stride` over a picture with `padding` zeros around it. */
export interface Windows {
  readonly input: Shape;
  readonly output: Shape;
  readonly kernel: number;
  readonly stride: number;
  readonly padding: number;
}

/** A place of a window: of the output position (counted without channels), of the kernel, and of the input, or null in the padding. */
export interface WindowPlace {
  readonly position: number;
  readonly tap: number;
  readonly from: number | null;
}

/** Every place of every window, window by window, rows of the kernel first. Positions are to be multiplied by the number of channels. */
export function* windowPlaces({ input, output, kernel, stride, padding }: Windows): Iterable<WindowPlace> {
  const [height, width] = [elementAt(input, 0), elementAt(input, 1)];
  const [rows, columns] = [elementAt(output, 0), elementAt(output, 1)];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      for (let tap = 0; tap < kernel * kernel; tap += 1) {
        const h = row * stride - padding + Math.floor(tap / kernel);
        const w = column * stride - padding + (tap % kernel);
        const inside = h >= 0 && h < height && w >= 0 && w < width;
        yield { position: row * columns + column, tap, from: inside ? h * width + w : null };
      }
    }
  }
}
