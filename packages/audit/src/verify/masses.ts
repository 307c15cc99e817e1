import type { Rational } from "@lethe/core";
import { ratio } from "@lethe/core";
import {
  add,
  ceilTo,
  divide,
  expBracket,
  floorTo,
  multiply,
  negate,
  normalTailBracket,
  one,
  subtract,
  sum,
  zero,
} from "@lethe/core/numeric";
import type { Enclosure, Neighbours } from "./hockey-stick.ts";

/*
 * Mass functions from their definitions, in exact arithmetic: independent of the samplers and of the code that prices.
 */

const bits = 160;

/** Σ over all |z| > reach is at most `beyond`. */
export interface Mass {
  at(z: bigint): Enclosure;
  beyond(reach: bigint): Rational;
}

/** Dyadic ends keep exact sums short. */
const grid = 1n << 200n;
const enclosed = (lo: Rational, hi: Rational): Enclosure => ({ lo: floorTo(lo, grid), hi: ceilTo(hi, grid) });

const half = ratio(1n, 2n);
const distance = (z: bigint): bigint => (z < 0n ? -z : z);

/** P[Z = z] = (1 − q)/(1 + q)·q^|z|, q = e^(−1/scale). */
export function discreteLaplaceMass(scale: Rational): Mass {
  const q = expBracket(negate(divide(one, scale)), bits);
  const front = enclosed(
    divide(subtract(one, q.hi), add(one, q.hi)),
    divide(subtract(one, q.lo), add(one, q.lo)),
  );
  const decay = (k: bigint): Enclosure => expBracket(negate(divide(ratio(k), scale)), bits);
  return {
    at(z) {
      const far = decay(distance(z));
      return enclosed(multiply(front.lo, far.lo), multiply(front.hi, far.hi));
    },
    beyond: (reach) => multiply(ratio(2n), decay(reach + 1n).hi),
  };
}

/** P[Z = z] = Q((z − ½)/σ) − Q((z + ½)/σ). */
export function roundedGaussianMass(sigma: Rational): Mass {
  const tail = (x: Rational): Enclosure => normalTailBracket(divide(x, sigma), bits);
  return {
    at(z) {
      const near = tail(subtract(ratio(z), half));
      const far = tail(add(ratio(z), half));
      return { lo: subtract(near.lo, far.hi), hi: subtract(near.hi, far.lo) };
    },
    beyond: (reach) => multiply(ratio(2n), tail(add(ratio(reach), half)).hi),
  };
}

/** P[Z = z] = e^(−z²/2σ²)/Σ e^(−k²/2σ²). */
export function discreteGaussianMass(sigmaSquared: Rational): Mass {
  const weight = (z: bigint): Enclosure =>
    expBracket(negate(divide(ratio(z * z), multiply(ratio(2n), sigmaSquared))), bits);
  // Beyond 20σ the weights fall faster than a geometric series of ratio 1/2.
  const reachOfSum =
    BigInt(Math.ceil(20 * Math.sqrt(Number(sigmaSquared.num) / Number(sigmaSquared.den)))) + 2n;
  const inside: Enclosure[] = [];
  for (let k = -reachOfSum; k <= reachOfSum; k += 1n) inside.push(weight(k));
  const total = {
    lo: sum(inside.map(({ lo }) => lo)),
    hi: add(sum(inside.map(({ hi }) => hi)), multiply(ratio(4n), weight(reachOfSum + 1n).hi)),
  };
  return {
    at(z) {
      const { lo, hi } = weight(z);
      return enclosed(divide(lo, total.hi), divide(hi, total.lo));
    },
    beyond(reach) {
      if (reach < reachOfSum) throw new RangeError("reach must be beyond 20σ");
      return ceilTo(divide(multiply(ratio(4n), weight(reach + 1n).hi), total.lo), grid);
    },
  };
}

/** The pair (x + Z, x + shift + Z), outcomes from −reach to reach + shift. */
export function shifted(mass: Mass, shift: bigint, reach: bigint): Neighbours {
  const outcomes = [];
  for (let z = -reach; z <= reach + shift; z += 1n) outcomes.push({ p: mass.at(z), q: mass.at(z - shift) });
  return { outcomes, rest: mass.beyond(reach) };
}

/** P[Z ≥ k], by summing the mass function. */
export function upperTail(mass: Mass, k: bigint, reach: bigint): Enclosure {
  let total: Enclosure = { lo: zero, hi: mass.beyond(reach) };
  for (let z = k; z <= reach; z += 1n) {
    const { lo, hi } = mass.at(z);
    total = { lo: add(total.lo, lo), hi: add(total.hi, hi) };
  }
  return total;
}
