import { describe, expect, it } from "vitest";
import { noiseQuantile } from "./accuracy/laws/noise-quantile.ts";
import { calibratedChoice } from "./calibrated/choice.ts";
import { calibratedGaussian, type ZcdpGaussianSetting } from "./calibrated/gaussian.ts";
import { calibratedGeometric } from "./calibrated/geometric.ts";
import { gridFor } from "./calibrated/grid.ts";
import { calibratedLaplace } from "./calibrated/laplace.ts";
import { choice, gaussian, geometric, laplace } from "./calibrated.ts";
import { secureEntropy } from "./entropy/system-entropy.ts";
import { gaussianFor } from "./mechanisms/gaussian/gaussian-for.ts";
import { permuteAndFlipFor } from "./mechanisms/permute-and-flip/permute-and-flip.ts";
import { noiseSampler } from "./mechanisms/registry.ts";
import { compare, parseRational, ratio, zero } from "./numeric/rational.ts";
import { price } from "./price.ts";
import { SeededSource } from "./tape.ts";

const seeded = (seed = 1) => ({ price, bits: new SeededSource(seed) });
const refusal = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });

describe("laplace", () => {
  it("prices exactly the ε that was asked, and draws the noise that it prices", () => {
    const { event, loss, noise, step } = laplace({ sensitivity: 1, epsilon: 0.1 });
    expect(noise).toEqual({ mechanism: "discrete-laplace@1", scale: "10" });
    expect(event).toEqual({ kind: "laplace", version: 1, scale: "10", l1: "1" });
    expect(loss).toEqual({ measure: "pure", epsilon: ratio(1n, 10n) });
    expect(step).toEqual(ratio(1n));
  });
  it("adds one draw of its noise to the value on the grid", () => {
    const mechanism = calibratedLaplace({ sensitivity: "0.5", epsilon: 1 }, seeded(7));
    const sampler = noiseSampler(mechanism.noise);
    const bits = new SeededSource(7);
    expect(mechanism.step).toEqual(ratio(1n, 2000n));
    for (const value of [0, 0.25, -3, "1.00049", 12n]) {
      const steps = BigInt(Math.round(Number(value) * 2000));
      expect(mechanism.release(value)).toBe(Number(steps + sampler.sample(bits)) / 2000);
    }
  });
  it("says how far the noise reaches", () => {
    expect(laplace({ sensitivity: 1, epsilon: 0.1 }).errorBound(0.95)).toBe(30);
    const fine = laplace({ sensitivity: 0.01, epsilon: 1 });
    expect(fine.errorBound(0.95)).toBeCloseTo(Number(noiseQuantile(fine.noise, 0.95)) / 100_000, 12);
    expect(() => fine.errorBound(1)).toThrow(refusal("confidence"));
  });
  it("rounds the sensitivity up to a step", () => {
    expect(laplace({ sensitivity: 1, epsilon: 1, step: 0.3 }).event).toMatchObject({ l1: "4", scale: "4" });
  });
  it("draws from the secure source, anew at every release", () => {
    const mechanism = laplace({ sensitivity: 1, epsilon: 1e-9 }, secureEntropy());
    expect(new Set(Array.from({ length: 20 }, () => mechanism.release(0))).size).toBeGreaterThan(15);
    // @ts-expect-error coins of a test are no secure source
    laplace({ sensitivity: 1, epsilon: 1 }, new SeededSource(1));
  });
  it.each([
    ["sensitivity", { sensitivity: 0, epsilon: 1 }],
    ["sensitivity", { sensitivity: Number.NaN, epsilon: 1 }],
    ["epsilon", { sensitivity: 1, epsilon: -1 }],
    ["epsilon", { sensitivity: 1, epsilon: "much" }],
    ["epsilon", { sensitivity: 1, epsilon: Number.POSITIVE_INFINITY }],
    ["step", { sensitivity: 1, epsilon: 1, step: 0 }],
  ])("refuses a %s of %o", (name, setting) => {
    expect(() => laplace(setting)).toThrow(refusal(name));
  });
  it.each([Number.NaN, "secret", null])("refuses to release %s, and does not repeat it", (value) => {
    const mechanism = laplace({ sensitivity: 1, epsilon: 1 });
    expect(() => mechanism.release(value as number)).toThrow(refusal("value"));
    expect(() => mechanism.release(value as number)).toThrow(
      /^value must be a finite number, got something else$/,
    );
  });
});

describe("the grid", () => {
  it("keeps numbers that differ by at most the sensitivity within as many steps", () => {
    for (const step of ["1", "0.3", "0.07", "1/3"]) {
      const { place, sensitivity } = gridFor({ sensitivity: 0.9, step });
      for (let i = -40; i <= 40; i++) {
        const moved =
          place(ratio(BigInt(i), 37n), "value") - place(ratio(BigInt(i * 10 + 333), 370n), "value");
        expect(-moved).toBeLessThanOrEqual(sensitivity);
        expect(-moved).toBeGreaterThanOrEqual(0n);
      }
    }
  });
  it("bounds the error of the noise, which a number between two steps can exceed by half a step", () => {
    const mechanism = calibratedLaplace({ sensitivity: 1, epsilon: 1 }, seeded(5));
    const bound = mechanism.errorBound(0.5);
    const errors = Array.from({ length: 400 }, () => Math.abs(mechanism.release(0.5) - 0.5));
    expect(errors).toContain(bound + 0.5);
    expect(errors.filter((error) => error <= bound + 0.5).length).toBeGreaterThan(200 - 60);
  });
  it.each([1, -1])("answers at the edge of what a double holds, %s", (sign) => {
    const { value } = gridFor({ sensitivity: 1 });
    const largest = BigInt(sign) * BigInt(Number.MAX_VALUE);
    expect(value(largest)).toBe(sign * Number.MAX_VALUE);
    expect(value(largest + BigInt(sign))).toBe(sign * Number.MAX_VALUE);
  });
  it("gives back the decimal that a place stands for", () => {
    const { place, value } = gridFor({ sensitivity: 1, step: 0.1 });
    for (const decimal of [0.1, 0.3, 0.7, -1.1, 123456.7])
      expect(value(place(decimal, "value"))).toBe(decimal);
  });
});

describe("gaussian", () => {
  it("keeps to ρ as zCDP charges it", () => {
    const { loss, noise } = gaussian({ sensitivity: 1, rho: 0.5 });
    expect(noise).toEqual({ mechanism: "rounded-gaussian@1", sigma: "1" });
    expect(loss).toEqual({ measure: "zcdp", rho: ratio(1n, 2n), delta: zero });
  });
  it("keeps to ε and δ as approximate DP charges it", () => {
    const { loss, noise } = gaussian({ sensitivity: 3, epsilon: 1, delta: 1e-6 });
    expect(noise).toEqual(gaussianFor({ l2Squared: 9, epsilon: "1", delta: "1e-6" }));
    expect(loss.delta).toEqual(parseRational("1e-6"));
    expect(compare(loss.epsilon, ratio(1n))).toBeLessThanOrEqual(0);
    expect(compare(loss.epsilon, ratio(999n, 1000n))).toBe(1);
  });
  it("adds one draw of its noise", () => {
    const mechanism = calibratedGaussian({ sensitivity: 2, rho: 0.01 }, seeded(3));
    const expected = noiseSampler(mechanism.noise).sample(new SeededSource(3));
    expect(mechanism.release(100)).toBe(100 + Number(expected));
    expect(mechanism.errorBound(0.95)).toBe(Number(noiseQuantile(mechanism.noise, 0.95)));
  });
  it.each([
    ["rho", { sensitivity: 1, rho: 0 }],
    ["rho", { sensitivity: 1, rho: 1, epsilon: 1 }],
    ["epsilon", { sensitivity: 1 }],
    ["epsilon", { sensitivity: 1, epsilon: 0, delta: 1e-6 }],
    ["delta", { sensitivity: 1, epsilon: 1 }],
    ["delta", { sensitivity: 1, epsilon: 1, delta: 0 }],
    ["delta", { sensitivity: 1, epsilon: 1, delta: 1 }],
  ])("refuses a %s of %o", (name, setting) => {
    expect(() => gaussian(setting as unknown as ZcdpGaussianSetting)).toThrow(refusal(name));
  });
});

describe("geometric", () => {
  it("answers within the range at exactly ε", () => {
    const mechanism = calibratedGeometric({ lo: 0, hi: 10, epsilon: 0.25 }, seeded());
    expect(mechanism.loss).toEqual({ measure: "pure", epsilon: ratio(1n, 4n) });
    expect(mechanism.errorBound(0.5)).toBe(3);
    expect(mechanism.errorBound(0.999)).toBe(10);
    const answers = Array.from({ length: 200 }, () => mechanism.release(9));
    expect(Math.min(...answers)).toBe(0);
    expect(Math.max(...answers)).toBe(10);
    expect(answers.every(Number.isInteger)).toBe(true);
  });
  it.each([
    ["hi", { lo: 5, hi: 4, epsilon: 1 }],
    ["lo", { lo: 0.5, hi: 4, epsilon: 1 }],
    ["epsilon", { lo: 0, hi: 4, epsilon: 0 }],
    ["sensitivity", { lo: 0, hi: 4, epsilon: 1, sensitivity: 0 }],
  ])("refuses a %s of %o", (name, setting) => {
    expect(() => geometric(setting)).toThrow(refusal(name));
  });
});

describe("choice", () => {
  it("chooses as permute-and-flip does, at exactly ε", () => {
    const mechanism = calibratedChoice({ sensitivity: 1, epsilon: 0.5, monotone: true }, seeded(5));
    const bare = permuteAndFlipFor({ sensitivity: 1n, epsilon: ratio(1n, 2n), monotone: true });
    expect(mechanism.loss).toEqual({ measure: "pure", epsilon: ratio(1n, 2n) });
    const bits = new SeededSource(5);
    for (let i = 0; i < 20; i++) expect(mechanism.release([4, 9, 7])).toBe(bare.choose([4n, 9n, 7n], bits));
  });
  it("says how far below the best it may choose, in the scores' own units", () => {
    const fine = choice({ sensitivity: 0.5, epsilon: 1, monotone: true });
    expect(fine.errorBound(0.99, 101)).toBeCloseTo(0.5 * 2 * Math.log(100), 9);
    expect(() => fine.errorBound(0, 3)).toThrow(refusal("confidence"));
  });
  it.each([
    ["candidates", []],
    ["scores", [1, Number.NaN]],
  ])("refuses %s of %o", (name, scores) => {
    expect(() => choice({ sensitivity: 1, epsilon: 1 }).release(scores)).toThrow(refusal(name));
  });
});
