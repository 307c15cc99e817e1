import { doubleAt, elementAt } from "@lethe/core/numeric";
import { sizeOf } from "../../network/layer-shape.ts";
import { increase, type ReferenceLayer } from "../reference-layer.ts";
import { type Windows, windowPlaces } from "./windows.ts";

/** y[position, m] = b_m + Σ over taps and channels of x·W[tap, channel, m]. */
export function convolution(windows: Windows): ReferenceLayer {
  const channels = elementAt(windows.input, 2);
  const outputs = elementAt(windows.output, 2);
  const places = [...windowPlaces(windows)];
  const bias = windows.kernel ** 2 * channels * outputs;
  /** Calls for every product of the sum: places of x, W and y. */
  const products = (use: (x: number, w: number, y: number) => void): void => {
    for (const { position, tap, from } of places) {
      if (from === null) continue;
      for (let c = 0; c < channels; c += 1)
        for (let m = 0; m < outputs; m += 1)
          use(from * channels + c, (tap * channels + c) * outputs + m, position * outputs + m);
    }
  };
  return {
    forward(x, w) {
      const y = Float64Array.from({ length: sizeOf(windows.output) }, (_, i) =>
        doubleAt(w, bias + (i % outputs)),
      );
      products((i, k, j) => increase(y, j, doubleAt(x, i) * doubleAt(w, k)));
      return y;
    },
    backward({ x, dy, w, dw }) {
      const dx = new Float64Array(x.length);
      products((i, k, j) => {
        increase(dw, k, doubleAt(x, i) * doubleAt(dy, j));
        increase(dx, i, doubleAt(w, k) * doubleAt(dy, j));
      });
      for (let j = 0; j < dy.length; j += 1) increase(dw, bias + (j % outputs), doubleAt(dy, j));
      return dx;
    },
  };
}
