import type { Bytes } from "./kernel-exports.ts";

/** So many things, each so many bytes behind the one before. */
export interface Spaced {
  readonly count: number;
  readonly bytes: Bytes;
}

/**
 * Where rows of a matrix begin that lies in rows of rows: offsets in the order of counting, the last level fastest.
 * @example rowOffsets({ count: 2, bytes: 100 }, { count: 3, bytes: 4 }) // => 0, 4, 8, 100, 104, 108
 */
export const rowOffsets = (...levels: readonly Spaced[]): Uint32Array =>
  levels.reduce(
    (offsets, { count, bytes }) =>
      Uint32Array.from(
        { length: offsets.length * count },
        (_, at) => (offsets[Math.floor(at / count)] ?? 0) + (at % count) * bytes,
      ),
    Uint32Array.of(0),
  );
