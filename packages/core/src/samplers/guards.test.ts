import { describe, expect, test } from "vitest";
import type { BitSource } from "../entropy/bit-source.ts";
import { parseRational, ratio } from "../numeric/rational.ts";
import { SeededSource } from "../tape.ts";
import { exponential, slots } from "./decay.ts";
import { decayCells } from "./decay-cells.ts";
import { discreteGaussian } from "./discrete-gaussian.ts";
import { discreteLaplace } from "./discrete-laplace.ts";
import { roundedGaussian } from "./rounded-gaussian.ts";
import { exactWeights } from "./scaled-decay.oracle.ts";

/** A broken source: the tail's slot, `zeros` words of zeros to run far into it, a one, and zeros forever after. */
function farTail(zeros: number): BitSource {
  let read = 0;
  return {
    word() {
      read += 1;
      if (read === 1) return (slots - 1) << 19;
      return read === zeros + 2 ? 0x80000000 : 0;
    },
  };
}

describe("noise of 2^53 or more", () => {
  test.each([
    ["Laplace", discreteLaplace(ratio(1n << 46n)), 4],
    ["rounded Gaussian", roundedGaussian(ratio(1n << 48n)), 1],
  ] as const)(
    "of the %s is drawn whole as an integer, and refused where doubles are filled",
    (_name, sampler, zeros) => {
      expect(sampler.sample(farTail(zeros))).toBeGreaterThanOrEqual(1n << 53n);
      expect(() => sampler.fill(new Float64Array(1), farTail(zeros))).toThrow(
        expect.objectContaining({ code: "internal.invariant" }),
      );
    },
  );
});

describe("a discrete Gaussian whose σ² is no usable double", () => {
  test("is still drawn to scale", () => {
    // Var(Z²/σ²) = 2: the mean of 3000 has deviation 0.026. The band of ±0.15 errs with probability below 1e-7 and sees a
    // scale that is off by 15 % (a mean of 0.72 or 1.32).
    const sampler = discreteGaussian(parseRational("1e300"));
    const bits = new SeededSource(11);
    let sum = 0;
    for (let i = 0; i < 3000; i++) sum += (Number(sampler.sample(bits)) / 1e150) ** 2;
    expect(Math.abs(sum / 3000 - 1)).toBeLessThan(0.15);
  });
  test("is 0 where it hardly varies", () => {
    const sampler = discreteGaussian(parseRational("1e-300"));
    const bits = new SeededSource(12);
    for (let i = 0; i < 50; i++) expect(sampler.sample(bits)).toBe(0n);
  });
});

describe("tables of proposals refuse a mass", () => {
  test("whose weights do not fill the slots", () => {
    expect(() => decayCells({ ...exponential, mass: ratio(200n) }, 1, 0)).toThrow(/do not fill its slots/);
  });
  test("whose weights their precision cannot settle", () => {
    const mass = ratio(1n << 120n);
    expect(() => decayCells({ ...exponential, mass }, 1, 0)).toThrow(/needs more bits/);
    expect(() => exactWeights({ ...exponential, name: "too heavy", mass })).toThrow(/cell 1 needs more bits/);
  });
});
