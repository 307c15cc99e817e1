import { describe, expect, test } from "vitest";
import { expBracket } from "../numeric/bracket.ts";
import {
  add,
  compare,
  divide,
  multiply,
  negate,
  parseRational,
  type Rational,
  ratio,
  sum,
  toDouble,
} from "../numeric/rational.ts";
import { BitTape, enumerateTapes, RecordingSource, SeededSource } from "../tape.ts";
import { chooseByExp, decide, type ExpWeights } from "./choose-by-exp.ts";
import { expWeight, weightError, weightlessError } from "./exp-weights.ts";
import { LazyUniform } from "./lazy-uniform.ts";

function law({ rate, gaps, multiplicities }: ExpWeights): { lo: Rational; hi: Rational }[] {
  const weights = gaps.map((gap, i) => {
    const { lo, hi } = expBracket(negate(multiply(rate, ratio(gap))), 200);
    const times = ratio(multiplicities?.[i] ?? 1n);
    return { lo: multiply(times, lo), hi: multiply(times, hi) };
  });
  const [low, high] = [sum(weights.map(({ lo }) => lo)), sum(weights.map(({ hi }) => hi))];
  return weights.map(({ lo, hi }) => ({ lo: divide(lo, high), hi: divide(hi, low) }));
}

const cases: Record<string, ExpWeights> = {
  one: { rate: ratio(1n), gaps: [0n] },
  equal: { rate: ratio(1n), gaps: [0n, 0n, 0n] },
  few: { rate: parseRational("1/2"), gaps: [3n, 0n, 1n, 1n] },
  "no rate": { rate: ratio(0n), gaps: [5n, 0n, 10n ** 18n] },
  "cells of an interval": { rate: parseRational("1/3"), gaps: [9n, 0n, 6n], multiplicities: [100n, 1n, 7n] },
  "an extreme gap": { rate: ratio(1n), gaps: [0n, 10n ** 18n, 1n, 10n ** 400n] },
  "a tiny rate and a huge gap": { rate: ratio(1n, 10n ** 400n), gaps: [10n ** 400n, 0n, 2n * 10n ** 400n] },
  "a huge rate": { rate: ratio(10n ** 400n), gaps: [0n, 1n, 0n] },
  "many more cells than the gap takes away": {
    rate: ratio(1n),
    gaps: [800n, 0n, 801n],
    multiplicities: [3n ** 728n, 1n, 3n ** 729n],
  },
};

describe("choice ∝ multiplicity·e^{−rate·gap}", () => {
  test.each(Object.entries(cases))("%s: every tape enumerated gives the law", (_name, weights) => {
    const choice = chooseByExp(weights);
    const { masses, residual } = enumerateTapes((bits) => choice.draw(bits), { depth: 2 });
    expect(residual.num << 27n <= residual.den).toBe(true);
    for (const [i, { lo, hi }] of law(weights).entries()) {
      const found = masses.get(i) ?? ratio(0n);
      expect(compare(found, hi), `${i} is not above`).toBeLessThanOrEqual(0);
      expect(compare(add(found, residual), lo), `${i} is not below`).toBeGreaterThanOrEqual(0);
    }
  });

  test("the enumeration would refute a rate that is a millionth off", () => {
    const weights = cases.few!;
    const { masses, residual } = enumerateTapes((bits) => chooseByExp(weights).draw(bits), { depth: 2 });
    const wrong = law({ ...weights, rate: multiply(weights.rate, parseRational("1.000001")) });
    const refuted = wrong.some(({ lo, hi }, i) => {
      const found = masses.get(i) ?? ratio(0n);
      return compare(found, hi) > 0 || compare(add(found, residual), lo) < 0;
    });
    expect(refuted).toBe(true);
  });

  test.each(Object.entries(cases))("%s: doubles and brackets choose alike on 500 tapes", (_name, weights) => {
    const [source, choice] = [new SeededSource(11), chooseByExp(weights)];
    for (let i = 0; i < 500; i++) {
      const recorded = new RecordingSource(source);
      const drawn = choice.draw(recorded);
      const more = new SeededSource(i);
      const tape = new BitTape(recorded.words);
      const then = { word: () => (tape.read < recorded.words.length ? tape.word() : more.word()) };
      expect(decide(weights, new LazyUniform(), then)).toBe(drawn);
    }
  });

  test("tapes beside a boundary are decided by brackets, right to the last bit", () => {
    // Two equal candidates: the boundary is at 1/2 exactly. 0.0111… (96 bits) then 0 lies below it, 1000… above.
    const weights: ExpWeights = { rate: ratio(1n), gaps: [0n, 0n] };
    const ones = 0xffffffff;
    expect(chooseByExp(weights).draw(new BitTape([0x7fffffff, ones, ones, 0, 0, 0, 0, 0]))).toBe(0);
    expect(chooseByExp(weights).draw(new BitTape([0x80000000, 0, 0, 1, 0, 0, 0, 0]))).toBe(1);
    // Equal weights are exact, so 1/2 itself is decided too.
    expect(chooseByExp(weights).draw(new BitTape([0x80000000, 0, 0, 0, 0, 0, 0, 0]))).toBe(1);
  });

  test("100,000 candidates with extreme scores are chosen from, each within 6.5 deviations of its law", () => {
    const m = 100_000;
    const gaps = Array.from({ length: m }, (_, i) => (i % 10 === 0 ? BigInt(i % 3) : 10n ** 18n + BigInt(i)));
    const choice = chooseByExp({ rate: ratio(1n), gaps });
    const counts = [0, 0, 0];
    const [bits, n] = [new SeededSource(5), 20_000];
    for (let i = 0; i < n; i++) {
      const at = choice.draw(bits);
      expect(at % 10).toBe(0);
      counts[at % 3]! += 1;
    }
    const total = 1 + Math.exp(-1) + Math.exp(-2);
    // False alarm below 3·1e-10; one in ten off in a weight would be 13 deviations.
    for (const [gap, count] of counts.entries()) {
      const p = Math.exp(-gap) / total;
      expect(Math.abs(count - n * p)).toBeLessThan(6.5 * Math.sqrt(n * p * (1 - p)) + 1);
    }
  });

  test.each<[string, ExpWeights]>([
    ["no candidates", { rate: ratio(1n), gaps: [] }],
    ["a negative gap", { rate: ratio(1n), gaps: [0n, -1n] }],
    ["no best", { rate: ratio(1n), gaps: [1n] }],
    ["a negative rate", { rate: ratio(-1n), gaps: [0n] }],
    ["no cells", { rate: ratio(1n), gaps: [0n], multiplicities: [0n] }],
    ["too few multiplicities", { rate: ratio(1n), gaps: [0n, 1n], multiplicities: [1n] }],
  ])("refuses %s", (_name, weights) => {
    expect(() => chooseByExp(weights)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
  });
});

test("a weight in doubles is within its stated error", () => {
  for (const [gap, rate] of [
    [1n, "1/3"],
    [31n, "1"],
    [32n, "1"],
    [43n, "1"],
    [703n, "1"],
    [1000n, "7/10"],
    [705n, "1"],
    [10n ** 30n, "1e-28"],
    [10n ** 400n, "1e-399"],
  ] as const) {
    const exact = parseRational(rate);
    const found = expWeight(gap, exact, Number(exact.num) / Number(exact.den));
    const { lo, hi } = expBracket(negate(multiply(exact, ratio(gap))), 1200);
    const [low, high] = [toDouble(lo, "down"), toDouble(hi, "up")];
    expect(found).toBeGreaterThanOrEqual(low * (1 - weightError) - weightlessError);
    expect(found).toBeLessThanOrEqual(high * (1 + weightError) + weightlessError);
  }
});
