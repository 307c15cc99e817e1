import { doubleAt, elementAt } from "@lethe/core/numeric";
import { sizeOf } from "../../network/layer-shape.ts";
import { increase, type ReferenceLayer } from "../reference-layer.ts";
import { type Windows, windowPlaces } from "./windows.ts";

/** The largest entry of each window; its gradient goes to the first place that holds it. */
export function maxPooling(windows: Windows): ReferenceLayer {
  const channels = elementAt(windows.input, 2);
  const places = [...windowPlaces(windows)];
  return {
    forward(x) {
      const y = new Float64Array(sizeOf(windows.output)).fill(Number.NEGATIVE_INFINITY);
      for (const { position, from } of places) {
        for (let c = 0; c < channels; c += 1) {
          const j = position * channels + c;
          y[j] = Math.max(doubleAt(y, j), doubleAt(x, (from ?? 0) * channels + c));
        }
      }
      return y;
    },
    backward({ x, y, dy }) {
      const dx = new Float64Array(x.length);
      const left = dy.slice();
      for (const { position, from } of places) {
        for (let c = 0; c < channels; c += 1) {
          const [i, j] = [(from ?? 0) * channels + c, position * channels + c];
          if (doubleAt(x, i) !== doubleAt(y, j)) continue;
          increase(dx, i, doubleAt(left, j));
          left[j] = 0;
        }
      }
      return dx;
    },
  };
}

/** The mean of each window. */
export function averagePooling(windows: Windows): ReferenceLayer {
  const channels = elementAt(windows.input, 2);
  const places = [...windowPlaces(windows)];
  const share = 1 / windows.kernel ** 2;
  return {
    forward(x) {
      const y = new Float64Array(sizeOf(windows.output));
      for (const { position, from } of places)
        for (let c = 0; c < channels; c += 1)
          increase(y, position * channels + c, share * doubleAt(x, (from ?? 0) * channels + c));
      return y;
    },
    backward({ x, dy }) {
      const dx = new Float64Array(x.length);
      for (const { position, from } of places)
        for (let c = 0; c < channels; c += 1)
          increase(dx, (from ?? 0) * channels + c, share * doubleAt(dy, position * channels + c));
      return dx;
    },
  };
}
