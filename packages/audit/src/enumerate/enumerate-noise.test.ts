import { ratio, toDouble } from "@lethe/core";
import { add, compare, one, subtract, sum, zero } from "@lethe/core/numeric";
import { describe, expect, test } from "vitest";
import { exactly } from "../verify/hockey-stick.ts";
import { comparisonsLaw, enumerateNoise, pairOf } from "./enumerate-noise.ts";

/** P[Z = z] and P[Z ≥ k] of discrete Laplace noise, in doubles. */
const massOf = (z: number, scale: number): number => {
  const a = Math.exp(-1 / scale);
  return ((1 - a) / (1 + a)) * a ** Math.abs(z);
};
const tailOf = (k: number, scale: number): number => {
  const a = Math.exp(-1 / scale);
  return k >= 1 ? a ** k / (1 + a) : 1 - a ** (1 - k) / (1 + a);
};

describe("the law of a program over its noise", () => {
  test("is the noise's own mass, to its last digits, and the rest is residual", () => {
    const { masses, residual } = enumerateNoise((draw) => String(draw(ratio(3n, 2n))), 40);
    for (const [name, { lo, hi }] of masses) {
      const due = massOf(Number(name), 1.5);
      expect(compare(lo, hi)).toBeLessThanOrEqual(0);
      expect(toDouble(subtract(hi, lo), "up")).toBeLessThan(1e-50);
      expect(toDouble(lo, "down") / due).toBeCloseTo(1, 12);
    }
    const known = sum([...masses.values()].map(({ lo }) => lo));
    expect(add(known, residual)).toEqual(one);
  });
  test.each([1, 5, 20])("holds each value that is not rarer than 2^−%d", (depth) => {
    const { masses } = enumerateNoise((draw) => String(draw(one)), depth);
    const due: string[] = [];
    for (let z = -20; z <= 20; z += 1) if (massOf(z, 1) >= 2 ** -depth) due.push(String(z));
    expect([...masses.keys()].sort()).toEqual(due.sort());
  });
  test("of several draws is their product, each at its own scale", () => {
    const { masses } = enumerateNoise((draw) => `${draw(one)} ${draw(ratio(1n, 2n))} ${draw(one)}`, 16);
    for (const [name, { lo }] of masses) {
      const [a, b, c] = name.split(" ").map(Number) as [number, number, number];
      expect(toDouble(lo, "down") / (massOf(a, 1) * massOf(b, 0.5) * massOf(c, 1))).toBeCloseTo(1, 12);
    }
    expect(masses.has("0 0 0") && masses.has("-2 1 3") && masses.has("3 -1 -2")).toBe(true);
  });
  test("adds up the paths to one outcome, which may draw more or less", () => {
    const { masses, residual } = enumerateNoise((draw) => {
      const first = draw(one);
      return first > 0n ? "above" : draw(one) > 0n ? "then above" : "below";
    }, 40);
    const above = tailOf(1, 1);
    const of = (name: string): number => toDouble(masses.get(name)!.lo, "down");
    expect(of("above")).toBeCloseTo(above, 9);
    expect(of("then above")).toBeCloseTo((1 - above) * above, 9);
    expect(of("below")).toBeCloseTo((1 - above) ** 2, 9);
    expect(toDouble(residual, "up")).toBeLessThan(1e-9);
  });
  test("of a program that draws nothing is certain", () => {
    expect(enumerateNoise(() => "so", 10)).toEqual({
      masses: new Map([["so", exactly(one)]]),
      residual: zero,
    });
  });
  test("is not there for a program that fails", () => {
    expect(() =>
      enumerateNoise((draw) => {
        if (draw(one) === 1n) throw new Error("its own");
        return "";
      }, 10),
    ).toThrow("its own");
  });
});

describe("a run of comparisons with one noisy threshold", () => {
  const [wide, narrow] = [2, 1 / 2];
  const scales = [ratio(2n), ratio(1n, 2n)] as const;
  test.each<[string, readonly (readonly [value: number, above: boolean, noisy: boolean])[]]>([
    ["none", []],
    ["one above", [[1, true, true]]],
    ["one below", [[1, false, true]]],
    [
      "several",
      [
        [0, false, true],
        [-2, true, true],
        [3, true, true],
      ],
    ],
    ["without noise, above", [[1, true, false]]],
    ["without noise, below", [[1, false, false]]],
    [
      "with noise and without",
      [
        [1, false, true],
        [0, true, false],
        [-1, true, true],
      ],
    ],
  ])("has the chance of its definition: %s", (_, comparisons) => {
    let due = 0;
    for (let z = -90; z <= 90; z += 1) {
      let each = massOf(z, wide);
      for (const [value, above, noisy] of comparisons) {
        const reached = noisy ? tailOf(z - value, narrow) : Number(value >= z);
        each *= above ? reached : 1 - reached;
      }
      due += each;
    }
    const { lo, hi } = comparisonsLaw(
      scales[0],
      comparisons.map(([value, above, noisy]) => ({
        value: BigInt(value),
        above,
        scale: noisy ? scales[1] : null,
      })),
      90n,
    );
    expect(toDouble(lo, "down")).toBeCloseTo(due, 12);
    expect(toDouble(hi, "up")).toBeCloseTo(due, 12);
    expect(compare(lo, hi)).toBe(-1);
  });
  test("seen in a small window is open by what lies beyond it on both sides", () => {
    // |ρ| ≤ 1 at scale 2, whatever was compared.
    const { lo, hi } = comparisonsLaw(scales[0], [], 1n);
    const inside = massOf(-1, 2) + massOf(0, 2) + massOf(1, 2);
    expect(toDouble(lo, "down")).toBeCloseTo(inside, 12);
    expect(toDouble(hi, "up")).toBeCloseTo(1, 12);
    expect(compare(hi, one)).toBeGreaterThanOrEqual(0);
  });
});

test("two laws side by side leave what is not known of either open in every outcome", () => {
  const [half, third] = [ratio(1n, 2n), ratio(1n, 3n)];
  const left = {
    masses: new Map([
      ["a", exactly(half)],
      ["b", exactly(third)],
    ]),
    residual: ratio(1n, 6n),
  };
  const right = {
    masses: new Map([
      ["b", exactly(third)],
      ["c", exactly(half)],
    ]),
    residual: ratio(1n, 12n),
  };
  const { outcomes, rest } = pairOf(left, right);
  const open = (lo: typeof half, residual: typeof half) => ({ lo, hi: add(lo, residual) });
  expect(outcomes).toEqual([
    { p: open(half, left.residual), q: open(zero, right.residual) },
    { p: open(third, left.residual), q: open(third, right.residual) },
    { p: open(zero, left.residual), q: open(half, right.residual) },
  ]);
  expect(rest).toEqual(ratio(1n, 6n));
  expect(pairOf(right, left).rest).toEqual(ratio(1n, 6n));
});
