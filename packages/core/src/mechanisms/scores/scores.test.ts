import { describe, expect, it } from "vitest";
import {
  exponentialLaw,
  permuteAndFlipLaw,
  scoreVectors,
} from "../../../../../testing/src/contracts/selection-laws.ts";
import { seal } from "../../exact/index.ts";
import { parseRational, ratio, toDouble } from "../../numeric/rational.ts";
import { SeededSource } from "../../tape.ts";
import { exponentialFor } from "../exponential/exponential.ts";
import { chooseSealed } from "./choose-sealed.ts";
import { gapsBelowBest, gridScores, scoreRange } from "./scores.ts";
import { utilityLoss } from "./utility-loss.ts";

const refusal = expect.objectContaining({ code: "parameter.invalid" });

describe("scores", () => {
  it("the range is 2Δ, or Δ for monotone scores", () => {
    expect(scoreRange({ sensitivity: 3n })).toBe(6n);
    expect(scoreRange({ sensitivity: 3n, monotone: true })).toBe(3n);
    expect(() => scoreRange({ sensitivity: 0n })).toThrow(refusal);
    expect(() => scoreRange({ sensitivity: 1 as never })).toThrow(refusal);
  });

  it("are told apart by how far they lie below the best, and none at all are refused", () => {
    expect(gapsBelowBest([3n, -4n, 5n])).toEqual([2n, 9n, 0n]);
    expect(() => gapsBelowBest([])).toThrow(refusal);
    expect(() => gapsBelowBest([1n, 2 as never])).toThrow(refusal);
  });

  it("on a grid move by at most the grid's sensitivity, and the way the doubles move", () => {
    const step = ratio(3n, 10n);
    const sensitivity = ratio(1n);
    for (let i = -200; i < 200; i++) {
      const [low, high] = [i / 17, i / 17 + 1];
      const grid = gridScores([low, high], { step, sensitivity });
      const [a, b] = grid.scores as [bigint, bigint];
      expect(grid.sensitivity).toBe(4n);
      expect(b - a).toBeGreaterThanOrEqual(3n);
      expect(b - a).toBeLessThanOrEqual(grid.sensitivity);
    }
    expect(gridScores([0.25, 1], { step: ratio(1n, 10n), sensitivity })).toEqual({
      scores: [2n, 10n],
      sensitivity: 10n,
    });
    for (const score of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => gridScores([score], { step, sensitivity })).toThrow(refusal);
    }
    expect(() => gridScores([1], { step: ratio(0n), sensitivity })).toThrow(refusal);
    expect(() => gridScores([1], { step, sensitivity: ratio(-1n) })).toThrow(refusal);
  });
});

describe("utilityLoss", () => {
  // e^−rate = 1/2 stands for rate = ln 2.
  const rate = parseRational("0.693147180559945309417232");
  it.each([0.5, 0.1, 0.01])(
    "is exceeded with probability at most %f, for both mechanisms on all small scores",
    (miss) => {
      const bound = utilityLoss({ rate, candidates: 4, miss });
      let worst = 0;
      for (const scores of scoreVectors(4, 9).filter((_, i) => i % 7 === 0)) {
        const best = scores.reduce((a, b) => (a > b ? a : b));
        for (const law of [exponentialLaw(scores, ratio(1n, 2n)), permuteAndFlipLaw(scores, ratio(1n, 2n))]) {
          const beyond = law.reduce(
            (sum, mass, i) => sum + (Number(best - scores[i]!) > bound ? toDouble(mass, "up") : 0),
            0,
          );
          expect(beyond).toBeLessThanOrEqual(miss);
          worst = Math.max(worst, beyond);
        }
      }
      // Not idle: some scores come within a factor of three of it.
      expect(worst).toBeGreaterThan(miss / 3);
    },
  );

  it("is (ln(m − 1) + ln(1/miss))/rate, rounded up, and 0 for one candidate", () => {
    const found = utilityLoss({ rate: ratio(1n, 2n), candidates: 101, miss: 0.01 });
    expect(found).toBeGreaterThanOrEqual(18.420680743952367);
    expect(found).toBeCloseTo(18.420680743952367, 12);
    expect(utilityLoss({ rate: ratio(1n), candidates: 1, miss: 1e-300 })).toBe(0);
    expect(utilityLoss({ rate: ratio(1n, 10n ** 400n), candidates: 3, miss: 0.5 })).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it.each([
    ["0", 3, 0.5],
    ["1", 0, 0.5],
    ["1", 1.5, 0.5],
    ["1", 3, 0],
    ["1", 3, 1],
    ["1", 3, Number.NaN],
    ["1", Number.NaN, 0.5],
  ])("refuses rate %s, %s candidates, miss %s", (text, candidates, miss) => {
    expect(() => utilityLoss({ rate: parseRational(text), candidates, miss })).toThrow(refusal);
  });
});

it("a choice by sealed scores is the choice by the scores, coin for coin", () => {
  const scores = [3n, 10n, 9n, 8n];
  const selection = exponentialFor({ epsilon: 1, sensitivity: 2n });
  const [sealed, open] = [new SeededSource(5), new SeededSource(5)];
  for (let i = 0; i < 200; i++)
    expect(chooseSealed(selection, seal(scores), sealed)).toBe(selection.choose(scores, open));
  expect(() => chooseSealed(selection, scores as never, sealed)).toThrow("not an Exact");
});
