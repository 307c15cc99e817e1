import { describe, expect, it } from "vitest";
import { between, enumerateWords, lowBits } from "../../../../../testing/src/contracts/enumerate-words.ts";
import { pureEitherWay } from "../../../../../testing/src/contracts/pure-forms.ts";
import {
  exponentialLaw,
  neighbouringScores,
  permuteAndFlipLaw,
  powerOf,
  scoreVectors,
} from "../../../../../testing/src/contracts/selection-laws.ts";
import {
  add,
  compare,
  divide,
  fromDouble,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  sum,
  zero,
} from "../../numeric/rational.ts";
import { enumerateCoins, SeededSource, TapeExhausted } from "../../tape.ts";
import { permuteAndFlip, permuteAndFlipFor, permuteAndFlipWith } from "./permute-and-flip.ts";

const half = ratio(1n, 2n);

/** The law of the program itself, every coin enumerated, with 1/2 in the place of e^−rate. */
function programLaw(scores: readonly bigint[]): Rational[] {
  const best = scores.reduce((a, b) => (a > b ? a : b));
  const { masses, residual } = enumerateCoins(
    (coins) =>
      permuteAndFlipWith(
        scores.map((score) => best - score),
        {
          accepts: (gap) => coins.choose([1, 2 ** Number(gap) - 1]) === 0,
          below: (n) => coins.choose(new Array<number>(n).fill(1)),
        },
      ),
    200,
  );
  expect(residual).toEqual(zero);
  return scores.map((_, i) => masses.get(i) ?? zero);
}

describe("permute-and-flip", () => {
  it("has exactly the law of its definition by random orders, on all small scores", () => {
    for (const scores of [...scoreVectors(3, 3), [0n, 1n, 2n, 3n], [2n, 2n, 0n, 2n]]) {
      expect(programLaw(scores)).toEqual(permuteAndFlipLaw(scores, half));
    }
  });

  it.each([
    [false, 2n],
    [true, 1n],
  ])("is pure at e^(rate·range) by all three forms on all small scores, monotone %s", (monotone, range) => {
    const growth = powerOf(ratio(2n), range);
    let worst = one;
    for (const [a, b] of neighbouringScores(3, 2, monotone)) {
      const [p, q] = [permuteAndFlipLaw(a, half), permuteAndFlipLaw(b, half)];
      expect(pureEitherWay(p, q, growth)).toBe(true);
      for (const [i, mass] of p.entries())
        if (compare(divide(mass, q[i]!), worst) > 0) worst = divide(mass, q[i]!);
    }
    expect(compare(worst, one)).toBe(1);
  });

  it("with the 2 of 2Δ forgotten its claim is refuted", () => {
    // The rate is doubled (1/4 for e^−rate), the claim is not.
    const quarter = ratio(1n, 4n);
    const refuted = neighbouringScores(3, 2, false).some(
      ([a, b]) => !pureEitherWay(permuteAndFlipLaw(a, quarter), permuteAndFlipLaw(b, quarter), ratio(4n)),
    );
    expect(refuted).toBe(true);
  });

  it("never has a smaller expected score than the exponential mechanism, and mostly a larger one", () => {
    let better = 0;
    for (const scores of scoreVectors(3, 4)) {
      const mean = (law: readonly Rational[]) => sum(law.map((mass, i) => multiply(mass, ratio(scores[i]!))));
      const order = compare(mean(permuteAndFlipLaw(scores, half)), mean(exponentialLaw(scores, half)));
      expect(order).toBeGreaterThanOrEqual(0);
      if (order > 0) better += 1;
    }
    expect(better).toBeGreaterThan(100);
  });

  it("draws its law: every cell of words enumerated at a real rate", () => {
    const rate = ratio(1n, 3n);
    const scores = [4n, 1n, 3n];
    const mechanism = permuteAndFlip({ rate, range: 2n });
    const chances = [1, Math.exp(-1), Math.exp(-1 / 3)];
    const cells = chances.map((chance) => {
      if (chance === 1) return between([]);
      const at = Math.floor(chance * 2 ** 32);
      return between([at - 3, at + 4]);
    });
    const { masses, residual } = enumerateWords(
      (bits) => {
        // Words beside a threshold ask for more: give them up, their mass is residual.
        let reads = 0;
        const found = mechanism.choose(scores, {
          word() {
            const word = bits.word();
            const near = Math.floor((chances[reads] ?? 1) * 2 ** 32);
            reads += 1;
            if (near < 2 ** 32 && Math.abs(word - near) <= 3) throw new TapeExhausted("beside a threshold");
            return word;
          },
        });
        return found;
      },
      (read) => cells[read] ?? lowBits(2),
      5,
    );
    const stand = chances.map(fromDouble);
    const slack = add(residual, ratio(1n, 1n << 25n));
    for (const i of scores.keys()) {
      const [x, y] = stand.filter((_, at) => at !== i) as [Rational, Rational];
      const [nx, ny] = [x, y].map((each) => add(one, multiply(ratio(-1n), each))) as [Rational, Rational];
      // p·((1−x)(1−y) + (x(1−y) + y(1−x))/2 + xy/3).
      const due = multiply(
        stand[i]!,
        sum([
          multiply(nx, ny),
          multiply(half, add(multiply(x, ny), multiply(y, nx))),
          multiply(ratio(1n, 3n), multiply(x, y)),
        ]),
      );
      const found = masses.get(i)!;
      expect(compare(found, add(due, slack))).toBeLessThanOrEqual(0);
      expect(compare(add(found, slack), due)).toBeGreaterThanOrEqual(0);
    }
  });

  it("says what it costs, takes extreme scores, and chooses the larger", () => {
    const mechanism = permuteAndFlipFor({ epsilon: ratio(1n), sensitivity: 2n });
    expect(mechanism.event).toEqual({ kind: "pure", version: 1, epsilon: "1", of: "permute-and-flip" });
    expect(mechanism.parameters).toEqual({ mechanism: "permute-and-flip@1", rate: "1/4", range: "4" });
    const bits = new SeededSource(3);
    expect(mechanism.choose([0n, 10n ** 18n, -(10n ** 18n)], bits)).toBe(1);
    const many = Array.from({ length: 100_000 }, (_, i) => (i === 77_777 ? 0n : -(10n ** 18n) - BigInt(i)));
    expect(mechanism.choose(many, bits)).toBe(77_777);
  });

  it("refuses what has no meaning", () => {
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    expect(() => permuteAndFlipFor({ epsilon: parseRational("0"), sensitivity: 1n })).toThrow(refusal);
    expect(() => permuteAndFlip({ rate: ratio(1n), range: 0n })).toThrow(refusal);
    const mechanism = permuteAndFlipFor({ epsilon: ratio(1n), sensitivity: 1n });
    for (const scores of [[], [1], [1n, Number.NaN]]) {
      expect(() => mechanism.choose(scores as bigint[], new SeededSource(1))).toThrow(refusal);
    }
  });
});
