import { ratio, toDouble } from "@lethe/core";
import { add, compare, one, subtract, sum } from "@lethe/core/numeric";
import { describe, expect, test } from "vitest";
import {
  discreteGaussianMass,
  discreteLaplaceMass,
  type Mass,
  roundedGaussianMass,
  shifted,
  upperTail,
} from "./masses.ts";

const spread = (mass: Mass, reach: bigint) => {
  const all = [];
  for (let z = -reach; z <= reach; z += 1n) all.push(mass.at(z));
  return { lo: sum(all.map(({ lo }) => lo)), hi: sum(all.map(({ hi }) => hi)) };
};
const q = Math.exp(-2 / 3);
const laplace = (z: number): number => ((1 - q) / (1 + q)) * q ** Math.abs(z);
/** P[a < N ≤ b] for σ = 2, by Simpson's rule. */
const normal = (a: number, b: number): number => {
  const steps = 1000;
  let total = 0;
  for (let i = 0; i <= steps; i += 1) {
    const x = a + ((b - a) * i) / steps;
    total += (i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2) * Math.exp((-x * x) / 8);
  }
  return (total * (b - a)) / (3 * steps) / (2 * Math.sqrt(2 * Math.PI));
};
const weights = Array.from({ length: 401 }, (_, at) => Math.exp(-((at - 200) ** 2) / 6));
const gaussian = (z: number): number => Math.exp((-z * z) / 6) / weights.reduce((a, b) => a + b);

describe.each<[string, Mass, (z: number) => number, bigint]>([
  ["discrete Laplace of scale 3/2", discreteLaplaceMass(ratio(3n, 2n)), laplace, 60n],
  ["a rounded Gaussian of σ 2", roundedGaussianMass(ratio(2n)), (z) => normal(z - 0.5, z + 0.5), 40n],
  ["a discrete Gaussian of σ² 3", discreteGaussianMass(ratio(3n)), gaussian, 60n],
])("%s", (_, mass, due, reach) => {
  test("has the mass of its definition at every integer, on both sides", () => {
    for (const z of [-9, -3, -1, 0, 1, 2, 5, 8]) {
      const { lo, hi } = mass.at(BigInt(z));
      expect(toDouble(lo, "down") / due(z)).toBeCloseTo(1, 10);
      expect(compare(lo, hi)).toBe(-1);
      expect(toDouble(subtract(hi, lo), "up")).toBeLessThan(1e-40);
    }
  });
  test("is 1 in all, with no more beyond than is said", () => {
    const { lo, hi } = spread(mass, reach);
    const beyond = mass.beyond(reach);
    expect(compare(lo, one)).toBe(-1);
    expect(compare(add(hi, beyond), one)).toBeGreaterThanOrEqual(0);
    // Not much more either.
    const left = toDouble(subtract(one, lo), "up");
    expect(toDouble(beyond, "up")).toBeLessThan(20 * left + 1e-40);
  });
  test("reaches a threshold with the sum of the masses above it", () => {
    for (const k of [-3n, 0n, 1n, 4n]) {
      const { lo, hi } = upperTail(mass, k, reach);
      let above = 0;
      for (let z = Number(k); z <= Number(reach); z += 1) above += due(z);
      expect(toDouble(lo, "down")).toBeCloseTo(above, 10);
      expect(toDouble(hi, "up")).toBeCloseTo(above, 10);
      expect(compare(lo, hi)).toBe(-1);
    }
  });
});

test("a discrete Gaussian's tail is bounded where its weights fall fast, and nowhere else", () => {
  const mass = discreteGaussianMass(ratio(3n));
  // 20σ is 34.6.
  expect(() => mass.beyond(36n)).toThrow(RangeError);
  expect(mass.beyond(37n).num > 0n).toBe(true);
  expect(toDouble(mass.beyond(37n), "up")).toBeLessThan(1e-45);
});

test("a tail is open by what lies beyond the reach", () => {
  const mass = discreteLaplaceMass(ratio(1n));
  const { lo, hi } = upperTail(mass, 1n, 2n);
  expect(lo).toEqual(add(mass.at(1n).lo, mass.at(2n).lo));
  expect(hi).toEqual(sum([mass.beyond(2n), mass.at(1n).hi, mass.at(2n).hi]));
});

test("a shifted pair holds every outcome that either side has within the reach", () => {
  const mass = discreteLaplaceMass(ratio(1n));
  const { outcomes, rest } = shifted(mass, 2n, 3n);
  const places = [-3n, -2n, -1n, 0n, 1n, 2n, 3n, 4n, 5n];
  expect(outcomes).toEqual(places.map((z) => ({ p: mass.at(z), q: mass.at(z - 2n) })));
  expect(rest).toEqual(mass.beyond(3n));
});
