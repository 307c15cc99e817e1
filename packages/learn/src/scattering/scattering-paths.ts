import { coarserSpectrum } from "./filtering.ts";
import { morletWavelets } from "./wavelets.ts";

/** A wavelet after another or after the picture, its channel, and the wavelets after it. */
export interface Path {
  readonly scale: number;
  readonly channel: number;
  /** The wavelet's transform over the grid that it meets. */
  readonly spectrum: Float64Array;
  readonly next: readonly Path[];
}

/** The tree of paths: every wavelet, and after it those of coarser scales, for a modulus has left nothing finer. Channel 0 is the picture's own. */
export function scatteringPaths(
  size: readonly [number, number],
  scales: number,
  angles: number,
): { readonly paths: readonly Path[]; readonly channels: number } {
  const wavelets = morletWavelets(size[0], size[1], scales, angles);
  let channels = 1 + wavelets.length;
  const paths = wavelets.map(({ scale, spectrum }, at): Path => {
    const next = wavelets
      .filter((after) => after.scale > scale)
      .map((after): Path => {
        const coarse = coarserSpectrum(after.spectrum, size, scale);
        const channel = channels;
        channels += 1;
        return { scale: after.scale, channel, spectrum: coarse, next: [] };
      });
    return { scale, channel: 1 + at, spectrum, next };
  });
  return { paths, channels };
}
