import { describe, expect, test } from "vitest";
import type { BitSource } from "../entropy/bit-source.ts";
import {
  divide,
  floor,
  multiply,
  parseRational,
  type Rational,
  ratio,
  subtract,
  toText,
} from "../numeric/rational.ts";
import { BitTape, RecordingSource, SeededSource, TapeExhausted } from "../tape.ts";
import { bernoulliExpOracle } from "./bernoulli-exp.oracle.ts";
import { bernoulliExp } from "./bernoulli-exp.ts";
import { acceptanceBits, type Decay, exponential, halfNormal } from "./decay.ts";
import { discreteGaussianOracle } from "./discrete-gaussian.oracle.ts";
import { discreteGaussian } from "./discrete-gaussian.ts";
import { discreteLaplaceOracle } from "./discrete-laplace.oracle.ts";
import { discreteLaplace } from "./discrete-laplace.ts";
import { roundedGaussianOracle } from "./rounded-gaussian.oracle.ts";
import { roundedGaussian } from "./rounded-gaussian.ts";
import { exactWeights, type OracleCoins, wordCoins } from "./scaled-decay.oracle.ts";

interface Law {
  readonly make: (x: Rational) => { sample(bits: BitSource): unknown };
  readonly oracle: (x: Rational, coins: OracleCoins) => unknown;
  readonly parameters: readonly string[];
}

const huge = (2n ** 60n).toString();
const laws: Record<string, Law> = {
  discreteLaplace: {
    make: discreteLaplace,
    oracle: discreteLaplaceOracle,
    parameters: [
      "1/50",
      "1/3",
      "1",
      "10",
      "1234567/1000",
      "1e6",
      (2n ** 34n).toString(),
      (2n ** 45n).toString(),
      huge,
      "1e40",
      "1e-320",
    ],
  },
  roundedGaussian: {
    make: roundedGaussian,
    oracle: roundedGaussianOracle,
    parameters: [
      "1/50",
      "1/3",
      "1",
      "10",
      "1234567/1000",
      "1e6",
      (2n ** 34n).toString(),
      (2n ** 45n).toString(),
      huge,
      "1e40",
    ],
  },
  discreteGaussian: {
    make: discreteGaussian,
    oracle: discreteGaussianOracle,
    parameters: ["1/100", "1/3", "1", "100", "1e9", (2n ** 90n).toString(), "1e60"],
  },
  bernoulliExp: {
    make: (gamma) => ({ sample: (bits) => bernoulliExp(gamma, bits) }),
    oracle: bernoulliExpOracle,
    parameters: ["0", "1e-30", "1/7", "0.693147180559945309417232121458", "5", "21", "44", "200"],
  },
};

interface Run {
  readonly value: unknown;
  readonly read: number;
}

/** The outcome and the words read; `exhausted` when the tape ended first. */
function run(draw: (bits: BitSource) => unknown, words: readonly number[]): Run {
  const tape = new BitTape(words);
  try {
    const value = draw(tape);
    return { value, read: tape.read };
  } catch (error) {
    if (error instanceof TapeExhausted) return { value: "exhausted", read: tape.read };
    throw error;
  }
}

function expectEqual(law: Law, parameter: Rational, tapes: Iterable<readonly number[]>): void {
  const fast = law.make(parameter);
  for (const words of tapes) {
    const got = run((bits) => fast.sample(bits), words);
    const due = run((bits) => law.oracle(parameter, wordCoins(bits)), words);
    expect(got, `${toText(parameter)} on ${words.slice(0, 12)}`).toEqual(due);
  }
}

function* randomTapes(seed: number, count: number, length: number): Generator<number[]> {
  const source = new SeededSource(seed);
  for (let i = 0; i < count; i++) yield Array.from({ length }, () => source.word());
}

/** Words that random tapes do not show: ends of ranges, lone bits, cells and their edges. */
const notable = [
  0,
  1,
  2,
  0x7fffffff,
  0x80000000,
  0xffffffff,
  0xfffffffe,
  1 << 19,
  (1 << 19) - 1,
  0xfff80000,
  0x7ff80000,
];
function* adversarialTapes(seed: number, count: number, length: number): Generator<number[]> {
  for (const word of notable) yield new Array<number>(length).fill(word);
  const source = new SeededSource(seed);
  for (let i = 0; i < count; i++) {
    yield Array.from({ length }, () =>
      source.word() % 3 === 0 ? source.word() : notable[source.word() % notable.length]!,
    );
  }
}

describe("the fast path equals its oracle bit for bit and reads the same words", () => {
  for (const [name, law] of Object.entries(laws)) {
    test.each(law.parameters)(`${name}(%s)`, (text) => {
      const parameter = parseRational(text);
      expectEqual(law, parameter, randomTapes(11, 400, 40));
      expectEqual(law, parameter, adversarialTapes(12, 300, 24));
    });
  }
});

describe("tapes made to defeat doubles", () => {
  const decays: Record<string, { decay: Decay; law: Law; exponent: (x: number) => number }> = {
    discreteLaplace: { decay: exponential, law: laws.discreteLaplace!, exponent: (x) => x },
    roundedGaussian: { decay: halfNormal, law: laws.roundedGaussian!, exponent: (x) => (x * x) / 2 },
  };
  for (const [name, { decay, law, exponent }] of Object.entries(decays)) {
    const weights = exactWeights(decay);
    const mass = Number(decay.mass.num) / Number(decay.mass.den);
    const starts = weights.map((_, j) => weights.slice(0, j).reduce((a, b) => a + b, 0));

    test(`${name}: the acceptance bits lie at e^{−g(x)}, give or take one`, () => {
      const source = new SeededSource(5);
      const tapes: number[][] = [];
      let longer = 0;
      for (let i = 0; i < 300; i++) {
        const cell = source.word() % decay.cells;
        const position = source.word();
        const height = (mass * Math.exp(-exponent((cell + position / 2 ** 32) / 16))) / weights[cell]!;
        const first = Math.min(2 ** acceptanceBits - 1, Math.floor(height * 2 ** acceptanceBits));
        for (const nudge of [-1, 0, 1]) {
          const acceptance = Math.max(0, Math.min(2 ** acceptanceBits - 1, first + nudge));
          const word = starts[cell]! * 2 ** acceptanceBits + acceptance;
          const tape = [word, position, ...Array.from({ length: 20 }, () => source.word())];
          tapes.push(tape);
          if (run((bits) => law.oracle(parseRational("1000"), wordCoins(bits)), tape).read === 3) longer++;
        }
      }
      expect(longer).toBeGreaterThan(100); // the constructed tapes do reach the undecided zone
      expectEqual(law, parseRational("1000"), tapes);
    });

    test(`${name}: the tail, at its acceptance boundary`, () => {
      const source = new SeededSource(6);
      const tapes: number[][] = [];
      for (let i = 0; i < 200; i++) {
        const unitCell = source.word() % 5;
        const position = source.word();
        const x = decay.cells / 16 + unitCell + position / 2 ** 32;
        const height = mass * 32 * 2 ** unitCell * Math.exp(-exponent(x));
        const acceptance =
          Math.min(2 ** acceptanceBits - 1, Math.floor(height * 2 ** acceptanceBits)) +
          (source.word() % 3) -
          1;
        const word = 4095 * 2 ** acceptanceBits + Math.max(0, Math.min(2 ** acceptanceBits - 1, acceptance));
        const zeros = ((2 ** 31) >>> unitCell) + (source.word() % 2 ** (31 - unitCell));
        tapes.push([word, zeros >>> 0, position, ...Array.from({ length: 20 }, () => source.word())]);
      }
      tapes.push([4095 * 2 ** acceptanceBits, 0, 0, 0, 1, 77, 0, 0, 0, 0]);
      tapes.push([4095 * 2 ** acceptanceBits, 0, 0x00000100, 0xffffffff, 0, 0, 0, 0, 0]);
      expectEqual(law, parseRational("1000"), tapes);
      expectEqual(law, parseRational(huge), tapes);
    });

    test.each(["10", "1000", "1e6", "1e9", (3n ** 25n).toString()])(
      `${name}(%s): the position lies at the edge of two integers`,
      (text) => {
        const scale = parseRational(text);
        const half = decay === halfNormal ? 1n : 0n;
        const source = new SeededSource(7);
        const tapes: number[][] = [];
        for (let i = 0; i < 200; i++) {
          // An integer edge g inside the cell: scale·(cell + V)/16 + half/2 = g, so V = 8·(2g − half)/scale − cell.
          const cell = BigInt(source.word() % 40);
          const at = ((cell << 32n) + BigInt(source.word())) * scale.num;
          const g = (at / (scale.den << 31n) / 16n + half) / 2n + 1n;
          const place = subtract(divide(ratio(8n * (2n * g - half)), scale), ratio(cell));
          const edge = floor(multiply(place, ratio(1n << 96n))); // V to three words
          if (edge <= 0n || edge >> 96n !== 0n) continue;
          for (const nudge of [-1n, 0n, 1n]) {
            for (const shift of [0n, 32n, 64n]) {
              const v = edge + (nudge << shift);
              if (v < 0n || v >> 96n !== 0n) continue;
              const words = [v >> 64n, (v >> 32n) & 0xffffffffn, v & 0xffffffffn].map(Number);
              tapes.push([
                starts[Number(cell)]! * 2 ** acceptanceBits,
                ...words,
                source.word(),
                source.word(),
              ]);
            }
          }
        }
        const read = tapes.map((tape) => run((bits) => law.oracle(scale, wordCoins(bits)), tape).read);
        expect(Math.max(...read)).toBeGreaterThanOrEqual(4); // all three words of V were needed
        expect(tapes.length).toBeGreaterThan(50);
        expectEqual(law, scale, tapes);
      },
    );
  }

  test("bernoulliExp: the first word lies at e^{−γ}, give or take two", () => {
    const source = new SeededSource(8);
    for (const text of ["1/7", "1", "3", "10", "20"]) {
      const gamma = parseRational(text);
      const at = Math.floor(Math.exp(-Number(gamma.num) / Number(gamma.den)) * 2 ** 32);
      const tapes = [-2, -1, 0, 1, 2].map((nudge) => [
        at + nudge,
        source.word(),
        source.word(),
        source.word(),
      ]);
      expect(
        tapes.some((tape) => run((bits) => bernoulliExpOracle(gamma, wordCoins(bits)), tape).read > 1),
      ).toBe(true);
      expectEqual(laws.bernoulliExp!, gamma, tapes);
    }
  });
});

describe("fill", () => {
  test.each(["1/3", "10", "1e6", "1e12"])("gives what sample gives, from the same words (%s)", (text) => {
    for (const make of [discreteLaplace, roundedGaussian, discreteGaussian]) {
      const sampler = make(parseRational(text));
      const recording = new RecordingSource(new SeededSource(9));
      const out = new Float64Array(500);
      sampler.fill(out, recording);
      const tape = new BitTape(recording.words);
      for (const value of out) {
        expect(BigInt(value)).toBe(sampler.sample(tape));
        expect(Object.is(value, -0)).toBe(false);
      }
      expect(tape.read).toBe(recording.words.length);
    }
  });
  test("refuses where doubles may not hold the noise", () => {
    const out = new Float64Array(1);
    for (const [make, limit] of [
      [discreteLaplace, 2n ** 46n],
      [roundedGaussian, 2n ** 48n],
      [discreteGaussian, 2n ** 92n],
    ] as const) {
      expect(() => make(parseRational(`${limit}`)).fill(out, new SeededSource(1))).not.toThrow();
      expect(() => make(parseRational(`${limit + 1n}`)).fill(out, new SeededSource(1))).toThrow(
        /fill doubles/,
      );
    }
  });
  test("parameters that are not positive are refused", () => {
    for (const make of [discreteLaplace, roundedGaussian, discreteGaussian]) {
      expect(() => make(parseRational("0"))).toThrow(/> 0/);
      expect(() => make(parseRational("-1"))).toThrow(/> 0/);
    }
    expect(() => bernoulliExp(parseRational("-1/2"), new SeededSource(1))).toThrow(/≥ 0/);
  });
});
