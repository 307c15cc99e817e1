import { type Rational, ratio } from "@lethe/core";
import { add, expBracket, max } from "@lethe/core/numeric";
import type { Enclosure, Neighbours } from "../verify/hockey-stick.ts";

/*
 * The exact law of a program that reads discrete Laplace noise: from the mass function's definition, in integers rounded
 * outward, independent of the samplers.
 */

const places = 192n;
const unit = 1n << places;
const up = (x: bigint, by: bigint): bigint => -(-x >> by);

interface Fixed {
  readonly lo: bigint;
  readonly hi: bigint;
}
const times = (a: Fixed, b: Fixed): Fixed => ({ lo: (a.lo * b.lo) >> places, hi: up(a.hi * b.hi, places) });
const plus = (a: Fixed, b: Fixed): Fixed => ({ lo: a.lo + b.lo, hi: a.hi + b.hi });
const nothing: Fixed = { lo: 0n, hi: 0n };
const certain: Fixed = { lo: unit, hi: unit };
const enclosure = ({ lo, hi }: Fixed): Enclosure => ({ lo: ratio(lo, unit), hi: ratio(hi, unit) });
const reciprocal = (a: Fixed): Fixed => ({ lo: (unit * unit) / a.hi, hi: (unit * unit) / a.lo + 1n });

const powers = new Map<string, Fixed>();
/** e^(−k/scale), k ≥ 0. */
function decay(k: bigint, scale: Rational): Fixed {
  const key = `${k} ${scale.num}/${scale.den}`;
  const known = powers.get(key);
  if (known) return known;
  const { lo, hi } = expBracket(ratio(-k * scale.den, scale.num), 190);
  const value = { lo: (lo.num << places) / lo.den, hi: (hi.num << places) / hi.den + 1n };
  powers.set(key, value);
  return value;
}

/** P[Z = z] = (1 − a)/(1 + a)·a^|z|, a = e^(−1/scale). */
function mass(z: bigint, scale: Rational): Fixed {
  const a = decay(1n, scale);
  const front = times({ lo: unit - a.hi, hi: unit - a.lo }, reciprocal(plus(certain, a)));
  return times(front, decay(z < 0n ? -z : z, scale));
}

/** P[Z ≥ k]. */
function tail(k: bigint, scale: Rational): Fixed {
  const share = reciprocal(plus(certain, decay(1n, scale)));
  if (k >= 1n) return times(decay(k, scale), share);
  const below = times(decay(1n - k, scale), share);
  return { lo: unit - below.hi, hi: unit - below.lo };
}

/** Masses that certainly belong to each outcome; what no path reached, which may belong to any. */
export interface NoisePaths {
  readonly masses: ReadonlyMap<string, Enclosure>;
  readonly residual: Rational;
}

class Undecided extends Error {}

/**
 * Runs a program once for each path of integer noise values, nearest to 0 first; a path rarer than 2^−depth is given up.
 * The program must let through what the draw throws, and depend on nothing else.
 */
export function enumerateNoise(
  program: (draw: (scale: Rational) => bigint) => string,
  depth: number,
): NoisePaths {
  const least = unit >> BigInt(depth);
  const found = new Map<string, Fixed>();
  const path: { index: number; mass: Fixed; before: Fixed; scale: Rational }[] = [];
  const at = (index: number): bigint => BigInt(index % 2 === 1 ? (index + 1) / 2 : -index / 2);
  const step = (before: Fixed, scale: Rational, index: number) => ({
    index,
    scale,
    before,
    mass: times(before, mass(at(index), scale)),
  });
  for (;;) {
    let used = 0;
    const draw = (scale: Rational): bigint => {
      const taken = path[used] ?? step(path.at(-1)?.mass ?? certain, scale, 0);
      if (used === path.length) path.push(taken);
      used += 1;
      if (taken.mass.hi < least) throw new Undecided();
      return at(taken.index);
    };
    let outcome: string | null = null;
    try {
      outcome = program(draw);
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
    }
    if (outcome !== null) {
      found.set(outcome, plus(found.get(outcome) ?? nothing, path.at(-1)?.mass ?? certain));
    } else {
      path.pop(); // all values further from 0 are rarer still
    }
    const last = path.pop();
    if (last === undefined) break;
    path.push(step(last.before, last.scale, last.index + 1));
  }
  const known = [...found.values()].reduce((total, { lo }) => total + lo, 0n);
  return {
    masses: new Map([...found].map(([name, value]) => [name, enclosure(value)])),
    residual: ratio(unit - known, unit),
  };
}

/** One comparison of a stream: value + noise(scale) ≥ noise of the threshold; scale null is no noise. */
export interface Comparison {
  readonly value: bigint;
  readonly above: boolean;
  readonly scale: Rational | null;
}

/** P[this run of comparisons] = Σ_z P[ρ = z]·Π P[value + ν ≥ z, or < z], with ρ of the threshold's scale; |z| ≤ reach. */
export function comparisonsLaw(
  thresholdScale: Rational,
  comparisons: readonly Comparison[],
  reach: bigint,
): Enclosure {
  let total = nothing;
  for (let z = -reach; z <= reach; z += 1n) {
    let each = mass(z, thresholdScale);
    for (const { value, above, scale } of comparisons) {
      const noiseless = value >= z ? certain : nothing;
      const high = scale ? tail(z - value, scale) : noiseless;
      each = times(each, above ? high : { lo: unit - high.hi, hi: unit - high.lo });
    }
    total = plus(total, each);
  }
  return enclosure({ lo: total.lo, hi: total.hi + 2n * tail(reach + 1n, thresholdScale).hi });
}

/** Two laws side by side, with what is not known of either left open in every outcome, seen or not. */
export function pairOf(p: NoisePaths, q: NoisePaths): Neighbours {
  const names = [...new Set([...p.masses.keys(), ...q.masses.keys()])];
  const at = ({ masses, residual }: NoisePaths, name: string): Enclosure => {
    const known = masses.get(name) ?? enclosure(nothing);
    return { lo: known.lo, hi: add(known.hi, residual) };
  };
  return {
    outcomes: names.map((name) => ({ p: at(p, name), q: at(q, name) })),
    rest: max(p.residual, q.residual),
  };
}
