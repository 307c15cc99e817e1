import { describe, expect, test } from "vitest";
import { parseRational, ratio, zero } from "../numeric/rational.ts";
import { BitTape, RecordingSource, SeededSource } from "../tape.ts";
import { bernoulli } from "./bernoulli.ts";
import { bernoulliExp } from "./bernoulli-exp.ts";
import { chooseByExp } from "./choose-by-exp.ts";
import { compareWithExp } from "./compare-with-exp.ts";
import { expWeight, weightError, weightlessFrom } from "./exp-weights.ts";
import { LazyUniform } from "./lazy-uniform.ts";
import { poisson, truncatedNegativeBinomial } from "./trial-count.ts";
import { uniformBelow } from "./uniform-below.ts";
import { uniformSequence } from "./uniform-sequence.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const all = 0xffffffff;

describe("a uniform integer", () => {
  test.each<readonly [bigint, readonly number[], bigint]>([
    [1n, [], 0n],
    [2n, [0x80000003], 1n],
    [2n, [0x7ffffffe], 0n],
    // Two bits are looked at; 3 is drawn again.
    [3n, [3, 7, 2], 2n],
    [1n << 31n, [all], (1n << 31n) - 1n],
    [1n << 32n, [all], (1n << 32n) - 1n],
    [1n << 32n, [0], 0n],
    // 33 bits: the lowest of the first word, then the second word. 2^32 + 1 is drawn again.
    [(1n << 32n) + 1n, [all, 1, 0xfffffffe, 7], 7n],
    [(1n << 32n) + 1n, [1, 0], 1n << 32n],
    [1n << 33n, [all, 5], (1n << 32n) + 5n],
    [1n << 64n, [all, all], (1n << 64n) - 1n],
    [1n << 64n, [0x80000000, 1], (1n << 63n) + 1n],
    [(1n << 64n) + 1n, [0xfffffffe, 2, 3], (2n << 32n) + 3n],
  ])("below %i reads from %o just what it needs, to %i", (n, words, due) => {
    const tape = new BitTape(words);
    expect(uniformBelow(n, tape)).toBe(due);
    expect(tape.read).toBe(words.length);
  });
  test("is drawn below 1 or more", () => {
    for (const n of [0n, -1n, -(1n << 40n)])
      expect(() => uniformBelow(n, new SeededSource(1))).toThrow(invalid);
  });
});

describe("a coin", () => {
  test("of chance 0 is never true, of chance 1 always, and there is none outside", () => {
    const bits = new SeededSource(2);
    for (let i = 0; i < 50; i++) {
      expect(bernoulli(zero, bits)).toBe(false);
      expect(bernoulli(ratio(1n), bits)).toBe(true);
    }
    for (const p of [ratio(-1n, 10n ** 9n), ratio(10n ** 9n + 1n, 10n ** 9n)])
      expect(() => bernoulli(p, bits)).toThrow(invalid);
  });
  test("of chance e^−0 is always true, at the ends of a word too", () => {
    for (const word of [0, 1, all - 1, all]) expect(bernoulliExp(zero, new BitTape([word]))).toBe(true);
  });
  test("of chance e^−γ is true exactly below it, the words at the border decided by those after them", () => {
    // 2^32·e^−1 = 1580030168.70…
    const one = ratio(1n);
    const border = 1580030168;
    expect(bernoulliExp(one, new BitTape([border - 1]))).toBe(true);
    expect(bernoulliExp(one, new BitTape([border + 1]))).toBe(false);
    expect(bernoulliExp(one, new BitTape([border, 0]))).toBe(true);
    expect(bernoulliExp(one, new BitTape([border, all]))).toBe(false);
  });
  test("of a chance below every word is true only of zeros upon zeros", () => {
    const rare = ratio(44n); // e^−44 = 1.43…·2^−64
    expect(bernoulliExp(rare, new BitTape([1]))).toBe(false);
    expect(bernoulliExp(rare, new BitTape([0, 2]))).toBe(false);
    expect(bernoulliExp(rare, new BitTape([0, 0]))).toBe(true);
    expect(bernoulliExp(rare, new BitTape([0, 1, 0]))).toBe(true);
    expect(bernoulliExp(rare, new BitTape([0, 1, 0x80000000]))).toBe(false);
  });
});

describe("a comparison with a·e^−γ", () => {
  test("is that of the numbers, and a tie only at γ = 0", () => {
    // 1/e = 0.36787944117144232…
    const [one, three] = [ratio(1n), ratio(3n)];
    expect(compareWithExp(parseRational("0.36787944117144232"), one, one)).toBe(-1);
    expect(compareWithExp(parseRational("0.36787944117144233"), one, one)).toBe(1);
    expect(compareWithExp(parseRational("1.10363832351432696"), three, one)).toBe(-1);
    expect(compareWithExp(parseRational("1.10363832351432697"), three, one)).toBe(1);
    expect([ratio(2n), three, ratio(4n)].map((r) => compareWithExp(r, three, zero))).toEqual([-1, 0, 1]);
  });
});

describe("a uniform number that is read as it is needed", () => {
  test("lies between its prefix and the next, each in units of what was read", () => {
    const uniform = new LazyUniform();
    expect([uniform.lo, uniform.hi]).toEqual([zero, ratio(1n)]);
    uniform.append(0b101, 3);
    expect([uniform.lo, uniform.hi]).toEqual([ratio(5n, 8n), ratio(3n, 4n)]);
    uniform.refine(new BitTape([all]));
    expect(uniform.length).toBe(35);
    expect(uniform.hi).toEqual(ratio(3n, 4n));
    expect(uniform.lo).toEqual(ratio((3n << 33n) - 1n, 1n << 35n));
  });
});

describe("the weight e^−(rate·gap)", () => {
  test("is right to its stated error up to where it counts for nothing, in plain doubles and beyond", () => {
    for (const x of [1 / 1024, 0.5, 1, 31, 32, 33.25, 63.5, 64, 500, 703, 703.75]) {
      const rate = parseRational(String(x / 4));
      expect(Math.abs(expWeight(4n, rate, x / 4) / Math.exp(-x) - 1)).toBeLessThan(weightError);
      // The same product of a gap and a rate that are no usable doubles.
      const far = { num: rate.num, den: rate.den << 1098n };
      expect(Math.abs(expWeight(4n << 1098n, far, 0) / Math.exp(-x) - 1)).toBeLessThan(weightError);
    }
    expect(expWeight(0n, ratio(1n), 1)).toBe(1);
    expect(expWeight(BigInt(weightlessFrom), ratio(1n), 1)).toBe(0);
    expect(expWeight(BigInt(weightlessFrom - 1), ratio(1n), 1)).toBeGreaterThan(0);
  });
});

describe("what is drawn by weights", () => {
  const bits = new SeededSource(4);
  test("needs gaps ≥ 0 with a best one, and a multiplicity ≥ 1 for each", () => {
    for (const gaps of [[], [-1n, 0n], [1n], [0n, 1n, -1n]])
      expect(() => chooseByExp({ rate: ratio(1n), gaps }), `${gaps}`).toThrow(invalid);
    for (const multiplicities of [[1n], [1n, 0n], [1n, 1n, 1n], [-1n, 1n]])
      expect(() => chooseByExp({ rate: ratio(1n), gaps: [0n, 1n], multiplicities })).toThrow(invalid);
  });
  test("is uniform at a rate of 0", () => {
    const choice = chooseByExp({ rate: zero, gaps: [0n, 10n ** 400n] });
    const drawn = Array.from({ length: 200 }, () => choice.draw(bits));
    expect(new Set(drawn)).toEqual(new Set([0, 1]));
  });
  test("is the only one there is", () => {
    expect(chooseByExp({ rate: ratio(5n), gaps: [0n] }).draw(bits)).toBe(0);
  });
});

describe("a sequence without repeats", () => {
  test("is as long as its numbers at most, which are as many as doubles count", () => {
    const bits = new SeededSource(5);
    for (const [length, n] of [
      [0, 0],
      [2, 2 ** 53],
      [3, 3],
    ] as const)
      expect(new Set(uniformSequence(length, n, bits)).size).toBe(length);
    for (const [length, n] of [
      [0, 2 ** 53 + 2],
      [0, -1],
      [0, 0.5],
      [-1, 3],
      [4, 3],
      [0.5, 3],
    ] as const)
      expect(() => uniformSequence(length, n, bits), `${length} of ${n}`).toThrow(invalid);
  });
});

describe("counts of trials", () => {
  test("take both ends of their domains, and nothing beyond", () => {
    const tnb = (shape: string, stop: string) =>
      truncatedNegativeBinomial({ shape: parseRational(shape), stop: parseRational(stop) });
    for (const [shape, stop] of [
      ["-0.999999", "1/2"],
      ["1000", "1/2"],
      ["1", "1e-6"],
      ["1", "0.999999"],
      ["0", "1/2"],
    ] as const)
      expect(tnb(shape, stop).sample(new SeededSource(6)), `${shape} ${stop}`).toBeGreaterThanOrEqual(1);
    for (const [shape, stop] of [
      ["-1", "1/2"],
      ["1000.000001", "1/2"],
      ["1", "0.000000999999"],
      ["1", "1"],
      ["1", "0"],
    ] as const)
      expect(() => tnb(shape, stop), `${shape} ${stop}`).toThrow(invalid);
    expect(poisson({ mean: ratio(10_000n) }).sample(new SeededSource(6))).toBeGreaterThan(9000);
    expect(poisson({ mean: parseRational("1e-9") }).sample(new SeededSource(6))).toBe(0);
    for (const mean of ["0", "-1", "10000.000001"])
      expect(() => poisson({ mean: parseRational(mean) }), mean).toThrow(invalid);
  });
  test("read as many words as their inversion needs, and one where that decides", () => {
    const source = new RecordingSource(new SeededSource(7));
    poisson({ mean: ratio(1n) }).sample(source);
    expect(source.words).toHaveLength(1);
  });
});
