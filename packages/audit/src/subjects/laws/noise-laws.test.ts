import { ratio, toDouble } from "@lethe/core";
import { add, compare, one, subtract } from "@lethe/core/numeric";
import { describe, expect, test } from "vitest";
import { total } from "../../verify/enclosures.ts";
import { type Enclosure, exactly } from "../../verify/hockey-stick.ts";
import { discreteLaplaceMass } from "../../verify/masses.ts";
import { keptLaw } from "./kept-law.ts";
import { type Masses, nameOf, sideBySide, whole } from "./law.ts";
import {
  clampedLaplace,
  clampTo,
  hasMass,
  laplaceAtLeast,
  laplaceHasMass,
  multisets,
  windowsOf,
} from "./noise-laws.ts";

const scale = ratio(3n, 2n);
const a = Math.exp(-2 / 3);
const mass = (z: number): number => ((1 - a) / (1 + a)) * a ** Math.abs(z);
const above = (k: number): number => {
  let sum = 0;
  for (let z = k; z < k + 400; z += 1) sum += mass(z);
  return sum;
};
function isAbout({ lo, hi }: Enclosure, due: number): void {
  expect(toDouble(lo, "down")).toBeCloseTo(due, 11);
  expect(compare(lo, hi)).toBeLessThanOrEqual(0);
  expect(toDouble(subtract(hi, lo), "up")).toBeLessThan(1e-40);
}
const isWhole = (masses: Masses): void => isAbout(total(masses.values()), 1);

test("windows hold what every data set has at each place, and clamp to it", () => {
  const windows = windowsOf([
    [3n, -1n],
    [5n, 0n],
    [4n, -2n],
  ]);
  expect(windows).toEqual([
    { lo: 3n, hi: 5n },
    { lo: -2n, hi: 0n },
  ]);
  expect([2n, 3n, 4n, 5n, 6n].map((value) => clampTo(value, windows[0]!))).toEqual([3n, 3n, 4n, 5n, 5n]);
});

test.each([-5, -1, 0, 1, 2, 7])("discrete Laplace noise is at least %d with the sum of its masses", (k) => {
  isAbout(laplaceAtLeast(scale, BigInt(k)), above(k));
  // Remembered by its own scale.
  isAbout(laplaceAtLeast(ratio(2n), 1n), Math.exp(-1 / 2) / (1 + Math.exp(-1 / 2)));
});

describe("a clamped noisy value", () => {
  test("has the tails at the ends of its window", () => {
    const law = clampedLaplace(scale, 1n, { lo: -1n, hi: 2n });
    expect([...law.keys()]).toEqual(["-1", "0", "1", "2"]);
    isAbout(law.get("-1")!, 1 - above(-1));
    isAbout(law.get("0")!, mass(-1));
    isAbout(law.get("1")!, mass(0));
    isAbout(law.get("2")!, above(1));
    isWhole(law);
  });
  test("in a window of one value is certain", () => {
    expect(clampedLaplace(scale, 7n, { lo: 3n, hi: 3n })).toEqual(new Map([["3", exactly(one)]]));
  });
});

test("several draws, whatever their order, have the chance of each order together", () => {
  const noise = discreteLaplaceMass(scale);
  const law = multisets(noise, 10n, 3, 2n);
  const due = new Map<string, number>();
  const reach = [-2, -1, 0, 1, 2];
  for (const x of reach)
    for (const y of reach)
      for (const z of reach) {
        const name = [x, y, z]
          .sort((p, q) => p - q)
          .map((each) => each + 10)
          .join(",");
        due.set(name, (due.get(name) ?? 0) + mass(x) * mass(y) * mass(z));
      }
  expect([...law.keys()].sort()).toEqual([...due.keys()].sort());
  for (const [name, chance] of due) isAbout(law.get(name)!, chance);
});

test("noise has mass where its definition says so, and is asked once a value", () => {
  const asked: bigint[] = [];
  const some = hasMass({
    at(z) {
      asked.push(z);
      return exactly(z > 2n ? ratio(0n) : ratio(1n, 9n));
    },
    beyond: () => one,
  });
  expect([some(1n), some(3n), some(1n), some(3n)]).toEqual([true, false, true, false]);
  expect(asked).toEqual([1n, 3n]);
  const reachable = laplaceHasMass(ratio(1n));
  expect([0n, 50n, -50n].map(reachable)).toEqual([true, true, true]);
});

test("independent parts side by side have every pair of outcomes, by their joined names", () => {
  const part = (...chances: readonly (readonly [string, bigint])[]): Masses =>
    new Map(chances.map(([name, quarters]) => [name, exactly(ratio(quarters, 4n))]));
  const joined = sideBySide([part(["a", 1n], ["b", 3n]), part(["x", 2n], ["y", 2n]), part(["", 4n])]);
  expect([...joined].map(([name, { lo }]) => [name, lo])).toEqual([
    ["a,x,", ratio(1n, 8n)],
    ["a,y,", ratio(1n, 8n)],
    ["b,x,", ratio(3n, 8n)],
    ["b,y,", ratio(3n, 8n)],
  ]);
  expect(sideBySide([])).toEqual(new Map([["", exactly(one)]]));
  expect(nameOf([1n, true])).toBe("1,true");
  expect(whole(joined)).toEqual({ masses: joined, residual: ratio(0n) });
});

describe("a group is kept", () => {
  const kept = (rule: Parameters<typeof keptLaw>[0], units: bigint): Enclosure => {
    const law = keptLaw(rule, units);
    isWholeAbout(law);
    return law.get("true")!;
  };
  function isWholeAbout(law: Masses): void {
    const { lo, hi } = total(law.values());
    expect(compare(lo, one)).toBeLessThanOrEqual(0);
    expect(compare(hi, one)).toBeGreaterThanOrEqual(0);
  }
  test("where its noisy count reaches the threshold, by Laplace noise", () => {
    const rule = { rule: "laplace-threshold", scale: "3/2", threshold: "4" } as const;
    for (const units of [1, 3, 4, 6]) isAbout(kept(rule, BigInt(units)), above(4 - units));
    expect(kept(rule, 0n)).toEqual(exactly(ratio(0n)));
  });
  test("by rounded Gaussian noise", () => {
    const rule = { rule: "gaussian-threshold", sigma: "2", threshold: "4" } as const;
    // Q((4 − 3 − ½)/2) and Q((4 − 5 − ½)/2), from tables.
    expect(toDouble(kept(rule, 3n).lo, "down")).toBeCloseTo(0.4012937, 6);
    expect(toDouble(kept(rule, 5n).hi, "up")).toBeCloseTo(0.7733726, 6);
    expect(kept(rule, 0n)).toEqual(exactly(ratio(0n)));
  });
  test("with the largest chance that ε and δ allow", () => {
    const [epsilon, delta] = [0.7, 0.01];
    const rule = { rule: "truncated-geometric", epsilon: "0.7", delta: "0.01" } as const;
    let due = 0;
    for (let units = 0; units <= 20; units += 1) {
      const { lo, hi } = kept(rule, BigInt(units));
      expect(toDouble(hi, "up"), `${units}`).toBeCloseTo(due, 12);
      expect(toDouble(lo, "down")).toBeLessThanOrEqual(due);
      // Its own rounding is 2^−50.
      expect(toDouble(add(lo, ratio(1n, 1n << 49n)), "up")).toBeGreaterThanOrEqual(due - 1e-14);
      due = Math.min(Math.exp(epsilon) * due + delta, 1 - Math.exp(-epsilon) * (1 - due - delta), 1);
    }
    expect(due).toBe(1);
  });
});
