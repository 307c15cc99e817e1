import type { Rational } from "@lethe/core";
import { add, ceilTo, divide, floorTo, max, min, multiply, one, subtract, zero } from "@lethe/core/numeric";
import type { Enclosure } from "./hockey-stick.ts";

/* Arithmetic of enclosed chances, rounded outward to dyadic ends, which keep exact sums short. */

const grid = 1n << 200n;

/** The least enclosure on the grid around these two ends. */
export function enclosed(lo: Rational, hi: Rational): Enclosure {
  return { lo: floorTo(lo, grid), hi: ceilTo(hi, grid) };
}

export const nothing: Enclosure = { lo: zero, hi: zero };
export const certain: Enclosure = { lo: one, hi: one };

export function plus(a: Enclosure, b: Enclosure): Enclosure {
  return { lo: add(a.lo, b.lo), hi: add(a.hi, b.hi) };
}

export function total(parts: Iterable<Enclosure>): Enclosure {
  let all = nothing;
  for (const part of parts) all = plus(all, part);
  return all;
}

/** a − b, at least 0. */
export function minus(a: Enclosure, b: Enclosure): Enclosure {
  return { lo: max(zero, subtract(a.lo, b.hi)), hi: max(zero, subtract(a.hi, b.lo)) };
}

export function complement(a: Enclosure): Enclosure {
  return minus(certain, a);
}

/** a·b, for chances. */
export function times(a: Enclosure, b: Enclosure): Enclosure {
  return enclosed(multiply(a.lo, b.lo), multiply(a.hi, b.hi));
}

/** a/b, for a ≥ 0 and b > 0. */
export function over(a: Enclosure, b: Enclosure): Enclosure {
  return enclosed(divide(a.lo, b.hi), divide(a.hi, b.lo));
}

export function smaller(a: Enclosure, b: Enclosure): Enclosure {
  return { lo: min(a.lo, b.lo), hi: min(a.hi, b.hi) };
}
