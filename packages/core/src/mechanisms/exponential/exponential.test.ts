import { describe, expect, it } from "vitest";
import { between, enumerateWords, lowBits } from "../../../../../testing/src/contracts/enumerate-words.ts";
import { pureEitherWay } from "../../../../../testing/src/contracts/pure-forms.ts";
import {
  exponentialLaw,
  neighbouringScores,
  powerOf,
} from "../../../../../testing/src/contracts/selection-laws.ts";
import { expBracket } from "../../numeric/bracket.ts";
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
  toText,
} from "../../numeric/rational.ts";
import { enumerateTapes, SeededSource, TapeExhausted } from "../../tape.ts";
import { exponential, exponentialFor } from "./exponential.ts";
import { exponentialLogProbabilities } from "./exponential-law.ts";
import { chooseOnInterval } from "./interval-exponential.ts";

const half = ratio(1n, 2n);

/** The real law, e^−rate in brackets. */
function lawAt(scores: readonly bigint[], rate: Rational, times: readonly bigint[] = scores.map(() => 1n)) {
  const best = scores.reduce((a, b) => (a > b ? a : b));
  const weights = scores.map((score, i) => {
    const { lo, hi } = expBracket(negate(multiply(rate, ratio(best - score))), 160);
    return { lo: multiply(ratio(times[i]!), lo), hi: multiply(ratio(times[i]!), hi) };
  });
  const [low, high] = [sum(weights.map(({ lo }) => lo)), sum(weights.map(({ hi }) => hi))];
  return weights.map(({ lo, hi }) => ({ lo: divide(lo, high), hi: divide(hi, low) }));
}

describe("the exponential mechanism", () => {
  it.each([
    ["1", [0n, 2n, 1n]],
    ["1/3", [5n, 5n, -7n, 3n]],
    ["4", [10n ** 18n, 0n, 10n ** 18n - 1n]],
  ] as const)("at ε = %s chooses from %s by its law, every tape enumerated", (text, scores) => {
    const mechanism = exponentialFor({ epsilon: parseRational(text), sensitivity: 1n });
    const { masses, residual } = enumerateTapes((bits) => mechanism.choose(scores, bits), { depth: 2 });
    expect(compare(residual, ratio(1n, 1n << 28n))).toBeLessThan(0);
    const law = lawAt(scores, parseRational(mechanism.parameters.rate));
    for (const [i, { lo, hi }] of law.entries()) {
      const found = masses.get(i) ?? ratio(0n);
      expect(compare(found, hi)).toBeLessThanOrEqual(0);
      expect(compare(add(found, residual), lo)).toBeGreaterThanOrEqual(0);
    }
    // Twice the rate (the forgotten 2 of 2Δ) would be refuted by the same enumeration.
    const wrong = lawAt(scores, multiply(ratio(2n), parseRational(mechanism.parameters.rate)));
    expect(
      wrong.some(({ lo, hi }, i) => {
        const found = masses.get(i) ?? ratio(0n);
        return compare(found, hi) > 0 || compare(add(found, residual), lo) < 0;
      }),
    ).toBe(true);
  });

  it.each([
    [false, 2n],
    [true, 1n],
  ])("is pure at e^(rate·range) by all three forms on all small scores, monotone %s", (monotone, range) => {
    const growth = powerOf(ratio(2n), range);
    let worst = ratio(1n);
    for (const [a, b] of neighbouringScores(3, 2, monotone)) {
      const [p, q] = [exponentialLaw(a, half), exponentialLaw(b, half)];
      expect(pureEitherWay(p, q, growth)).toBe(true);
      const ratios = p.map((mass, i) => divide(mass, q[i]!));
      const [most, least] = [ratios.reduce(larger), ratios.reduce((x, y) => (larger(x, y) === x ? y : x))];
      // Bounded range: the log-ratio spans at most rate·range.
      expect(compare(divide(most, least), growth)).toBeLessThanOrEqual(0);
      worst = larger(worst, divide(most, least));
    }
    // The range is attained, so the event claims nothing needless.
    expect(worst).toEqual(growth);
  });

  it("without the 2 of 2Δ, or with scores called monotone that are not, its claim is refuted", () => {
    const claimed = ratio(2n);
    const pairs = neighbouringScores(3, 2, false);
    expect(
      pairs.some(([a, b]) => !pureEitherWay(exponentialLaw(a, half), exponentialLaw(b, half), claimed)),
    ).toBe(true);
  });

  it("says what it costs", () => {
    const general = exponentialFor({ epsilon: ratio(3n), sensitivity: 4n });
    expect(general.parameters).toEqual({ mechanism: "exponential@1", rate: "3/8", range: "8" });
    expect(general.event).toEqual({ kind: "bounded-range", version: 1, epsilon: "3", of: "exponential" });
    const monotone = exponentialFor({ epsilon: ratio(3n), sensitivity: 4n, monotone: true });
    expect(monotone.parameters.rate).toBe("3/4");
    expect(toText(monotone.epsilon)).toBe("3");
    // A §2.2: exp(ε·s) with Δs ≤ 1 costs 2ε.
    expect(toText(exponential({ rate: half, range: 2n }).epsilon)).toBe("1");
  });

  it("takes extreme scores, and the larger one is chosen, not the smaller", () => {
    const mechanism = exponentialFor({ epsilon: ratio(1n), sensitivity: 1n });
    const bits = new SeededSource(1);
    expect(mechanism.choose([-(10n ** 18n), 10n ** 18n, 0n], bits)).toBe(1);
    expect(mechanism.choose([-(10n ** 400n)], bits)).toBe(0);
  });

  it("refuses what has no meaning", () => {
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    for (const [epsilon, sensitivity] of [
      ["0", 1n],
      ["-1", 1n],
      ["1", 0n],
      ["1", -1n],
    ] as const) {
      expect(() => exponentialFor({ epsilon: parseRational(epsilon), sensitivity })).toThrow(refusal);
    }
    expect(() => exponentialFor({ epsilon: ratio(1n), sensitivity: Number.NaN as never })).toThrow(refusal);
    expect(() => exponential({ rate: ratio(0n), range: 1n })).toThrow(refusal);
    const mechanism = exponentialFor({ epsilon: ratio(1n), sensitivity: 1n });
    const bits = new SeededSource(1);
    for (const scores of [[], [1n, Number.NaN], [1, 2]]) {
      expect(() => mechanism.choose(scores as bigint[], bits)).toThrow(refusal);
    }
  });
});

describe("probabilities of the exponential mechanism", () => {
  it("are right at extreme scores and never NaN", () => {
    expect(exponentialLogProbabilities([10n ** 18n, 0n], ratio(1n))).toEqual([0, -1e18]);
    expect(exponentialLogProbabilities([7n], ratio(1n))).toEqual([0]);
    const [a, b] = exponentialLogProbabilities([0n, 0n], ratio(1n));
    expect(a).toBeCloseTo(-Math.LN2, 14);
    expect(b).toBe(a);
    // ln(1 + e^−40) is seen beside 1.
    expect(exponentialLogProbabilities([40n, 0n], ratio(1n))[0]).toBeCloseTo(-Math.exp(-40), 26);
    for (const p of exponentialLogProbabilities([10n ** 400n, 0n], ratio(1n))) expect(p).not.toBeNaN();
  });
  it("sum to 1", () => {
    const scores = Array.from({ length: 1000 }, (_, i) => BigInt((i * 7919) % 301));
    const total = exponentialLogProbabilities(scores, ratio(1n, 7n)).reduce((sum, p) => sum + Math.exp(p), 0);
    expect(total).toBeCloseTo(1, 9);
  });
});

function larger(a: Rational, b: Rational): Rational {
  return compare(a, b) >= 0 ? a : b;
}

describe("the exponential mechanism on an interval", () => {
  const mechanism = exponentialFor({ epsilon: ratio(2n), sensitivity: 1n });
  const grid = { low: ratio(-1n), step: ratio(1n, 2n), cells: 6n };
  const pieces = [
    { cells: 1n, score: -2n },
    { cells: 0n, score: 50n },
    { cells: 4n, score: 0n },
    { cells: 1n, score: -1n },
  ];

  it("has on every grid point the law of the finite mechanism", () => {
    const law = lawAt([-2n, 0n, 0n, 0n, 0n, -1n], ratio(1n));
    const pieceLaw = lawAt([-2n, 0n, -1n], ratio(1n), [1n, 4n, 1n]);
    let at = 0;
    const boundaries: number[] = [];
    const thresholds = pieceLaw.slice(0, -1).flatMap(({ lo }) => {
      at += Number((lo.num * 2n ** 60n) / lo.den) / 2 ** 28;
      boundaries.push(Math.floor(at));
      return [Math.floor(at) - 3, Math.floor(at) + 4];
    });
    const cells = between(thresholds);
    const { masses, residual } = enumerateWords(
      (bits) => {
        // Words beside a boundary ask for more: give them up, their mass is residual.
        let reads = 0;
        const word = (): number => {
          const next = bits.word();
          if (reads++ === 0 && boundaries.some((boundary) => Math.abs(next - boundary) <= 3)) {
            throw new TapeExhausted("beside a boundary");
          }
          return next;
        };
        return toText(chooseOnInterval(mechanism, grid, pieces, { word }));
      },
      (read) => (read === 0 ? cells : lowBits(2)),
      2,
    );
    expect(compare(residual, ratio(1n, 1n << 27n))).toBeLessThan(0);
    const points = ["-1", "-1/2", "0", "1/2", "1", "3/2"];
    for (const [i, point] of points.entries()) {
      const found = masses.get(point) ?? ratio(0n);
      expect(compare(found, law[i]!.hi)).toBeLessThanOrEqual(0);
      expect(compare(add(found, residual), law[i]!.lo)).toBeGreaterThanOrEqual(0);
    }
  });

  it("costs the same as the mechanism it is, and refuses pieces that do not cover the grid", () => {
    expect(mechanism.event.epsilon).toBe("2");
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    const bits = new SeededSource(1);
    for (const wrong of [
      [],
      pieces.slice(1),
      [...pieces, { cells: -1n, score: 0n }, { cells: 1n, score: 0n }],
    ]) {
      expect(() => chooseOnInterval(mechanism, grid, wrong, bits)).toThrow(refusal);
    }
    expect(() => chooseOnInterval(mechanism, { ...grid, step: ratio(0n) }, pieces, bits)).toThrow(refusal);
    expect(() => chooseOnInterval(mechanism, { ...grid, cells: 0n }, [], bits)).toThrow(refusal);
  });

  it("takes 10^30 cells and scores 10^18 apart", () => {
    const fine = { low: ratio(0n), step: ratio(1n, 10n ** 30n), cells: 10n ** 30n };
    const point = chooseOnInterval(
      mechanism,
      fine,
      [
        { cells: 10n ** 30n - 1n, score: -(10n ** 18n) },
        { cells: 1n, score: 0n },
      ],
      new SeededSource(4),
    );
    expect(point).toEqual(ratio(10n ** 30n - 1n, 10n ** 30n));
  });
});
