import { describe, expect, it } from "vitest";
import {
  exceeds,
  exponentialLaw,
  neighbouringScores,
  noisyMaxLaw,
  permuteAndFlipLaw,
  powerOf,
} from "../../../../../testing/src/contracts/selection-laws.ts";
import { parseRational, ratio, toDouble } from "../../numeric/rational.ts";
import { discreteLaplace } from "../../samplers/discrete-laplace.ts";
import { SeededSource } from "../../tape.ts";
import { exponential } from "../exponential/exponential.ts";
import { permuteAndFlip } from "../permute-and-flip/permute-and-flip.ts";
import { type MaxNoise, reportNoisyMax, reportNoisyMaxFor } from "./report-noisy-max.ts";

const noises: readonly MaxNoise[] = ["gumbel", "exponential", "laplace"];

describe("report-noisy-max", () => {
  it.each(noises)("%s: reports the largest, never the smallest, where the noise cannot turn it", (noise) => {
    const mechanism = reportNoisyMaxFor({ epsilon: ratio(2n), sensitivity: 1n, noise });
    const bits = new SeededSource(9);
    for (let i = 0; i < 200; i++) {
      expect(mechanism.choose([5n, -100_000n, 90_000n, 7n], bits)).toBe(2);
      expect(mechanism.choose([10n ** 18n, 0n, -(10n ** 18n)], bits)).toBe(0);
    }
  });

  it("with Laplace noise is the first largest of score + noise, on the sampler's own coins", () => {
    const mechanism = reportNoisyMaxFor({ epsilon: ratio(1n), sensitivity: 2n, noise: "laplace" });
    const sampler = discreteLaplace(ratio(4n));
    const scores = [3n, 0n, 4n, 4n, -2n];
    for (let seed = 1; seed <= 300; seed++) {
      const bits = new SeededSource(seed);
      const noisy = scores.map((score) => score + sampler.sample(bits));
      const best = noisy.reduce((a, b) => (a > b ? a : b));
      expect(mechanism.choose(scores, new SeededSource(seed))).toBe(noisy.indexOf(best));
    }
  });

  it.each([
    [false, 2n],
    [true, 1n],
  ])("with Laplace noise is pure at e^(rate·range), ties included; monotone %s", (monotone, range) => {
    const half = ratio(1n, 2n);
    const growth = powerOf(ratio(2n), range);
    for (const [a, b] of neighbouringScores(3, 1, monotone)) {
      const [p, q] = [noisyMaxLaw(a, half, 40n), noisyMaxLaw(b, half, 40n)];
      for (const law of [p, q]) {
        const total = law.reduce((sum, mass) => sum + toDouble(mass.lo, "down"), 0);
        expect(total).toBeCloseTo(1, 10);
      }
      expect(exceeds(p, q, growth)).toBe(false);
      expect(exceeds(q, p, growth)).toBe(false);
    }
  });

  it("with Laplace noise of half the scale the claim is refuted", () => {
    const quarter = ratio(1n, 4n);
    const refuted = neighbouringScores(3, 2, false).some(([a, b]) =>
      exceeds(noisyMaxLaw(a, quarter, 30n), noisyMaxLaw(b, quarter, 30n), ratio(4n)),
    );
    expect(refuted).toBe(true);
  });

  it("with Gumbel noise is the exponential mechanism, with exponential noise permute-and-flip: coin by coin", () => {
    const [rate, range] = [ratio(1n, 3n), 2n];
    const scores = [1n, 5n, 4n, 2n];
    const pairs = [
      [reportNoisyMax({ rate, range, noise: "gumbel" }), exponential({ rate, range })],
      [reportNoisyMax({ rate, range, noise: "exponential" }), permuteAndFlip({ rate, range })],
    ] as const;
    for (const [ours, theirs] of pairs) {
      for (let seed = 1; seed <= 200; seed++) {
        expect(ours.choose(scores, new SeededSource(seed))).toBe(
          theirs.choose(scores, new SeededSource(seed)),
        );
      }
    }
  });

  it("the continuous noises give those laws: simulated in doubles within 6.5 deviations (false alarm 1e-9)", () => {
    const bits = new SeededSource(21);
    const open = () => (bits.word() + 0.5) / 2 ** 32;
    const draws = { gumbel: () => -Math.log(-Math.log(open())), exponential: () => -Math.log(open()) };
    const laws = { gumbel: exponentialLaw, exponential: permuteAndFlipLaw };
    const scores = [0n, 2n, 1n];
    // e^−rate = 1/2, so noise of scale 1/ln 2.
    const n = 60_000;
    for (const noise of ["gumbel", "exponential"] as const) {
      const counts = [0, 0, 0];
      for (let i = 0; i < n; i++) {
        const noisy = scores.map((score) => Number(score) + draws[noise]() / Math.LN2);
        counts[noisy.indexOf(Math.max(...noisy))]! += 1;
      }
      const law = laws[noise](scores, ratio(1n, 2n)).map((mass) => toDouble(mass, "down"));
      const off = (p: number, count: number) => Math.abs(count - n * p) / Math.sqrt(n * p * (1 - p));
      for (const [at, p] of law.entries()) expect(off(p, counts[at]!)).toBeLessThan(6.5);
      // The other law would be seen.
      const other = laws[noise === "gumbel" ? "exponential" : "gumbel"](scores, ratio(1n, 2n));
      expect(Math.max(...other.map((mass, at) => off(toDouble(mass, "down"), counts[at]!)))).toBeGreaterThan(
        6.5,
      );
    }
  });

  it("says what it costs and refuses what has no meaning", () => {
    const make = (noise: MaxNoise) => reportNoisyMaxFor({ epsilon: ratio(1n), sensitivity: 3n, noise });
    expect(make("gumbel").event).toEqual({
      kind: "bounded-range",
      version: 1,
      epsilon: "1",
      of: "report-noisy-max",
    });
    for (const noise of ["exponential", "laplace"] as const) {
      expect(make(noise).event).toEqual({ kind: "pure", version: 1, epsilon: "1", of: "report-noisy-max" });
      expect(make(noise).parameters).toEqual({
        mechanism: "report-noisy-max@1",
        rate: "1/6",
        range: "6",
        noise,
      });
    }
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    expect(() => make("gaussian" as MaxNoise)).toThrow(refusal);
    expect(() => reportNoisyMaxFor({ epsilon: parseRational("0"), sensitivity: 1n })).toThrow(refusal);
    for (const noise of noises) expect(() => make(noise).choose([], new SeededSource(1))).toThrow(refusal);
  });
});
