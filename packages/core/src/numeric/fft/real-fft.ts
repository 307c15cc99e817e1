import { invalidParameter } from "../../errors/lethe-error.ts";
import { doubleAt } from "../elements/element-at.ts";
import { complexFft } from "./complex-fft.ts";
import { twiddles } from "./twiddles.ts";

/** Transforms between n real numbers and the first n/2 + 1 of their n Fourier coefficients Σ x_j·e^{−2πi·jk/n}. */
export interface RealFft {
  readonly size: number;
  forward(x: Float64Array, re: Float64Array, im: Float64Array): void;
  /** The exact inverse, the factor 1/n included. */
  inverse(re: Float64Array, im: Float64Array, x: Float64Array): void;
}

const plans = new Map<number, RealFft>();

/** The transform of this size, with its twiddle factors and work space kept for the next call. Errors: not a power of two in 4 … 2^24. */
export function realFft(size: number): RealFft {
  const known = plans.get(size);
  if (known) return known;
  if (!(size >= 4 && size <= 1 << 24 && Number.isInteger(Math.log2(size)))) {
    throw invalidParameter("size", size, "a power of two from 4 to 2^24");
  }
  // A few sizes serve a whole account; large ones are not hoarded.
  if (plans.size >= 6 || size >= 1 << 22) plans.clear();
  const plan = planOf(size);
  plans.set(size, plan);
  return plan;
}

/**
 * A bound of ‖computed − exact‖₂/‖exact‖₂ for either direction: (log₂n + 2)·10u. Higham 2002, Thm 24.2 gives 6.7u for each
 * radix-2 level with twiddles within u; ours are within 2u, a radix-4 step is two levels, and the split of real input one more.
 */
export function fftRelativeError(size: number): number {
  return (Math.log2(size) + 2) * 10 * (Number.EPSILON / 2);
}

function planOf(size: number): RealFft {
  const half = size / 2;
  const fft = complexFft(half);
  const { re: zRe, im: zIm } = fft;
  const { cos, sin } = twiddles(size, size / 4 + 1);
  return {
    size,
    forward: (x, re, im) => {
      for (let k = 0, j = 0; k < half; k++, j += 2) {
        zRe[k] = doubleAt(x, j);
        zIm[k] = doubleAt(x, j + 1);
      }
      fft.run();
      // With even and odd parts E and O of the input: Z = E + iO, X_k = E_k + w^k·O_k.
      re[0] = doubleAt(zRe, 0) + doubleAt(zIm, 0);
      im[0] = 0;
      re[half] = doubleAt(zRe, 0) - doubleAt(zIm, 0);
      im[half] = 0;
      for (let k = 1, m = half - 1; k <= m; k++, m--) {
        const evenRe = 0.5 * (doubleAt(zRe, k) + doubleAt(zRe, m));
        const evenIm = 0.5 * (doubleAt(zIm, k) - doubleAt(zIm, m));
        const oddRe = 0.5 * (doubleAt(zIm, k) + doubleAt(zIm, m));
        const oddIm = 0.5 * (doubleAt(zRe, m) - doubleAt(zRe, k));
        const turnedRe = oddRe * doubleAt(cos, k) - oddIm * doubleAt(sin, k);
        const turnedIm = oddRe * doubleAt(sin, k) + oddIm * doubleAt(cos, k);
        re[k] = evenRe + turnedRe;
        im[k] = evenIm + turnedIm;
        re[m] = evenRe - turnedRe;
        im[m] = turnedIm - evenIm;
      }
    },
    inverse: (re, im, x) => {
      // The inverse transform is the forward one with real and imaginary parts exchanged.
      zIm[0] = 0.5 * (doubleAt(re, 0) + doubleAt(re, half));
      zRe[0] = 0.5 * (doubleAt(re, 0) - doubleAt(re, half));
      for (let k = 1, m = half - 1; k <= m; k++, m--) {
        const evenRe = 0.5 * (doubleAt(re, k) + doubleAt(re, m));
        const evenIm = 0.5 * (doubleAt(im, k) - doubleAt(im, m));
        const turnedRe = 0.5 * (doubleAt(re, k) - doubleAt(re, m));
        const turnedIm = 0.5 * (doubleAt(im, k) + doubleAt(im, m));
        const oddRe = turnedRe * doubleAt(cos, k) + turnedIm * doubleAt(sin, k);
        const oddIm = turnedIm * doubleAt(cos, k) - turnedRe * doubleAt(sin, k);
        zIm[k] = evenRe - oddIm;
        zRe[k] = evenIm + oddRe;
        zIm[m] = evenRe + oddIm;
        zRe[m] = oddRe - evenIm;
      }
      fft.run();
      const scale = 1 / half;
      for (let k = 0, j = 0; k < half; k++, j += 2) {
        x[j] = doubleAt(zIm, k) * scale;
        x[j + 1] = doubleAt(zRe, k) * scale;
      }
    },
  };
}
