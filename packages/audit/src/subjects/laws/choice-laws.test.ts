import { ratio, toDouble } from "@lethe/core";
import { add, compare, one } from "@lethe/core/numeric";
import { expect, it } from "vitest";
import { total } from "../../verify/enclosures.ts";
import { exponentialLaw, noisyMaxLaw, permuteAndFlipLaw } from "./choice-laws.ts";
import type { Masses } from "./law.ts";

const scores = [0n, 1n, -2n];

it.each<[string, Masses]>([
  ["an exponential choice", exponentialLaw(scores, ratio(1n, 2n))],
  ["permute-and-flip", permuteAndFlipLaw(scores, ratio(1n, 2n))],
  ["noisy max, seen far out", noisyMaxLaw(scores, ratio(2n), 40n)],
  ["noisy max, seen at nothing but the best score", noisyMaxLaw(scores, ratio(2n), 0n)],
  ["noisy max, seen one step around it", noisyMaxLaw(scores, ratio(2n), 1n)],
])("the masses of %s hold 1 in all", (_, law) => {
  const { lo, hi } = total([...law.values()]);
  expect(law.size).toBe(3);
  expect(compare(lo, one)).toBeLessThanOrEqual(0);
  expect(compare(hi, one)).toBeGreaterThanOrEqual(0);
});

it.each([0n, 1n, 2n])(
  "noisy max seen %d steps around the best score holds what it is seen far out",
  (reach) => {
    // Noise that falls by e⁴ a step: one step less is seen.
    const near = noisyMaxLaw(scores, ratio(1n, 4n), reach);
    for (const [choice, far] of noisyMaxLaw(scores, ratio(1n, 4n), 30n)) {
      expect(compare(far.hi, add(far.lo, ratio(1n, 10n ** 9n)))).toBe(-1);
      expect(compare(near.get(choice)!.lo, far.hi)).toBeLessThanOrEqual(0);
      expect(compare(near.get(choice)!.hi, far.lo)).toBeGreaterThanOrEqual(0);
    }
  },
);

const isAbout = (law: Masses, due: readonly number[]): void => {
  expect([...law.keys()]).toEqual(due.map((_, at) => String(at)));
  for (const [at, { lo, hi }] of [...law.values()].entries()) {
    expect(toDouble(lo, "down"), `${at}`).toBeCloseTo(due[at]!, 11);
    expect(toDouble(hi, "up"), `${at}`).toBeCloseTo(due[at]!, 11);
  }
};
const many = [[0n, 1n, -2n], [3n, 3n], [5n], [1n, 0n, 1n]];

it.each(many.map((given) => [given] as const))(
  "an exponential choice has a chance in proportion to e^(rate·score): %s",
  (given) => {
    const weights = given.map((score) => Math.exp(0.7 * Number(score)));
    const whole = weights.reduce((a, b) => a + b);
    isAbout(
      exponentialLaw(given, ratio(7n, 10n)),
      weights.map((weight) => weight / whole),
    );
  },
);

it.each(many.map((given) => [given] as const))(
  "permute-and-flip takes the first in a uniform order whose coin falls: %s",
  (given) => {
    const best = given.reduce((a, b) => (a > b ? a : b));
    const taken = given.map((score) => Math.exp(0.7 * Number(score - best)));
    const orders = (left: readonly number[]): number[][] =>
      left.length === 0
        ? [[]]
        : left.flatMap((at) => orders(left.filter((other) => other !== at)).map((rest) => [at, ...rest]));
    const due = given.map(() => 0);
    const each = orders([...given.keys()]);
    for (const order of each) {
      let reached = 1 / each.length;
      for (const at of order) {
        due[at]! += reached * taken[at]!;
        reached *= 1 - taken[at]!;
      }
    }
    isAbout(permuteAndFlipLaw(given, ratio(7n, 10n)), due);
  },
);

it.each(many.map((given) => [given] as const))(
  "noisy max is the least index of the largest noisy score: %s",
  (given) => {
    const a = Math.exp(-1);
    const mass = (z: number): number => ((1 - a) / (1 + a)) * a ** Math.abs(z);
    const reach = Array.from({ length: 61 }, (_, at) => at - 30);
    const due = given.map(() => 0);
    const follow = (noisy: readonly number[], chance: number): void => {
      if (chance < 1e-16) return;
      if (noisy.length === given.length) due[noisy.indexOf(Math.max(...noisy))]! += chance;
      else for (const z of reach) follow([...noisy, Number(given[noisy.length]) + z], chance * mass(z));
    };
    follow([], 1);
    isAbout(noisyMaxLaw(given, one, 40n), due);
  },
);
