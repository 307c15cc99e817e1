import { doubleAt } from "../../../numeric/elements/element-at.ts";
import { placeAbove, type TailSums, type TailWindow } from "../tilt/tail-window.ts";
import type { SumSpectrum } from "./spectrum-power.ts";

const unit = Number.EPSILON / 2;

/** The largest share of frequencies for which the transform is read directly. With more, the inverse transform is little more work. */
const mostOfSize = 1 / 64;

/** Covers weights below the least double, and those near it that are rounded. */
const underflow = 1e-290;

/** The sums are read off the transform where that is quick and their noise at the mean is at most `lost`. Null elsewhere: masses give sharper sums far out. */
export function sharpSpectralTails(spectrum: SumSpectrum, window: TailWindow, lost: number): TailSums | null {
  if (spectrum.frequencies.length > mostOfSize * spectrum.size) return null;
  const tails = spectralTails(spectrum, window);
  return tails(window.mean).noise <= lost ? tails : null;
}

/**
 * The sums from the transform itself, by Parseval: the weights from a loss to the top of the window are a geometric series at every
 * frequency, so that a law of few frequencies needs no inverse transform (pld.proof.md, "Sums from the transform").
 */
export function spectralTails(spectrum: SumSpectrum, window: TailWindow): TailSums {
  const { pitch, offset, bottom, count, tilt, mean } = window;
  const top = bottom + count;
  const lossAt = (index: number): number => offset + index * pitch - mean;
  const plain = geometricSeries(spectrum, tilt * pitch);
  const shrunk = geometricSeries(spectrum, (tilt + 1) * pitch);
  const [topPlain, topShrunk] = [plain.at(top), shrunk.at(top)];
  // Weights are exponentials of differences of losses, which round by what they are the differences of.
  const losses = Math.abs(offset) + (Math.abs(bottom) + Math.abs(top)) * pitch + Math.abs(mean);
  const reach = (tilt + 1) * losses;
  const relative = (80 + 4 * spectrum.frequencies.length + 8 * reach) * unit;
  const sumOf = (series: GeometricSeries, rate: number, from: number, atTop: number, scale: number) => {
    const [low, high] = [Math.exp(-rate * lossAt(from) + scale), Math.exp(-rate * lossAt(top) + scale)];
    const weights = low * meanSeries(rate * pitch, top - from);
    return {
      sum: weights * series.mean + low * series.at(from) - high * atTop,
      noise: relative * (weights * series.mean + (low + high) * series.largest),
      weights,
    };
  };
  return (epsilon) => {
    const from = bottom + placeAbove(window, epsilon);
    if (from >= top) return { sum: 0, noise: underflow };
    const a = sumOf(plain, tilt, from, topPlain, 0);
    const b = sumOf(shrunk, tilt + 1, from, topShrunk, epsilon - mean);
    const noise = a.noise + b.noise + spectrum.error * a.weights * (1 + 1e-9);
    return { sum: a.sum - b.sum, noise: noise + underflow };
  };
}

/** The transform times 1/(1 − z_k) for z_k = e^{−decay + 2πik/size}: what a geometric series of weights makes of each frequency but 0. */
interface GeometricSeries {
  /** Σ over the frequencies other than 0 of the term at an index, the factor 1/size included. */
  at(index: number): number;
  /** An upper bound on the magnitude of any such sum. */
  readonly largest: number;
  /** The term of frequency 0, short of its series. */
  readonly mean: number;
}

function geometricSeries({ size, frequencies, re, im }: SumSpectrum, decay: number): GeometricSeries {
  const used = frequencies.filter((k) => k > 0);
  const termRe = new Float64Array(used.length);
  const termIm = new Float64Array(used.length);
  const shrink = Math.exp(-decay);
  let largest = 0;
  for (const [i, k] of used.entries()) {
    const angle = (2 * Math.PI * k) / size;
    const half = Math.sin(angle / 2);
    // 1 − z in a form that does not cancel.
    const [x, y] = [-Math.expm1(-decay) + 2 * shrink * half * half, -shrink * Math.sin(angle)];
    const scale = (k === size / 2 ? 1 : 2) / (size * (x * x + y * y));
    termRe[i] = scale * (doubleAt(re, k) * x + doubleAt(im, k) * y);
    termIm[i] = scale * (doubleAt(im, k) * x - doubleAt(re, k) * y);
    largest += Math.hypot(doubleAt(termRe, i), doubleAt(termIm, i));
  }
  return {
    at: (index) => {
      const place = ((index % size) + size) % size;
      let sum = 0;
      for (const [i, k] of used.entries()) {
        const turns = (k * place) % size;
        const angle = (2 * Math.PI * (turns > size / 2 ? turns - size : turns)) / size;
        sum += doubleAt(termRe, i) * Math.cos(angle) - doubleAt(termIm, i) * Math.sin(angle);
      }
      return sum;
    },
    largest,
    mean: frequencies[0] === 0 ? doubleAt(re, 0) / size : 0,
  };
}

/** Σ e^{−decay·j} for 0 ≤ j < n. */
function meanSeries(decay: number, n: number): number {
  return decay === 0 ? n : Math.expm1(-decay * n) / Math.expm1(-decay);
}
