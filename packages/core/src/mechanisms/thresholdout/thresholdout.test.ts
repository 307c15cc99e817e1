import { describe, expect, it } from "vitest";
import { refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import { enumerateNoise, type NoisePaths, pairOf } from "../../../../../testing/src/contracts/noise-paths.ts";
import type { BitSource } from "../../entropy/bit-source.ts";
import { compare, one, parseRational, ratio, zero } from "../../numeric/rational.ts";
import { SeededSource } from "../../tape.ts";
import { pure } from "../declared/pure.ts";
import { laplaceErrorBound } from "../geometric/laplace-error-bound.ts";
import { sparseVectorErrorBound, sparseVectorScales, sparseVectorWith } from "../sparse-vector/index.ts";
import {
  openThresholdout,
  type ThresholdoutSetting,
  thresholdoutErrorBound,
  thresholdoutEvent,
  thresholdoutFor,
  thresholdoutWith,
} from "./thresholdout.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const request = {
  range: { lo: 0n, hi: 2n },
  holdoutSize: 2n,
  threshold: 1n,
  overfits: 1n,
  epsilon: ratio(9n),
};

/** Transcripts over all paths: two questions, the second of which follows from the first answer. */
function transcripts(
  setting: ThresholdoutSetting,
  holdout: readonly bigint[],
  noiseOf = setting,
): NoisePaths {
  const scales = sparseVectorScales(noiseOf.vector);
  return enumerateNoise((draw) => {
    const vector = sparseVectorWith(setting.vector.cap, {
      threshold: () => draw(scales.threshold),
      comparison: () => draw(scales.comparison),
      number: () => draw(scales.number!),
    });
    const kept = thresholdoutWith(setting, vector);
    const first = kept.ask([1n, 1n, 1n], holdout);
    if (kept.left === 0n) return `${first.from} ${first.sum}`;
    const turned = holdout.map((value) => 2n - value);
    const second = kept.ask([2n], turned);
    return `${first.from} ${first.sum}, ${second.from} ${second.sum}`;
  }, 20);
}

describe("thresholdout", () => {
  it("keeps its price over all paths of its noise, on neighbouring holdouts", () => {
    const setting = thresholdoutFor(request);
    const { epsilon } = pure.losses(thresholdoutEvent(setting)).pure!;
    expect(epsilon).toEqual(ratio(9n));
    const pairs = [
      [
        [0n, 0n],
        [2n, 0n],
      ],
      [
        [2n, 2n],
        [2n, 0n],
      ],
      [
        [1n, 2n],
        [0n, 2n],
      ],
    ];
    for (const [p, q] of pairs) {
      const pair = pairOf(transcripts(setting, p!), transcripts(setting, q!));
      expect(refuted(pair, epsilon, zero)).toBe(false);
    }
    // Noise of half the sensitivity, and less: the same paths refute it.
    const small = thresholdoutFor({ ...request, epsilon: ratio(45n) });
    const [p, q] = [
      [0n, 0n],
      [2n, 0n],
    ].map((held) => transcripts(setting, held, small));
    expect(refuted(pairOf(p!, q!), epsilon, zero)).toBe(true);
  });

  it("answers from the training set, scaled and rounded, or from the holdout, within its range", () => {
    const far = thresholdoutFor({ ...request, threshold: 10n ** 9n });
    expect(openThresholdout(far, new SeededSource(1)).ask([0n, 1n, 1n], [2n, 2n])).toEqual({
      from: "training",
      sum: 1n,
    });
    const near = thresholdoutFor({ ...request, range: { lo: -5n, hi: 100n }, epsilon: ratio(10n ** 6n) });
    const opened = openThresholdout(near, new SeededSource(1));
    expect(opened.ask([0n], [100n, 1000n])).toEqual({ from: "holdout", sum: 200n });
    expect(opened.left).toBe(0n);
    expect(() => opened.ask([0n], [1n, 1n])).toThrow(expect.objectContaining({ code: "mechanism.spent" }));
    // A list that is too short or holds no integers counts as lo.
    const again = openThresholdout(near, new SeededSource(2));
    expect(again.ask([100n], [Number.NaN as unknown as bigint])).toEqual({ from: "holdout", sum: -10n });
  });

  it("compares the holdout's sum with the training set's, rounded to the nearest, halves up", () => {
    const setting = thresholdoutFor({ ...request, range: { lo: -5n, hi: 100n }, threshold: 7n });
    const asked: unknown[] = [];
    const kept = thresholdoutWith(setting, {
      left: 1n,
      ask(question) {
        asked.push(question);
        return { above: false };
      },
    });
    for (const [training, holdout, scaled, held] of [
      // Two records of holdout: the training sum is doubled over its number.
      [[0n, 1n, 1n], [2n, 2n], 1n, 4n],
      [[1n, 0n, 0n, 0n], [0n, 0n], 1n, 0n],
      [[-1n, 0n, 0n, 0n], [9n, 0n], 0n, 9n],
      [[-3n, 0n, 0n, 0n], [-5n, -5n], -1n, -10n],
      [[-4n, 0n, 0n], [0n, 1n], -3n, 1n],
      [[-2n, 0n, 0n], [0n, 1n], -1n, 1n],
      // Clamped to [−5, 100]; a record that is not there counts as −5, one too many not at all.
      [[1000n, -1000n], [3n], 95n, -2n],
      [[2n], [3n, 4n, 50n], 4n, 7n],
      [[2n], [], 4n, -10n],
    ] as const) {
      expect(kept.ask(training, holdout)).toEqual({ from: "training", sum: scaled });
      const apart = held > scaled ? held - scaled : scaled - held;
      expect(asked.pop()).toEqual({ value: apart, threshold: 7n, number: held });
    }
    expect(kept.left).toBe(1n);
  });

  it("tells of the holdout what it is told, within the range of its sum", () => {
    const setting = thresholdoutFor({ ...request, range: { lo: -5n, hi: 100n } });
    for (const [number, sum] of [
      [-11n, -10n],
      [-10n, -10n],
      [17n, 17n],
      [200n, 200n],
      [201n, 200n],
    ] as const) {
      const kept = thresholdoutWith(setting, { left: 1n, ask: () => ({ above: true, number }) });
      expect(kept.ask([0n], [1n, 1n])).toEqual({ from: "holdout", sum });
    }
  });

  it("has as reach the larger of what may go unseen and of the noise that is told, beta in halves", () => {
    const beta = ratio(1n, 5n);
    for (const threshold of [0n, 5n, 10n ** 6n]) {
      for (const numberShare of [ratio(1n, 100n), ratio(99n, 100n)]) {
        const setting = thresholdoutFor({ ...request, overfits: 3n, threshold, numberShare });
        const unseen = threshold + sparseVectorErrorBound(setting.vector, 20n, ratio(1n, 10n));
        const told = laplaceErrorBound(sparseVectorScales(setting.vector).number!, ratio(1n, 30n));
        expect(thresholdoutErrorBound(setting, 20n, beta)).toBe(unseen > told ? unseen : told);
      }
    }
  });

  it("pays a third of its ε for the numbers unless stated", () => {
    const { vector } = thresholdoutFor(request);
    expect(parseRational(vector.numberEpsilon)).toEqual(ratio(3n));
    expect(vector).toMatchObject({ sensitivity: 2n, cap: 1n, monotone: false });
  });

  it("covers as stated (false alarm below 1e-10)", () => {
    const setting = thresholdoutFor({
      range: { lo: 0n, hi: 1n },
      holdoutSize: 200n,
      threshold: 40n,
      overfits: 3n,
      epsilon: one,
    });
    const reach = thresholdoutErrorBound(setting, 20n, parseRational("0.2"));
    const bits = new SeededSource(3);
    let wrong = 0;
    for (let round = 0; round < 1000; round += 1) {
      const kept = openThresholdout(setting, bits);
      let worst = 0n;
      for (let i = 0; i < 20 && kept.left > 0n; i += 1) {
        const held = BigInt(100 + (i % 3) * 20);
        const holdout = Array.from({ length: 200 }, (_, at) => (BigInt(at) < held ? 1n : 0n));
        const error = kept.ask([0n, 1n], holdout).sum - held;
        if (error > worst) worst = error;
        if (-error > worst) worst = -error;
      }
      wrong += Number(worst > reach);
    }
    // P ≤ 0.2: above 310 of 1000 has probability below e^(−2·1000·0.11²) = 3e-11.
    expect(wrong).toBeLessThan(310);
    expect(reach).toBeGreaterThan(40n);
  });

  it.each([
    { range: { lo: 2n, hi: 0n } },
    { range: { lo: 2n, hi: 2n } },
    { holdoutSize: 0n },
    { threshold: -1n },
    { overfits: 0n },
    { epsilon: zero },
    { numberShare: zero },
    { numberShare: one },
  ])("refuses %o", (wrong) => {
    expect(() => thresholdoutFor({ ...request, ...wrong })).toThrow(invalid);
  });

  it("refuses a vector that would pay too little, and an empty training set", () => {
    const setting = thresholdoutFor(request);
    const cheap = { ...setting, vector: { ...setting.vector, sensitivity: 1n } };
    const monotone = { ...setting, vector: { ...setting.vector, monotone: true } };
    const silent = { ...setting, vector: { ...setting.vector, numberEpsilon: "0" } };
    for (const wrong of [cheap, monotone, silent]) {
      expect(() => thresholdoutEvent(wrong)).toThrow(invalid);
      expect(() => openThresholdout(wrong, new SeededSource(1))).toThrow(invalid);
    }
    expect(() => openThresholdout(setting, new SeededSource(1)).ask([], [1n, 1n])).toThrow(invalid);
  });
});

/** n records of `width` coin flips and a label that has nothing to do with them. */
function coins(records: number, width: number, bits: BitSource): { x: number[][]; label: number[] } {
  const flip = (): number => (bits.word() >>> 31 ? 1 : -1);
  return {
    x: Array.from({ length: records }, () => Array.from({ length: width }, flip)),
    label: Array.from({ length: records }, flip),
  };
}

describe("the analyst who picks the attributes that agree on both sets (Dwork et al. 2015)", () => {
  const [n, width] = [4000, 200];
  const bits = new SeededSource(2015);
  const [training, holdout, fresh] = [coins(n, width, bits), coins(n, width, bits), coins(n, width, bits)];
  const correct = ({ x, label }: typeof training, weight: readonly number[]): bigint[] =>
    x.map((row, i) => {
      const vote = row.reduce((total, value, j) => total + value * weight[j]!, 0);
      return (vote >= 0 ? 1 : -1) === label[i] ? 1n : 0n;
    });
  const single = (set: typeof training, j: number): bigint[] =>
    set.x.map((row, i) => (row[j] === set.label[i] ? 1n : 0n));
  const sum = (values: readonly bigint[]): number =>
    values.reduce((total, value) => total + Number(value), 0);
  type Ask = (training: readonly bigint[], holdout: readonly bigint[]) => number;

  /** Returns what the analyst is told of the final classifier: its share of right answers. */
  const analyse = (ask: Ask): { told: number; weight: readonly number[] } => {
    const lean = (count: number): number => (count - n / 2) / Math.sqrt(n / 4);
    const weight = Array.from({ length: width }, (_, j) => {
      const [a, b] = [lean(sum(single(training, j))), lean(ask(single(training, j), single(holdout, j)))];
      return Math.abs(a) > 0.7 && Math.abs(b) > 0.7 && a * b > 0 ? Math.sign(a) : 0;
    });
    return { told: ask(correct(training, weight), correct(holdout, weight)) / n, weight };
  };

  it("is fooled by a bare holdout", () => {
    const { told, weight } = analyse((_, held) => sum(held));
    const truth = sum(correct(fresh, weight)) / n;
    expect(told).toBeGreaterThan(0.535);
    expect(Math.abs(truth - 0.5)).toBeLessThan(0.03);
  });

  it("is not fooled by this one", () => {
    const setting = thresholdoutFor({
      range: { lo: 0n, hi: 1n },
      holdoutSize: BigInt(n),
      threshold: 130n,
      overfits: 4n,
      epsilon: one,
    });
    const kept = openThresholdout(setting, new SeededSource(7));
    let last = "";
    const { told, weight } = analyse((trained, held) => {
      const answer = kept.ask(trained, held);
      last = answer.from;
      return Number(answer.sum);
    });
    const apparent = sum(correct(training, weight)) / n;
    expect(apparent).toBeGreaterThan(0.55);
    expect(last).toBe("holdout");
    expect(Math.abs(told - 0.5)).toBeLessThan(0.03);
  });

  it("and a question that generalizes costs nothing of the budget", () => {
    const setting = thresholdoutFor({
      range: { lo: 0n, hi: 1n },
      holdoutSize: BigInt(n),
      threshold: 400n,
      overfits: 1n,
      epsilon: one,
    });
    const kept = openThresholdout(setting, new SeededSource(8));
    for (let j = 0; j < 50; j += 1)
      expect(kept.ask(single(training, j), single(holdout, j)).from).toBe("training");
    expect(compare(ratio(kept.left), one)).toBe(0);
  });
});
