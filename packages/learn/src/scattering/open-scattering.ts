import { invalidParameter } from "@lethe/core/errors";
import { elementAt } from "@lethe/core/numeric";
import { dot, filterInto, mirrorInto, modulusInto, weightedRows } from "./filtering.ts";
import { fourier, type Grid, zeroGrid } from "./fourier.ts";
import { type Path, scatteringPaths } from "./scattering-paths.ts";
import { averages } from "./wavelets.ts";

/** What is asked of a scattering. */
export interface ScatteringRequest {
  /** The size of a picture of one channel, in pixels. */
  readonly height: number;
  readonly width: number;
  /** Octaves: averages are over about 2^scales pixels. 2 unless stated. */
  readonly scales?: number;
  /** Directions of waves, an even number; 8 unless stated. */
  readonly angles?: number;
}

/** Features of pictures that no data taught: each picture's are a function of that picture alone. */
export interface Scattering {
  /** Height, width and channels of one picture's features: ⌊height/2^S⌋ × ⌊width/2^S⌋ × (1 + A·S + A²·S·(S − 1)/2), of S scales and A angles. */
  readonly shape: readonly [number, number, number];
  /**
   * Pictures, pixel rows one after another, to features in the order of `shape`. A pixel that is not finite makes its picture's features NaN.
   * Errors: parameter.invalid for pixels that are no whole pictures.
   */
  features(pictures: Float32Array): Float32Array;
}

/**
 * Opens the scattering transform of two orders: averages of a picture, of the moduli of its wavelet coefficients, and of those of these.
 * A picture is continued past its border as in a mirror. Channels: order 0, order 1 by scale and angle, order 2 by first and second wavelet.
 * Source: Mallat 2012 (arXiv 1101.2286); Bruna & Mallat 2013 (arXiv 1203.1513). As public features of private models: Tramèr & Boneh 2021 (arXiv 2011.11660).
 * Sines and exponentials are the machine's own: the last bits of a feature may differ from one engine to another.
 * Errors: parameter.invalid for sizes that are no whole numbers, pictures too small for the scales, and an odd number of angles.
 * @example openScattering({ height: 28, width: 28 }).shape // => [7, 7, 81]
 */
export function openScattering({ height, width, scales = 2, angles = 8 }: ScatteringRequest): Scattering {
  checkRequest(height, width, scales, angles);
  const unit = 2 ** scales;
  const padded = (length: number): number => (Math.floor(length / unit) + 2) * unit;
  const size = [padded(height), padded(width)] as const;
  const { paths, channels } = scatteringPaths(size, scales, angles);
  const shape = [size[0] / unit - 2, size[1] / unit - 2, channels] as const;
  const levels = Array.from({ length: scales }, (_, coarse) => levelOf(size, scales, coarse));
  const picture = zeroGrid(...size);

  const average = (grid: Grid, level: Level, channel: number, to: Float32Array): void => {
    for (const [row, weights] of level.down.entries()) {
      const line = weightedRows(grid, weights);
      for (const [column, across] of level.across.entries())
        to[(row * shape[1] + column) * channels + channel] = dot(line, across);
    }
  };
  const follow = (
    grid: Grid,
    coarse: number,
    order: 0 | 1,
    next: readonly Path[],
    to: Float32Array,
  ): void => {
    const spectrum = elementAt(levels, coarse).forward[order](grid);
    for (const path of next) {
      const level = elementAt(levels, path.scale);
      const modulus = level.moduli[order];
      filterInto(spectrum, path.spectrum, level.filtered);
      modulusInto(level.back(level.filtered), modulus);
      average(modulus, level, path.channel, to);
      if (path.next.length > 0) follow(modulus, path.scale, 1, path.next, to);
    }
  };

  return {
    shape,
    features(pictures) {
      const pixels = height * width;
      if (pictures.length % pixels !== 0)
        throw invalidParameter("pictures' length", pictures.length, `a multiple of ${pixels}`);
      const each = shape[0] * shape[1] * channels;
      const found = new Float32Array((pictures.length / pixels) * each);
      for (let at = 0; at * pixels < pictures.length; at++) {
        mirrorInto(pictures.subarray(at * pixels, (at + 1) * pixels), height, width, picture);
        const to = found.subarray(at * each, (at + 1) * each);
        average(picture, elementAt(levels, 0), 0, to);
        follow(picture, 0, 0, paths, to);
      }
      return found;
    },
  };
}

type Level = ReturnType<typeof levelOf>;

/** What works on grids of every 2^coarse-th entry. Paths of the first order are half-way while those of the second run: each order has memory of its own. */
function levelOf(size: readonly [number, number], scales: number, coarse: number) {
  const [height, width] = [size[0] / 2 ** coarse, size[1] / 2 ** coarse];
  return {
    forward: [fourier(height, width, "forward"), fourier(height, width, "forward")],
    back: fourier(height, width, "back"),
    filtered: zeroGrid(height, width),
    moduli: [zeroGrid(height, width), zeroGrid(height, width)],
    down: averages(size[0], scales, coarse),
    across: averages(size[1], scales, coarse),
  } as const;
}

function checkRequest(height: number, width: number, scales: number, angles: number): void {
  if (!(Number.isSafeInteger(scales) && scales >= 1 && scales <= 8))
    throw invalidParameter("scales", scales, "a whole number from 1 to 8");
  if (!(Number.isSafeInteger(angles) && angles >= 2 && angles <= 64 && angles % 2 === 0))
    throw invalidParameter("angles", angles, "an even number from 2 to 64");
  // A mirror shows no more than the picture that stands before it.
  const least = 2 ** (scales + 1);
  for (const [name, length] of Object.entries({ height, width })) {
    if (!(Number.isSafeInteger(length) && length >= least && length <= 4096))
      throw invalidParameter(
        name,
        length,
        `a whole number from ${least} to 4096: 2 to the power of scales + 1 at least`,
      );
  }
}
