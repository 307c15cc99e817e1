import { doubleAt } from "@lethe/core/numeric";
import { increase, type ReferenceLayer } from "../reference-layer.ts";

/** Entries that share a mean and a variance: their places, and the channel whose gain and bias each has. */
export interface NormalizedSet {
  readonly places: readonly number[];
  readonly channels: readonly number[];
}

/** Added to the variance, so that equal entries are no division by zero. */
const epsilon = 1e-5;

/** y = gain·(x − mean)/√(variance + 1e-5) + bias within each set; w holds gains and then biases. */
export function normalization(sets: readonly NormalizedSet[], channels: number): ReferenceLayer {
  return {
    forward(x, w) {
      const y = new Float64Array(x.length);
      for (const { places, channels: own } of sets) {
        const { values } = normalized(x, places);
        for (const [at, i] of places.entries()) {
          const c = own[at] ?? 0;
          y[i] = doubleAt(values, at) * doubleAt(w, c) + doubleAt(w, channels + c);
        }
      }
      return y;
    },
    backward({ x, dy, w, dw }) {
      const dx = new Float64Array(x.length);
      for (const { places, channels: own } of sets) {
        const { values, factor } = normalized(x, places);
        const inner = places.map((i, at) => doubleAt(dy, i) * doubleAt(w, own[at] ?? 0));
        const sum = inner.reduce((total, g) => total + g, 0) / places.length;
        const along = inner.reduce((total, g, at) => total + g * doubleAt(values, at), 0) / places.length;
        for (const [at, i] of places.entries()) {
          const c = own[at] ?? 0;
          increase(dw, c, doubleAt(dy, i) * doubleAt(values, at));
          increase(dw, channels + c, doubleAt(dy, i));
          dx[i] = factor * ((inner[at] ?? Number.NaN) - sum - doubleAt(values, at) * along);
        }
      }
      return dx;
    },
  };
}

function normalized(
  x: Float64Array,
  places: readonly number[],
): { readonly values: Float64Array; readonly factor: number } {
  const own = Float64Array.from(places, (i) => doubleAt(x, i));
  const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
  const variance = own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / own.length;
  const factor = 1 / Math.sqrt(variance + epsilon);
  return { values: own.map((value) => (value - mean) * factor), factor };
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

/** One set for each place: all entries of the last dimension. */
export function layerSets(size: number, width: number): readonly NormalizedSet[] {
  return range(size / width).map((position) => ({
    places: range(width).map((c) => position * width + c),
    channels: range(width),
  }));
}

/** One set for each group of channels: those of all places. */
export function groupSets(size: number, channels: number, groups: number): readonly NormalizedSet[] {
  const width = channels / groups;
  return range(groups).map((group) => {
    const own = range((size / channels) * width).map((at) => ({
      position: Math.floor(at / width),
      channel: group * width + (at % width),
    }));
    return {
      places: own.map(({ position, channel }) => position * channels + channel),
      channels: own.map(({ channel }) => channel),
    };
  });
}
