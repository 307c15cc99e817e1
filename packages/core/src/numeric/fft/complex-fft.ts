import { invalidParameter } from "../../errors/lethe-error.ts";
import { doubleAt } from "../elements/element-at.ts";
import { twiddles } from "./twiddles.ts";

/** The transform of n complex numbers, Σ x_j·e^{−2πi·jk/n}, as it is found in `re` and `im` after {@link ComplexFft.run}. */
export interface ComplexFft {
  readonly size: number;
  readonly re: Float64Array;
  readonly im: Float64Array;
  /** Transforms re and im in place. Calls with re and im exchanged give n times the inverse. */
  run(): void;
}

/** Stockham's self-sorting transform by radix 4, with one step of radix 2 where needed. Errors: n is not a power of two ≤ 2^24. */
export function complexFft(n: number): ComplexFft {
  if (!(n >= 1 && n <= 1 << 24 && Number.isInteger(Math.log2(n)))) {
    throw invalidParameter("size", n, "a power of two up to 2^24");
  }
  const { cos, sin } = twiddles(n, Math.max(1, (3 * n) / 4));
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  const spareRe = new Float64Array(n);
  const spareIm = new Float64Array(n);
  const run = (): void => {
    let [fromRe, fromIm, toRe, toIm] = [re, im, spareRe, spareIm];
    let stride = 1;
    for (; n / stride >= 4; stride *= 4) {
      radix4(n, stride, cos, sin, fromRe, fromIm, toRe, toIm);
      [fromRe, fromIm, toRe, toIm] = [toRe, toIm, fromRe, fromIm];
    }
    if (n / stride === 2) {
      radix2(stride, fromRe, fromIm, toRe, toIm);
      [fromRe, fromIm] = [toRe, toIm];
    }
    if (fromRe !== re) {
      re.set(fromRe);
      im.set(fromIm);
    }
  };
  return { size: n, re, im, run };
}

function radix4(
  n: number,
  stride: number,
  cos: Float64Array,
  sin: Float64Array,
  xRe: Float64Array,
  xIm: Float64Array,
  yRe: Float64Array,
  yIm: Float64Array,
): void {
  const quarter = n >> 2;
  const groups = quarter / stride;
  for (let p = 0; p < groups; p++) {
    const turn = p * stride;
    const c1 = doubleAt(cos, turn);
    const s1 = doubleAt(sin, turn);
    const c2 = doubleAt(cos, 2 * turn);
    const s2 = doubleAt(sin, 2 * turn);
    const c3 = doubleAt(cos, 3 * turn);
    const s3 = doubleAt(sin, 3 * turn);
    const end = turn + stride;
    for (let a = turn, out = 4 * turn; a < end; a++, out++) {
      const b = a + quarter;
      const c = b + quarter;
      const d = c + quarter;
      const sumRe = doubleAt(xRe, a) + doubleAt(xRe, c);
      const sumIm = doubleAt(xIm, a) + doubleAt(xIm, c);
      const gapRe = doubleAt(xRe, a) - doubleAt(xRe, c);
      const gapIm = doubleAt(xIm, a) - doubleAt(xIm, c);
      const otherSumRe = doubleAt(xRe, b) + doubleAt(xRe, d);
      const otherSumIm = doubleAt(xIm, b) + doubleAt(xIm, d);
      const otherGapRe = doubleAt(xRe, b) - doubleAt(xRe, d);
      const otherGapIm = doubleAt(xIm, b) - doubleAt(xIm, d);
      yRe[out] = sumRe + otherSumRe;
      yIm[out] = sumIm + otherSumIm;
      const r2 = sumRe - otherSumRe;
      const i2 = sumIm - otherSumIm;
      // −i·(b − d) and i·(b − d).
      const r1 = gapRe + otherGapIm;
      const i1 = gapIm - otherGapRe;
      const r3 = gapRe - otherGapIm;
      const i3 = gapIm + otherGapRe;
      const out1 = out + stride;
      const out2 = out1 + stride;
      const out3 = out2 + stride;
      yRe[out1] = r1 * c1 - i1 * s1;
      yIm[out1] = r1 * s1 + i1 * c1;
      yRe[out2] = r2 * c2 - i2 * s2;
      yIm[out2] = r2 * s2 + i2 * c2;
      yRe[out3] = r3 * c3 - i3 * s3;
      yIm[out3] = r3 * s3 + i3 * c3;
    }
  }
}

function radix2(
  stride: number,
  xRe: Float64Array,
  xIm: Float64Array,
  yRe: Float64Array,
  yIm: Float64Array,
): void {
  for (let a = 0, b = stride; a < stride; a++, b++) {
    yRe[a] = doubleAt(xRe, a) + doubleAt(xRe, b);
    yIm[a] = doubleAt(xIm, a) + doubleAt(xIm, b);
    yRe[b] = doubleAt(xRe, a) - doubleAt(xRe, b);
    yIm[b] = doubleAt(xIm, a) - doubleAt(xIm, b);
  }
}
