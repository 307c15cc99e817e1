import { beforeEach, describe, expect, test, vi } from "vitest";
import type { BitSource } from "../entropy/bit-source.ts";
import { expBracket } from "../numeric/bracket.ts";
import { quotientDown } from "../numeric/fixed-point.ts";
import { parseRational, ratio } from "../numeric/rational.ts";
import { BitTape, SeededSource } from "../tape.ts";
import { bernoulliExp } from "./bernoulli-exp.ts";
import { chooseByExp } from "./choose-by-exp.ts";
import { compareWithExp } from "./compare-with-exp.ts";
import { acceptanceBits } from "./decay.ts";
import { discreteGaussian } from "./discrete-gaussian.ts";
import { discreteLaplace } from "./discrete-laplace.ts";
import { roundedGaussian } from "./rounded-gaussian.ts";

/**
 * The spies tell whether integers were asked where doubles can decide. Both give the same numbers from the same words, so that only the work
 * tells which of the two was asked. An acceptance in integers calls `compareWithExp`, the place of an integer in integers calls
 * `quotientDown`, and a choice in brackets calls `expBracket`. All counts follow from the seeds alone.
 */
vi.mock("./compare-with-exp.ts", { spy: true });
vi.mock("../numeric/fixed-point.ts", { spy: true });
vi.mock("../numeric/bracket.ts", { spy: true });

const [accepts, places, brackets] = [
  vi.mocked(compareWithExp),
  vi.mocked(quotientDown),
  vi.mocked(expBracket),
];
const forget = (): void => {
  for (const spy of [accepts, places, brackets]) spy.mockClear();
};
beforeEach(forget);

/** Counts the words that are handed on. */
class Counted implements BitSource {
  words = 0;
  readonly #source: BitSource;

  constructor(source: BitSource) {
    this.#source = source;
  }

  word(): number {
    this.words += 1;
    return this.#source.word();
  }
}

const laws = { discreteLaplace, roundedGaussian, discreteGaussian };
const counts = (): object => ({ accepts: accepts.mock.calls.length, places: places.mock.calls.length });

test.each([
  ["discreteLaplace", "10", 44251],
  ["discreteLaplace", "1000", 42145],
  ["roundedGaussian", "10", 41421],
  ["roundedGaussian", "1000", 41421],
  ["discreteGaussian", "100", 85113],
  ["discreteGaussian", "1000000", 81684],
] as const)("20,000 draws of %s(%s) are decided by doubles, from few words", (name, parameter, words) => {
  const sampler = laws[name](parseRational(parameter));
  sampler.sample(new SeededSource(40));
  const bits = new Counted(new SeededSource(41));
  forget();
  sampler.fill(new Float64Array(20_000), bits);
  expect({ words: bits.words, ...counts() }).toEqual({ words, accepts: 0, places: 0 });
});

describe("a proposal of the tail", () => {
  /** The slot of the tail, the number of zeros before the first one, a position, and a start of cell 0 should it be rejected. */
  const tail = (acceptance: number, unitCell: number): BitTape =>
    new BitTape([4095 * 2 ** acceptanceBits + acceptance, (2 ** 31) >>> unitCell, 5, 0, 2 ** 16, 0]);
  test.each([
    [0, 0, 0],
    [0, 19, 0],
    [0, 20, 1],
    [2 ** acceptanceBits - 1, 0, 0],
  ])("that holds %i in unit cell %i takes %i comparisons in integers", (acceptance, unitCell, due) => {
    discreteLaplace(ratio(1000n)).sample(tail(acceptance, unitCell));
    expect(accepts).toHaveBeenCalledTimes(due);
  });
});

test("an integer edge inside the first word of a position takes a second, and integers only at the edge", () => {
  // X = V·2^33 lies in [6, 8) after the first word 3, and the second word's middle is the edge 7.
  const sampler = discreteLaplace(ratio(1n << 37n));
  const calls = [1, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe].map((second) => {
    forget();
    const bits = new Counted(new BitTape([0x80000000, 3, second, 1]));
    return [Number(sampler.sample(bits)), bits.words, places.mock.calls.length];
  });
  expect(calls).toEqual([
    [-6, 3, 0],
    [-6, 3, 0],
    [-6, 3, 1],
    [-7, 3, 1],
    [-7, 3, 0],
    [-7, 3, 0],
  ]);
});

describe("a coin of e^{−γ}", () => {
  test("is decided by doubles, except for the word that holds e^{−γ} and one that ends within an 18th of it", () => {
    const at = Math.floor(Math.exp(-1 / 7) * 2 ** 32);
    const calls = [-2, -1, 0, 1, 2].map((nudge) => {
      forget();
      bernoulliExp(ratio(1n, 7n), new BitTape([at + nudge, 0, 0]));
      return accepts.mock.calls.length;
    });
    expect(calls).toEqual([0, 1, 3, 0, 0]);
  });
  test("is never heads beyond e^{−43}, at no work, unless the word is 0", () => {
    expect(bernoulliExp(ratio(44n), new BitTape([1, 0]))).toBe(false);
    expect(accepts).not.toHaveBeenCalled();
    bernoulliExp(ratio(44n), new BitTape([0, 2 ** 31, 0]));
    expect(accepts).toHaveBeenCalled();
  });
});

describe("a choice by e^{−rate·gap}", () => {
  const weights = { rate: ratio(1n, 2n), gaps: [3n, 0n, 1n, 1n], multiplicities: [2n, 1n, 7n, 1n] };
  test("is made in doubles from one word, 2,000 times", () => {
    const choice = chooseByExp(weights);
    const bits = new Counted(new SeededSource(42));
    forget();
    for (let i = 0; i < 2000; i++) choice.draw(bits);
    expect(brackets).not.toHaveBeenCalled();
    expect(bits.words).toBe(2000);
  });
  test("beside a boundary takes a second word, and brackets only where that lies beside it too", () => {
    const choice = chooseByExp({ rate: ratio(1n), gaps: [0n, 5n, 0n] });
    const boundary = 2 ** 32 / (2 + Math.exp(-5));
    const first = Math.floor(boundary);
    // The sums are known to a quarter of the first word.
    const second = (boundary - first) * 2 ** 32;
    const drawn = [1.5, 0.8, 0, -0.8, -1.5].map((apart) => {
      const bits = new Counted(new BitTape([first, second + apart * 2 ** 30, 0, 0]));
      forget();
      choice.draw(bits);
      return [bits.words, brackets.mock.calls.length > 0];
    });
    expect(drawn).toEqual([
      [2, false],
      [2, true],
      [2, true],
      [2, true],
      [2, false],
    ]);
  });
  test("is made in brackets alone where the sum fills no double", () => {
    const choice = chooseByExp({ ...weights, multiplicities: [1n, 10n ** 309n, 1n, 1n] });
    forget();
    expect(choice.draw(new SeededSource(1))).toBe(1);
    expect(brackets).toHaveBeenCalled();
  });
});
