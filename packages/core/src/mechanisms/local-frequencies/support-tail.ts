import { doubleAt } from "../../numeric/elements/element-at.ts";

/**
 * A chance and its complement, each to full relative precision: then the masses below keep theirs, however near to 0 or 1.
 */
export interface Chance {
  readonly yes: number;
  readonly no: number;
}

export function complement({ yes, no }: Chance): Chance {
  return { yes: no, no: yes };
}

/** A window of a binomial law: mass(first + i) = masses[i], relative error below 1e-10; outside it is below 1e-20 in all. */
interface Window {
  readonly first: number;
  readonly masses: Float64Array;
}

/** Masses below this share of the largest are outside the window. */
const negligible = 1e-34;

/** Returns the masses of Bin(trials, yes) around its mode, from ratios of neighbouring masses, scaled to sum to 1. */
function binomialWindow(trials: number, { yes, no }: Chance): Window {
  if (trials === 0 || yes === 0) return { first: 0, masses: Float64Array.of(1) };
  if (no === 0) return { first: trials, masses: Float64Array.of(1) };
  const mode = Math.min(trials, Math.floor((trials + 1) * yes));
  const odds = yes / no;
  const above: number[] = [];
  for (let k = mode, mass = 1; k < trials; k++) {
    mass *= ((trials - k) / (k + 1)) * odds;
    if (mass < negligible) break;
    above.push(mass);
  }
  const below: number[] = [];
  for (let k = mode, mass = 1; k > 0; k--) {
    mass *= k / ((trials - k + 1) * odds);
    if (mass < negligible) break;
    below.push(mass);
  }
  const masses = Float64Array.from([...below.reverse(), 1, ...above]);
  let total = 0;
  for (const mass of masses) total += mass;
  for (let i = 0; i < masses.length; i++) masses[i] = doubleAt(masses, i) / total;
  return { first: mode - below.length, masses };
}

/** The most trials for which two windows are summed. Beyond, that would take too long, and Bernstein's inequality is used. */
const mostSummed = 2 ** 24;

/**
 * An upper bound of P[A + B ≥ count] for independent A ~ Bin(a, p) and B ~ Bin(b, q): the true value to a relative 1e-8
 * and an absolute 1e-15 up to 2^24 trials; Bernstein's inequality beyond. Counts and trials are integers.
 */
export function upperTail(count: number, a: number, p: Chance, b: number, q: Chance): number {
  if (count <= 0) return 1;
  if (count > a + b) return 0;
  if (a + b > mostSummed) return bernsteinTail(count, a, p, b, q);
  const [left, right] = [binomialWindow(a, p), binomialWindow(b, q)];
  // suffix[i] = P[B ≥ right.first + i], as far as the window goes.
  const suffix = new Float64Array(right.masses.length + 1);
  for (let i = right.masses.length - 1; i >= 0; i--)
    suffix[i] = doubleAt(suffix, i + 1) + doubleAt(right.masses, i);
  let tail = 0;
  for (let i = 0; i < left.masses.length; i++) {
    const from = Math.max(0, count - (left.first + i) - right.first);
    if (from < suffix.length) tail += doubleAt(left.masses, i) * doubleAt(suffix, from);
  }
  return Math.min(1, tail * (1 + 1e-8) + 1e-15);
}

/** P[S − E S ≥ t] ≤ exp(−t²/(2·(Var S + t/3))) for a sum of independent terms in [0, 1] (Bernstein). */
export function bernsteinTail(count: number, a: number, p: Chance, b: number, q: Chance): number {
  const mean = a * p.yes + b * q.yes;
  // A double of this size is off by less than 2^-52 of itself: give the deviation that much away.
  const t = count - mean - (a + b) * 2 ** -51;
  if (!(t > 0)) return 1;
  const variance = a * p.yes * p.no + b * q.yes * q.no;
  return Math.min(1, Math.exp((-t * t) / (2 * (variance + t / 3))) * (1 + 1e-8));
}
