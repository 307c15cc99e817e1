import { ratio } from "@lethe/core";
import { fromDouble } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import type { Output } from "../subject.ts";
import { type Claim, pureClaim } from "../verify/claim.ts";
import { chooseEvent } from "./choose-event.ts";

const judged = { fresh: 1000, reach: 3 };
/** 1,000 outputs, so many of them 0 and the others 1. */
const outputs = (zeros: number): readonly Output[] =>
  Array.from({ length: 1000 }, (_, at) => [at % 1000 < zeros ? 0 : 1]);

it.each([
  [900, 100, "the low outputs", 0],
  [100, 900, "the high outputs", 1],
])("of %d and %d zeros in a thousand the event is %s", (left, right, _, inside) => {
  const event = chooseEvent(pureClaim(ratio(1n, 10n)), outputs(left), outputs(right), judged);
  expect([0, 1].filter((value) => event.holds([value]))).toEqual([inside]);
});

/** 2,000 outputs, of which each half holds 1, 3, 5 … so often as these thousandths say. */
const spread = (thousandths: readonly number[]): readonly Output[] => {
  const half = thousandths.flatMap((times, at) => Array<Output>(times).fill([2 * at + 1]));
  return [...half, ...half];
};

describe("among all sets of outputs", () => {
  type Points = readonly (readonly [epsilon: number, delta: number])[];
  /** Returns by how much bounds at `reach` standard errors will exceed the claim, at the point where they do by most. */
  const margin = (points: Points, p: number, q: number, fresh: number, reach: number): number =>
    Math.max(
      ...points.map(([epsilon, delta]) => {
        const least = p - reach * Math.sqrt((p * (1 - p)) / fresh) - delta;
        const most = q + reach * Math.sqrt((q * (1 - q)) / fresh) + reach ** 2 / (2 * fresh);
        return least > 0 ? Math.log(least / most) - epsilon : Number.NEGATIVE_INFINITY;
      }),
    );
  const rising = [150, 170, 200, 220, 260];
  const falling = [300, 250, 200, 150, 100];
  it.each<[string, readonly number[], readonly number[], Points, number, number]>([
    ["where the tail is thin", rising, falling, [[0.2, 0]], 1000, 3],
    ["with many fresh samples", rising, falling, [[0.2, 0]], 1_000_000, 5],
    ["with few", rising, falling, [[0.1, 0]], 40, 1],
    ["with a δ", rising, falling, [[0, 0.15]], 100_000, 5],
    ["with a δ near the best", rising, falling, [[0.1, 0.2]], 100_000, 3],
    ["the other way", falling, rising, [[0.2, 0]], 1000, 3],
    [
      "of a curve",
      falling,
      rising,
      [
        [0, 0.1],
        [0.5, 0.01],
        [0.9, 0.3],
      ],
      5000,
      4,
    ],
    ["where one side alone has an output", [500, 300, 200, 0, 0], [498, 300, 200, 2, 0], [[0.1, 0]], 1e6, 3],
    ["where the other side alone has one", [498, 300, 200, 2, 0], [500, 300, 200, 0, 0], [[0.1, 0]], 1e6, 3],
  ])(
    "the one whose bounds will exceed the claim by most is chosen %s",
    (_, left, right, points, fresh, reach) => {
      const share = (thousandths: readonly number[], set: readonly number[]): number =>
        set.reduce((sum, at) => sum + thousandths[at]!, 0) / 1000;
      const places = [0, 1, 2, 3, 4];
      const of = (set: readonly number[]): number =>
        margin(points, share(left, set), share(right, set), fresh, reach);
      const best = Math.max(
        ...Array.from({ length: 32 }, (__, mask) => of(places.filter((at) => (mask >> at) & 1))),
      );
      const claim: Claim = {
        text: "",
        points: points.map(([epsilon, delta]) => ({
          epsilon: fromDouble(epsilon),
          delta: fromDouble(delta),
        })),
      };
      const event = chooseEvent(claim, spread(left), spread(right), { fresh, reach });
      expect(of(places.filter((at) => event.holds([2 * at + 1])))).toBeCloseTo(best, 9);
    },
  );
});

describe("of thousands of different outputs", () => {
  const many = { fresh: 100_000, reach: 3 };
  /** 0 … 9,999 but for these, which lie beyond them on one side. */
  const numbers = (far: number, sign: number): readonly Output[] =>
    Array.from({ length: 10_000 }, (_, at) => [sign * (at < far ? 20_000 + at : at)]);
  it.each([
    [1, 25],
    [1, 65],
    [-1, 25],
    [-1, 65],
  ])("a tail to the side of %d, of %d in ten thousand, is found", (sign, far) => {
    const event = chooseEvent(pureClaim(ratio(1n)), numbers(far, sign), numbers(0, sign), many);
    // Most of the tail, and of the others not many more than are in it.
    const met = (from: number, to: number): number =>
      Array.from({ length: to - from }, (_, at) => [sign * (from + at)]).filter((each) => event.holds(each))
        .length;
    expect(met(20_000, 20_000 + far)).toBeGreaterThan(far / 2);
    expect(met(0, 10_000)).toBeLessThan(far);
  });
  it("a threshold in the middle is found to a few hundredths", () => {
    const shifted = Array.from({ length: 10_000 }, (_, at): Output => [at + 5_000]);
    const event = chooseEvent(pureClaim(ratio(1n)), shifted, numbers(0, 1), many);
    expect(event.holds([15_000])).toBe(true);
    expect(event.holds([10_400])).toBe(true);
    expect(event.holds([9_600])).toBe(false);
    expect(event.describes).toMatch(/^value 1 ≥ (9[6-9]|10[0-4])\d\d$/);
  });
});

it("an event is told by its feature and threshold, with four digits of what is no whole number", () => {
  const halves = (x: number, y: number): readonly Output[] =>
    Array.from({ length: 1000 }, (_, at) => [at % 10 < 9 ? x : y]);
  const of = (left: readonly Output[], right: readonly Output[]): string =>
    chooseEvent(pureClaim(ratio(1n, 10n)), left, right, judged).describes;
  expect(of(halves(-3.25164265, -7), halves(-7, -3.25164265))).toBe("value 1 ≥ -3.252");
  expect(of(halves(-7, -3.25164265), halves(-3.25164265, -7))).toBe("value 1 < -3.252");
  expect(of(halves(12, -9), halves(-9, 12))).toBe("value 1 ≥ 12");
});

it("a value that an output has not lies in neither tail", () => {
  const none = Array.from({ length: 1000 }, (_, at): Output => (at < 900 ? ["none"] : [1]));
  const event = chooseEvent(pureClaim(ratio(1n, 10n)), outputs(0), none, judged);
  expect([event.holds([1]), event.holds(["none"])]).toEqual([true, false]);
});

it("what hangs on several values at once is learned", () => {
  // Two bits, alike on one side and opposite on the other: each alone says nothing.
  const pairs = (alike: boolean): readonly Output[] =>
    Array.from({ length: 400 }, (_, at) => [at & 1, alike ? at & 1 : 1 - (at & 1)]);
  const event = chooseEvent(pureClaim(ratio(1n, 10n)), pairs(false), pairs(true), judged);
  expect(
    [
      [0, 1],
      [1, 0],
    ].every((each) => event.holds(each)),
  ).toBe(true);
  expect(
    [
      [0, 0],
      [1, 1],
    ].some((each) => event.holds(each)),
  ).toBe(false);
});

it("without samples the event is any output", () => {
  const event = chooseEvent(pureClaim(ratio(1n)), [], [], judged);
  expect(event.describes).toBe("any output");
  expect(event.holds([1])).toBe(true);
});
