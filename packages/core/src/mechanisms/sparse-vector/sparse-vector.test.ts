import { describe, expect, it } from "vitest";
import { refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import type { Enclosure } from "../../../../../testing/src/contracts/mechanism-hockey-stick.ts";
import {
  type Comparison,
  comparisonsLaw,
  enumerateNoise,
  type NoisePaths,
  pairOf,
} from "../../../../../testing/src/contracts/noise-paths.ts";
import {
  add,
  compare,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  sum,
  zero,
} from "../../numeric/rational.ts";
import { discreteLaplace } from "../../samplers/index.ts";
import { SeededSource } from "../../tape.ts";
import { pure } from "../declared/pure.ts";
import { laplaceErrorBound } from "../geometric/laplace-error-bound.ts";
import { openSparseVector, sparseVectorWith } from "./sparse-vector.ts";
import {
  type SparseVectorSetting,
  sparseVectorErrorBound,
  sparseVectorEvent,
  sparseVectorFor,
  sparseVectorScales,
} from "./sparse-vector-setting.ts";

const setting = (over: Partial<SparseVectorSetting> = {}): SparseVectorSetting => ({
  thresholdEpsilon: "1",
  comparisonEpsilon: "2",
  numberEpsilon: "0",
  sensitivity: 1n,
  cap: 1n,
  monotone: false,
  ...over,
});
const paid = (each: SparseVectorSetting): Rational => pure.losses(sparseVectorEvent(each)).pure!.epsilon;
const invalid = expect.objectContaining({ code: "parameter.invalid" });

/** The transcripts of the code itself on a stream, over all paths of its noise. */
function transcripts(each: SparseVectorSetting, values: readonly bigint[], depth: number): NoisePaths {
  const scales = sparseVectorScales(each);
  return enumerateNoise((draw) => {
    const vector = sparseVectorWith(each.cap, {
      threshold: () => draw(scales.threshold),
      comparison: () => draw(scales.comparison),
      number: scales.number && (() => draw(scales.number!)),
    });
    let transcript = "";
    for (const value of values) {
      if (vector.left === 0n) break;
      const { above, number } = vector.ask({ value });
      transcript += above ? `A${number ?? ""}` : "B";
    }
    return transcript;
  }, depth);
}

/** The sum of the proof for a transcript such as "BBA", at any scale of the comparisons. */
function law(
  each: SparseVectorSetting,
  values: readonly bigint[],
  transcript: string,
  scale: Rational | null,
) {
  const comparisons: Comparison[] = [...transcript].map((answer, i) => ({
    value: values[i]!,
    above: answer === "A",
    scale,
  }));
  return comparisonsLaw(sparseVectorScales(each).threshold, comparisons, 90n);
}

/** All transcripts over the given length that stop after `cap` answers above. */
function allTranscripts(length: number, cap: number): string[] {
  const grow = (so: string, left: number): string[] =>
    so.length === length || left === 0 ? [so] : [...grow(`${so}B`, left), ...grow(`${so}A`, left - 1)];
  return grow("", cap);
}

function pairOn(
  each: SparseVectorSetting,
  [d, e]: readonly [readonly bigint[], readonly bigint[]],
  names: readonly string[],
  scale: Rational | null = sparseVectorScales(each).comparison,
) {
  return {
    outcomes: names.map((name) => ({ p: law(each, d, name, scale), q: law(each, e, name, scale) })),
    rest: zero,
  };
}

const b = (...values: number[]): bigint[] => values.map(BigInt);

describe("the code", () => {
  it.each([
    ["one above", setting(), b(0, 1, -1), 26],
    ["two above", setting({ cap: 2n, comparisonEpsilon: "4" }), b(1, 0, 1), 22],
    [
      "a wide step",
      setting({ sensitivity: 2n, thresholdEpsilon: "3", comparisonEpsilon: "5" }),
      b(1, -2),
      26,
    ],
    ["monotone", setting({ monotone: true, comparisonEpsilon: "1" }), b(0, 2), 30],
  ])("has the law of the proof on every path: %s", (_name, each, values, depth) => {
    const { masses, residual } = transcripts(each, values, depth);
    expect(compare(residual, ratio(1n, 50n))).toBe(-1);
    const names = allTranscripts(values.length, Number(each.cap));
    expect([...masses.keys()].sort()).toEqual([...names].sort());
    for (const name of names) {
      const exact = law(each, values, name, sparseVectorScales(each).comparison);
      expect(compare(masses.get(name)!.lo, exact.hi)).toBeLessThanOrEqual(0);
      expect(compare(add(masses.get(name)!.hi, residual), exact.lo)).toBeGreaterThanOrEqual(0);
    }
    const total = sum(names.map((name) => law(each, values, name, sparseVectorScales(each).comparison).lo));
    expect(compare(total, ratio(999_999n, 1_000_000n))).toBe(1);
  });

  it("gives numbers whose law, with the comparisons, keeps the price", () => {
    const each = setting({ numberEpsilon: "2" });
    const [p, q] = [b(0, 1), b(1, 0)].map((values) => transcripts(each, values, 17));
    const pair = pairOf(p!, q!);
    const epsilon = paid(each);
    expect(epsilon).toEqual(ratio(5n));
    expect(refuted(pair, epsilon, zero)).toBe(false);
  });

  it("draws from the samplers of its own scales, in the order of the questions", () => {
    const each = setting({ numberEpsilon: "1", cap: 3n });
    const scales = sparseVectorScales(each);
    const [by, coins] = [new SeededSource(5), new SeededSource(5)];
    const vector = openSparseVector(each, by);
    const shift = discreteLaplace(scales.threshold).sample(coins);
    for (let i = 0; vector.left > 0n; i += 1) {
      const value = BigInt(i % 9) - 4n;
      const above = value + discreteLaplace(scales.comparison).sample(coins) >= 2n + shift;
      const number = above ? { number: 7n + discreteLaplace(scales.number!).sample(coins) } : {};
      expect(vector.ask({ value, threshold: 2n, number: 7n })).toEqual({ above, ...number });
    }
  });

  it("is spent after its cap, and says so", () => {
    const vector = openSparseVector(setting({ cap: 2n }), new SeededSource(1));
    while (vector.left > 0n) vector.ask({ value: 1000n });
    expect(() => vector.ask({ value: 0n })).toThrow(expect.objectContaining({ code: "mechanism.spent" }));
    expect(vector.left).toBe(0n);
  });

  it("is total on what the data may hold and strict on what is public", () => {
    const vector = openSparseVector(setting(), new SeededSource(1));
    expect(vector.ask({ value: Number.NaN as unknown as bigint, threshold: 10n ** 6n })).toEqual({
      above: false,
    });
    expect(() => vector.ask({ value: 0n, threshold: Number.NaN as unknown as bigint })).toThrow(invalid);
  });
});

describe("the price", () => {
  const streams: readonly (readonly [readonly bigint[], readonly bigint[]])[] = [
    [b(0, 0, 0, 1), b(1, 1, 1, 0)],
    [b(-3, 0, 3, -1), b(-2, -1, 4, -2)],
    [b(1, 0, 1, 0), b(0, 1, 0, 1)],
    [b(0, 1, 1, 1), b(1, 0, 0, 0)],
  ];
  const upward = streams.map(([d]) => [d, d.map((v, i) => v + BigInt(i % 2))] as const);

  it.each([1, 2, 3])("holds on whole laws of four questions, cap %i", (cap) => {
    const each = setting({ cap: BigInt(cap), comparisonEpsilon: "1", thresholdEpsilon: "1/2" });
    for (const stream of streams) {
      expect(refuted(pairOn(each, stream, allTranscripts(4, cap)), paid(each), zero)).toBe(false);
    }
    const monotone = { ...each, monotone: true };
    for (const stream of upward) {
      expect(refuted(pairOn(monotone, stream, allTranscripts(4, cap)), paid(each), zero)).toBe(false);
    }
  });

  // Many answers below that only a shifted threshold explains, then the cap of answers above.
  const long = (below: number, cap: number) =>
    [
      [...Array<bigint>(below).fill(0n), ...Array<bigint>(cap).fill(9n)],
      [...Array<bigint>(below).fill(1n), ...Array<bigint>(cap).fill(8n)],
      `${"B".repeat(below)}${"A".repeat(cap)}`,
    ] as const;
  const far = setting({ thresholdEpsilon: "1", comparisonEpsilon: "1", cap: 2n });
  const streamAt = (distance: bigint, below: number, cap: number) => {
    const [d, e, name] = long(below, cap);
    const moved = (values: readonly bigint[]): bigint[] =>
      values.map((v, i) => (i < below ? v : v - distance));
    return { pair: [moved(d), moved(e)] as const, name };
  };

  it("is nearly attained: a tenth less is refuted", () => {
    const { pair, name } = streamAt(29n, 400, 2);
    const sides = pairOn(far, pair, [name]);
    expect(refuted(sides, paid(far), zero)).toBe(false);
    expect(refuted(sides, multiply(paid(far), ratio(9n, 10n)), zero)).toBe(true);
  });

  it("refutes comparisons without noise (Lyu et al., Alg. 5)", () => {
    const names = allTranscripts(2, 2);
    expect(refuted(pairOn(far, [b(0, 1), b(1, 0)], names, null), ratio(50n), zero)).toBe(true);
  });

  it("refutes a scale without the cap (Alg. 4, Alg. 6)", () => {
    const each = setting({ cap: 4n, comparisonEpsilon: "1" });
    const { pair, name } = streamAt(20n, 60, 4);
    expect(refuted(pairOn(each, pair, [name], ratio(2n)), paid(each), zero)).toBe(true);
    expect(refuted(pairOn(each, pair, [name]), paid(each), zero)).toBe(false);
  });

  it("refutes a cap that is not kept (Alg. 6)", () => {
    const { pair, name } = streamAt(29n, 60, 8);
    expect(refuted(pairOn(far, pair, [name]), paid(far), zero)).toBe(true);
  });

  it("refutes monotone noise on values that are not monotone", () => {
    const { pair, name } = streamAt(19n, 400, 2);
    const monotone = { ...far, monotone: true };
    expect(refuted(pairOn(monotone, pair, [name]), paid(far), zero)).toBe(true);
  });

  it("refutes a number that reuses its comparison's noise (Alg. 3)", () => {
    const each = setting({ comparisonEpsilon: "1" });
    const scales = sparseVectorScales(each);
    // "B…B, then 0 told" needs ρ ≤ 0 besides: the told number caps the threshold, and each answer below then costs alone.
    const direct = (values: readonly bigint[]): Enclosure => {
      const below = values.map((value) => ({ value, above: false, scale: scales.comparison }));
      return comparisonsLaw(scales.threshold, [...below, { value: 0n, above: true, scale: null }], 90n);
    };
    const many = Array<bigint>(20).fill(0n);
    const p = direct(many);
    const q = direct(many.map(() => 1n));
    expect(refuted({ outcomes: [{ p, q }], rest: zero }, multiply(ratio(3n), paid(each)), zero)).toBe(true);
  });

  it("refutes a threshold redrawn after each above at the price of one", () => {
    const each = setting({ cap: 3n, comparisonEpsilon: "1" });
    const { pair, name } = streamAt(29n, 400, 1);
    // Redrawn, three such runs are independent: a ratio above e^(ε/3) in one is a ratio above e^ε in all.
    expect(refuted(pairOn(each, pair, [name]), multiply(paid(each), ratio(1n, 3n)), zero)).toBe(true);
  });
});

describe("sparseVectorFor", () => {
  it("spends exactly ε, in the ratio 1 : (2c)^(2/3)", () => {
    const split = sparseVectorFor({ epsilon: one, sensitivity: 3n, cap: 4n, monotone: false });
    expect(split).toMatchObject({ thresholdEpsilon: "1/5", comparisonEpsilon: "4/5", numberEpsilon: "0" });
    expect(paid(split)).toEqual(one);
    expect(sparseVectorFor({ epsilon: one, sensitivity: 3n, cap: 8n, monotone: true }).thresholdEpsilon).toBe(
      "1/5",
    );
    const numbers = sparseVectorFor({
      epsilon: one,
      sensitivity: 1n,
      cap: 2n,
      monotone: true,
      numberShare: ratio(1n, 3n),
    });
    expect(numbers.numberEpsilon).toBe("1/3");
    expect(paid(numbers)).toEqual(one);
    expect(sparseVectorScales(numbers).number).toEqual(ratio(6n));
  });

  it.each([
    { epsilon: zero },
    { epsilon: ratio(-1n) },
    { sensitivity: 0n },
    { cap: 0n },
    { cap: Number.NaN as unknown as bigint },
    { numberShare: one },
    { numberShare: ratio(-1n) },
  ])("refuses %o", (wrong) => {
    const right = { epsilon: one, sensitivity: 1n, cap: 1n, monotone: false };
    expect(() => sparseVectorFor({ ...right, ...wrong })).toThrow(invalid);
  });

  it.each([
    { thresholdEpsilon: "0" },
    { comparisonEpsilon: "0" },
    { numberEpsilon: "-1" },
    { comparisonEpsilon: "NaN" },
  ])("an opened one refuses %o", (wrong) => {
    expect(() => openSparseVector(setting(wrong), new SeededSource(1))).toThrow(invalid);
  });
});

describe("sparseVectorErrorBound", () => {
  it("covers as stated, and a sixth of it would not (false alarm below 1e-10)", () => {
    const each = setting({ cap: 3n });
    const [questions, beta] = [40, parseRational("0.2")];
    const reach = sparseVectorErrorBound(each, BigInt(questions), beta);
    const bits = new SeededSource(11);
    const rounds = 2000;
    let [wrong, wrongNarrow] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const vector = openSparseVector(each, bits);
      let worst = 0n;
      for (let i = 0; i < questions && vector.left > 0n; i += 1) {
        // Every value lies well below, so that each answer above is an error by the distance.
        const distance = BigInt((i * 7) % 40) + 1n;
        if (vector.ask({ value: -distance }).above && distance > worst) worst = distance;
      }
      wrong += Number(worst > reach);
      wrongNarrow += Number(6n * worst > reach);
    }
    // P ≤ 0.2; more than 560 of 2000 would have probability below e^(−2·2000·0.08²) = 8e-12 (Hoeffding).
    expect(wrong).toBeLessThan(560);
    expect(wrongNarrow).toBeGreaterThan(560);
  });
  it("is the reach of the threshold's noise and of the largest of all comparisons', beta in halves", () => {
    const setting = {
      ...{ thresholdEpsilon: "1/2", comparisonEpsilon: "1", numberEpsilon: "1/4" },
      ...{ sensitivity: 3n, cap: 2n, monotone: false },
    };
    // Scales 3/(1/2) = 6 and 2·2·3/1 = 12.
    for (const questions of [1n, 7n, 1000n])
      expect(sparseVectorErrorBound(setting, questions, ratio(1n, 5n))).toBe(
        laplaceErrorBound(ratio(6n), ratio(1n, 10n)) +
          laplaceErrorBound(ratio(12n), ratio(1n, 10n * questions)),
      );
    expect(sparseVectorErrorBound({ ...setting, monotone: true }, 7n, ratio(1n, 5n))).toBe(
      laplaceErrorBound(ratio(6n), ratio(1n, 10n)) + laplaceErrorBound(ratio(6n), ratio(1n, 70n)),
    );
  });

  it("refuses no questions and an impossible beta", () => {
    expect(() => sparseVectorErrorBound(setting(), 0n, one)).toThrow(invalid);
    expect(() => sparseVectorErrorBound(setting(), 1n, one)).not.toThrow();
    expect(() => sparseVectorErrorBound(setting(), 1n, zero)).toThrow(invalid);
    expect(() => sparseVectorErrorBound(setting(), 1n, ratio(3n))).toThrow(invalid);
  });
});
