import { doubleAt } from "@lethe/core/numeric";
import { fourier, type Grid, zeroGrid } from "./fourier.ts";

/** A wavelet of scale 2^scale, as its transform over the padded picture: real, because the wavelet at −x is its conjugate at x. */
export interface Wavelet {
  readonly scale: number;
  readonly spectrum: Float64Array;
}

/** A Gaussian times a wave. Widths and frequencies are of pixels. */
interface Gabor {
  readonly width: number;
  /** Across the wave over along it. */
  readonly slant: number;
  readonly angle: number;
  readonly frequency: number;
}

/** How many periods on either side a function is wrapped from; what lies beyond is below 1e-20 of its peak. */
const wraps = 2;

/**
 * The Morlet wavelets of `angles` directions at each of `scales` octaves: a Gabor function less the Gaussian that makes it sum to 0. Along the first
 * axis at angle 0. Centre frequency 3π/4 and width 0.8 at the finest, halved and doubled from octave to octave; slant 4/angles.
 * Source: Bruna & Mallat 2013 (arXiv 1203.1513), Sec. 2.1; the constants are those of common implementations.
 */
export function morletWavelets(
  height: number,
  width: number,
  scales: number,
  angles: number,
): readonly Wavelet[] {
  const transform = fourier(height, width, "forward");
  return Array.from({ length: scales * angles }, (_, i) => {
    const scale = Math.floor(i / angles);
    const wave = {
      width: 0.8 * 2 ** scale,
      slant: 4 / angles,
      angle: ((angles / 2 - 1 - (i % angles)) * Math.PI) / angles,
      frequency: (3 * Math.PI) / 4 / 2 ** scale,
    };
    const gabor = gaborGrid(height, width, wave);
    const gaussian = gaborGrid(height, width, { ...wave, frequency: 0 });
    const share = total(gabor.re) / total(gaussian.re);
    const centred = {
      ...{ height, width, im: gabor.im },
      re: gabor.re.map((value, at) => value - share * doubleAt(gaussian.re, at)),
    };
    return { scale, spectrum: transform(centred).re.slice() };
  });
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

function gaborGrid(
  height: number,
  width: number,
  { width: deviation, slant, angle, frequency }: Gabor,
): Grid {
  const grid = zeroGrid(height, width);
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const norm = (2 * Math.PI * deviation * deviation) / slant;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      let [re, im] = [0, 0];
      for (let down = -wraps; down <= wraps; down++) {
        for (let right = -wraps; right <= wraps; right++) {
          const [x, y] = [row + down * height, column + right * width];
          const [along, across] = [x * cosine + y * sine, slant * (y * cosine - x * sine)];
          const size = Math.exp(-(along * along + across * across) / (2 * deviation * deviation)) / norm;
          re += size * Math.cos(frequency * along);
          im += size * Math.sin(frequency * along);
        }
      }
      grid.re[row * width + column] = re;
      grid.im[row * width + column] = im;
    }
  }
  return grid;
}

/**
 * One axis of the averaging at the end, of width 0.8·2^(scales − 1) pixels, over signals that keep every 2^coarse-th entry of `length`: rows of weights, one for
 * each output but the first and last, which lie in the border. The Gaussian of two axes is the product of one by one.
 */
export function averages(length: number, scales: number, coarse: number): readonly Float64Array[] {
  const deviation = 0.8 * 2 ** (scales - 1);
  const gaussian = Float64Array.from({ length }, (_, at) => {
    let sum = 0;
    for (let wrap = -wraps; wrap <= wraps; wrap++)
      sum += Math.exp(-((at + wrap * length) ** 2) / (2 * deviation ** 2));
    return sum / (Math.sqrt(2 * Math.PI) * deviation);
  });
  const kept = length / 2 ** coarse;
  // The frequencies that a coarser signal can hold.
  const spectrum = Float64Array.from({ length: kept }, (_, at) => {
    const frequency = at < kept / 2 ? at : at - kept;
    return gaussian.reduce((sum, g, x) => sum + g * Math.cos((2 * Math.PI * frequency * x) / length), 0);
  });
  const filter = Float64Array.from(
    { length: kept },
    (_, x) => spectrum.reduce((sum, s, at) => sum + s * Math.cos((2 * Math.PI * at * x) / kept), 0) / kept,
  );
  const step = 2 ** (scales - coarse);
  return Array.from({ length: length / 2 ** scales - 2 }, (_, out) =>
    Float64Array.from({ length: kept }, (_, x) => doubleAt(filter, ((out + 1) * step - x + kept) % kept)),
  );
}
