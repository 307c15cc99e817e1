import { addAt, doubleAt } from "../../../numeric/elements/element-at.ts";
import { fftRelativeError, realFft } from "../../../numeric/fft/index.ts";
import type { TiltedLaw } from "../tilt/tilted-law.ts";
import { DirectTransform, directError, massBlocksOf } from "./direct-transform.ts";

/** Copies of one tilted law to be summed. */
export interface Summand {
  readonly law: TiltedLaw;
  readonly count: number;
}

/** The transform of the law of a sum, as {@link sumSpectrum} finds it. Its arrays are overwritten by the next call. */
export interface SumSpectrum {
  /** Indices of sums are counted modulo this many. */
  readonly size: number;
  /** The frequencies 0 … size/2 at which the transform is not taken as 0, in order. */
  readonly frequencies: readonly number[];
  /** One entry a frequency 0 … size/2. */
  readonly re: Float64Array;
  readonly im: Float64Array;
  /** An upper bound of |entry of the exact inverse transform − exact mass of its index|. */
  readonly error: number;
}

export interface CircularSum {
  /** Entry I mod size is the mass of all sums with that index, of independent summands, up to `error`. May be negative by that much. Overwritten by the next call. */
  readonly mass: Float64Array;
  /** An upper bound of |computed − exact| of every entry. */
  readonly error: number;
}

const unit = Number.EPSILON / 2;
/** A frequency whose power would be below e^{−92} is taken as 0. */
const negligible = -184;
const leastPower: number = Math.exp(negligible / 2);
const leastEnergy = leastPower * leastPower;
/** Masses below are left out of a transform: numbers near the end of the doubles are slow. */
const leastMass = 1e-150;

interface Workspace {
  readonly size: number;
  readonly folded: Float64Array;
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly powerRe: Float64Array;
  readonly powerIm: Float64Array;
  /** Per frequency, the least bound of the product short of one factor of some law below one half; ∞ where none is. */
  readonly damped: Float64Array;
}

let kept: Workspace | null = null;
let keptMass = new Float64Array(0);

/** Arrays of this size, those of the last call where they fit. */
function workspace(size: number): Workspace {
  if (kept?.size === size) return kept;
  const spectrum = (): Float64Array => new Float64Array(size / 2 + 1);
  const fresh: Workspace = {
    size,
    folded: new Float64Array(size),
    re: spectrum(),
    im: spectrum(),
    powerRe: spectrum(),
    powerIm: spectrum(),
    damped: spectrum(),
  };
  kept = size <= 1 << 20 ? fresh : null;
  return fresh;
}

/**
 * The transform of the law of the sum's index modulo `size` (pld.proof.md, "Rounding"): one transform for each law, and pointwise
 * powers. Once few frequencies are left of the product, the laws that follow are summed at these alone: the widest are best put first.
 */
export function sumSpectrum(summands: readonly Summand[], size: number): SumSpectrum {
  const { folded, re, im, powerRe, powerIm, damped } = workspace(size);
  powerRe.fill(1);
  powerIm.fill(0);
  damped.fill(Number.POSITIVE_INFINITY);
  const [fft, relative] = [realFft(size), fftRelativeError(size)];
  let [totalError, totalCount, worst, leftOut] = [0, 0, 0, 0];
  let alive = size / 2 + 1;
  let next = 0;
  for (const { law, count } of summands) {
    if (next > 0 && isShortWork(law, alive, size)) break;
    next++;
    fold(law, folded);
    const ownError = relative * Math.sqrt(size) * norm(law, folded) * (1 + 1e-9);
    fft.forward(folded, re, im);
    alive = raise(re, im, count, ownError, powerRe, powerIm, damped);
    totalError += count * ownError;
    totalCount += count;
    worst = Math.max(worst, ownError);
    leftOut += count * law.mass.length * leastMass;
  }
  const { left, sensitivity, absolute } = leftOf(powerRe, powerIm, damped);
  let frequencies = left;
  let pointError = 0;
  const direct = new DirectTransform(size);
  for (const { law, count } of summands.slice(next)) {
    const blocks = massBlocksOf(law);
    const own = direct.at(blocks, frequencies);
    const bits = bitsOf(count);
    for (const [i, k] of frequencies.entries()) {
      timesPower(powerRe, powerIm, k, doubleAt(own.re, i), doubleAt(own.im, i), bits);
    }
    frequencies = frequencies.filter((k) => isLeft(powerRe, powerIm, k));
    const ownError = directError(blocks);
    pointError += count * ownError;
    totalCount += count;
    worst = Math.max(worst, ownError);
  }
  const drift = Math.exp(Math.min(700, 4 * (totalError + pointError)));
  const error =
    (drift * (Math.sqrt(sensitivity) * totalError + absolute * pointError)) / size +
    (6 * unit * totalCount * absolute) / size +
    (2 * summands.length + 1) * leastPower +
    drift * leftOut +
    Number.MIN_VALUE;
  // Only a small error of a transform keeps |F| ≥ ½ apart from |F| < ½.
  const sound = worst > 1e-3 ? Number.POSITIVE_INFINITY : error * (1 + 1e-6);
  return { size, frequencies, re: powerRe, im: powerIm, error: sound };
}

/** Whether sums over the masses of a law at the frequencies that are left are less work than a transform. */
function isShortWork({ mass }: TiltedLaw, frequencies: number, size: number): boolean {
  let masses = 0;
  for (const one of mass) if (one > 0) masses++;
  // Each frequency begins with a table of its own, which many laws use.
  return frequencies * (masses + 300) <= 6 * size;
}

/** The frequencies of a product that are not taken as 0, the others set to that; and the two sums that errors are bounded by. */
function leftOf(
  re: Float64Array,
  im: Float64Array,
  damped: Float64Array,
): { readonly left: number[]; readonly sensitivity: number; readonly absolute: number } {
  const left: number[] = [];
  let [absolute, sensitivity] = [0, 0];
  for (let k = 0; k < re.length; k++) {
    const multiplicity = k === 0 || k === re.length - 1 ? 1 : 2;
    const damping = doubleAt(damped, k);
    const energy = doubleAt(re, k) * doubleAt(re, k) + doubleAt(im, k) * doubleAt(im, k);
    sensitivity +=
      multiplicity * (damping === Number.POSITIVE_INFINITY ? 4.1 * energy : Math.min(damping * damping, 1));
    if (!isLeft(re, im, k)) continue;
    left.push(k);
    absolute += multiplicity * Math.sqrt(energy);
  }
  return { left, sensitivity, absolute };
}

/** Whether a frequency of a product counts; it is set to 0 where not. */
function isLeft(re: Float64Array, im: Float64Array, k: number): boolean {
  if (doubleAt(re, k) * doubleAt(re, k) + doubleAt(im, k) * doubleAt(im, k) >= leastEnergy) return true;
  re[k] = 0;
  im[k] = 0;
  return false;
}

/** The law of the sum's index modulo the size of its spectrum, by the inverse transform. */
export function massesOf({ size, frequencies, re, im, error }: SumSpectrum): CircularSum {
  const mass = keptMass.length === size ? keptMass : new Float64Array(size);
  keptMass = size <= 1 << 20 ? mass : new Float64Array(0);
  let square = 0;
  for (const k of frequencies) {
    square +=
      (k === 0 || k === size / 2 ? 1 : 2) *
      (doubleAt(re, k) * doubleAt(re, k) + doubleAt(im, k) * doubleAt(im, k));
  }
  realFft(size).inverse(re, im, mass);
  return { mass, error: error + fftRelativeError(size) * Math.sqrt(square / size) * (1 + 1e-6) };
}

function fold(law: TiltedLaw, folded: Float64Array): void {
  folded.fill(0);
  const size = folded.length;
  let at = ((law.first % size) + size) % size;
  for (const mass of law.mass) {
    if (mass > leastMass) addAt(folded, at, mass);
    at = at + 1 === size ? 0 : at + 1;
  }
}

function norm({ mass }: TiltedLaw, folded: Float64Array): number {
  let sum = 0;
  for (const value of mass.length < folded.length ? mass : folded) sum += value * value;
  return Math.sqrt(sum);
}

/** Multiplies the product by the count-th power of a transform, by repeated squaring. Returns how many frequencies are left. */
function raise(
  re: Float64Array,
  im: Float64Array,
  count: number,
  ownError: number,
  powerRe: Float64Array,
  powerIm: Float64Array,
  damped: Float64Array,
): number {
  let alive = 0;
  const bits = bitsOf(count);
  const cut = Math.exp(negligible / count);
  const below = (0.5 - ownError) ** 2;
  const bound = 2 ** (1 - Math.min(1000, count));
  for (let k = 0; k < re.length; k++) {
    const bRe = doubleAt(re, k);
    const bIm = doubleAt(im, k);
    const energy = bRe * bRe + bIm * bIm;
    if (energy < below && bound < doubleAt(damped, k)) damped[k] = bound;
    if (energy < cut) {
      powerRe[k] = 0;
      powerIm[k] = 0;
      continue;
    }
    if (powerRe[k] === 0 && powerIm[k] === 0) continue;
    timesPower(powerRe, powerIm, k, bRe, bIm, bits);
    if (
      doubleAt(powerRe, k) * doubleAt(powerRe, k) + doubleAt(powerIm, k) * doubleAt(powerIm, k) >=
      leastEnergy
    )
      alive++;
  }
  return alive;
}

/** Multiplies an entry of the product by the power of a number whose exponent has these binary digits. */
function timesPower(
  powerRe: Float64Array,
  powerIm: Float64Array,
  k: number,
  re: number,
  im: number,
  bits: Uint8Array,
): void {
  let pRe = doubleAt(powerRe, k);
  let pIm = doubleAt(powerIm, k);
  let bRe = re;
  let bIm = im;
  for (let bit = 0; ; bit++) {
    if (bits[bit] === 1) {
      const t = pRe * bRe - pIm * bIm;
      pIm = pRe * bIm + pIm * bRe;
      pRe = t;
    }
    if (bit + 1 === bits.length) break;
    const t = bRe * bRe - bIm * bIm;
    bIm = 2 * bRe * bIm;
    bRe = t;
  }
  powerRe[k] = pRe;
  powerIm[k] = pIm;
}

/** Binary digits of a whole number from 1, least first. */
function bitsOf(count: number): Uint8Array {
  const digits: number[] = [];
  for (let rest = count; rest > 0; rest = Math.floor(rest / 2)) digits.push(rest % 2);
  return Uint8Array.from(digits);
}
