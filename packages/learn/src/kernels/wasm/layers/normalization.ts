import type { Arena } from "../arena.ts";
import type { Bytes } from "../kernel-exports.ts";
import { type Kernels, type LayerPlace, mostRows, type WasmLayer } from "../wasm-layer.ts";

/** How one example's entries are split into sets that share a mean. All steps and sizes count entries. */
export interface NormalizedSets {
  readonly size: number;
  /** Gains and biases: one each a channel. */
  readonly channels: number;
  readonly sets: number;
  /** From a set's first entry to the next set's. */
  readonly setStep: number;
  /** From a set's first channel to the next set's: 0 where all sets have the same channels. */
  readonly channelStep: number;
  /** The runs of one set: how many, how long, how far apart. */
  readonly positions: number;
  readonly width: number;
  readonly stride: number;
}

/** Every place by itself, over its last dimension. */
export const layerSets = (size: number, width: number): NormalizedSets => ({
  ...{ size, channels: width, sets: size / width, setStep: width, channelStep: 0 },
  ...{ positions: 1, width, stride: width },
});

/** Every group of channels, over all places. */
export const groupSets = (size: number, channels: number, groups: number): NormalizedSets => ({
  ...{ size, channels, sets: groups, setStep: channels / groups, channelStep: channels / groups },
  ...{ positions: size / channels, width: channels / groups, stride: channels },
});

/** Mean 0 and variance 1 within each set, then gain and bias by channel. */
export function normalization(
  of: NormalizedSets,
  { x, y, dx, dy, dw }: LayerPlace,
  arena: Arena,
  kernels: Kernels,
): WasmLayer {
  const { size, channels, sets, positions, width, stride } = of;
  const gain = arena.floats(channels);
  const bias = arena.floats(channels);
  const normalized = arena.floats(mostRows * size);
  const scales = arena.doubles(mostRows * sets);
  const unread = arena.floats(size);
  const everySet = (rows: number, use: (row: number, entry: Bytes, channel: Bytes, scale: Bytes) => void) => {
    for (let row = 0; row < rows; row += 1) {
      for (let set = 0; set < sets; set += 1)
        use(row, 4 * set * of.setStep, 4 * set * of.channelStep, scales + 8 * (row * sets + set));
    }
  };
  return {
    load(weights) {
      kernels().narrow(weights, channels, gain);
      kernels().narrow(weights + 8 * channels, channels, bias);
    },
    forward: (rows) =>
      everySet(rows, (row, entry, channel, scale) => {
        const at = 4 * row * size + entry;
        const own = [gain + channel, bias + channel, normalized + at, scale, y + at] as const;
        kernels().normalize(x + at, positions, width, stride, ...own);
      }),
    backward(rows, { stride: next }) {
      for (let row = 0; row < rows && next > 0; row += 1) kernels().clear(dw + row * next, 8 * channels);
      everySet(rows, (row, entry, channel, scale) => {
        const at = 4 * row * size + entry;
        const dgain = dw + row * next + channel;
        const to = dx === null ? unread + entry : dx + at;
        const own = [gain + channel, dgain, dgain + 4 * channels, to] as const;
        kernels().normalizeBack(normalized + at, scale, dy + at, positions, width, stride, ...own);
      });
    },
  };
}
