import { describe, expect, test } from "vitest";
import type { Output } from "../subject.ts";
import { type Feature, learnedFeatures, lowestBit, plainFeatures } from "./features.ts";

const told = (features: readonly Feature[], output: Output): Record<string, number> =>
  Object.fromEntries(
    features.flatMap((each) =>
      Number.isNaN(each.of(output)) ? [] : [[each.describes, each.of(output)] as const],
    ),
  );

describe("plain features", () => {
  test("read numbers, big integers and truth values of an output, and no texts", () => {
    expect(told(plainFeatures, [3n, true, "9", -5, 8n])).toEqual({
      "value 1": 3,
      "value 2": 1,
      "value 4": -5,
      "value 5": 8,
      "|value 1|": 3,
      "the number of values": 5,
      "the sum of values": 7,
      "the largest value": 8,
      "the number of different values": 5,
      "the lowest bit of value 1": 0,
      "the lowest bit of value 2": 0,
    });
  });
  test("say of a single value no sum and no largest one", () => {
    expect(told(plainFeatures, [-12])).toEqual({
      "value 1": -12,
      "|value 1|": 12,
      "the number of values": 1,
      "the lowest bit of value 1": 2,
    });
    expect(told(plainFeatures, [])).toEqual({ "the number of values": 0 });
  });
  test("count two alike once, and look at eight values one by one", () => {
    const found = told(plainFeatures, [2, 2, 0.5, 4, 5, 6, 7, 8, 9]);
    expect(found).toMatchObject({
      "the number of different values": 8,
      "the sum of values": 43.5,
      "the lowest bit of value 2": 1,
      "value 8": 8,
    });
    expect(found["value 9"]).toBeUndefined();
  });
});

test("the lowest bit of an odd number times a power of two is that power, down to the finest double", () => {
  for (const odd of [1, 3, 5, 2 ** 20 + 1, 2 ** 21 - 1, 2 ** 32 + 1, 2 ** 33 + 1, 2 ** 52 + 1, 2 ** 53 - 1])
    for (const power of [
      -1074, -1073, -1060, -1043, -1042, -1041, -1030, -1023, -1022, -53, -1, 0, 1, 31, 900,
    ]) {
      const x = odd * 2 ** power;
      if (x / 2 ** power === odd) expect([x, -x].map(lowestBit), `${odd} ${power}`).toEqual([power, power]);
    }
});

const named = (left: readonly Output[], right: readonly Output[], name: RegExp): Feature | undefined =>
  learnedFeatures(left, right).find(({ describes }) => name.test(describes));

describe("the outcomes' likelihood ratio", () => {
  test("compares how often each whole output was met, half an output more on either side", () => {
    const feature = named([[1, 2], [1, 2], [3]], [[3], [3], [3], [1, 2], [4]], /outcomes/)!;
    expect(feature.of([1, 2])).toBeCloseTo(Math.log(2.5 / 1.5), 12);
    expect(feature.of([3])).toBeCloseTo(Math.log(1.5 / 3.5), 12);
    expect(feature.of([4])).toBeCloseTo(Math.log(0.5 / 1.5), 12);
    expect(feature.of([12])).toBeNaN();
  });
  test("is learned of at most 4,096 different outputs", () => {
    const outputs = (count: number): Output[] => Array.from({ length: count }, (_, at) => [at]);
    expect(learnedFeatures(outputs(4_096), [[1]]).map(({ describes }) => describes)).toEqual([
      "the outcomes' likelihood ratio",
    ]);
    expect(learnedFeatures(outputs(4_096), [[4_096]])).toEqual([]);
  });
});

describe("the linear likelihood ratio", () => {
  // By hand: means 1 and 5 with variances 1 and 4; means 2 and 2.
  const left = [
    [0, 1],
    [2, 3],
  ];
  const right = [
    [3, 1],
    [7, 3],
  ];
  test("weighs each value by its means' distance over its variances, from the middle", () => {
    const { of } = named(left, right, /linear/)!;
    expect(of([3, 77])).toBeCloseTo(0, 9);
    expect(of([4, 0])).toBeCloseTo(-4 / 5, 9);
    expect(of([-2, 0])).toBeCloseTo(4, 9);
  });
  test("takes nothing from a value that an output has not, or that is a text", () => {
    const { of } = named(left, right, /linear/)!;
    expect(of([4])).toBeCloseTo(-4 / 5, 9);
    expect(of(["4", 9])).toBeCloseTo(0, 9);
  });
  test("adds up all values, each with moments over the outputs that have it", () => {
    // The second value: 1, 2 and 6 on the left, mean 3 and variance 14/3; nowhere on the right but once 5.
    const { of } = named([[0, 1], [0, 2], [0, 6], [0], [0, "x"]], [[2], [2, 5], [2], [2]], /linear/)!;
    // The first is 0 or 2 without variance, whose weight is great: taken from its middle it says nothing.
    expect(of([1, 4])).toBeCloseTo(0, 6);
    expect(of([1, 11])).toBeCloseTo((7 * (3 - 5)) / (14 / 3), 6);
  });
  test("takes moments of 0 where one side has none, and leaves infinities out", () => {
    const { of } = named(
      [[1]],
      [
        [1, 1],
        [1, 3],
        [1, Number.POSITIVE_INFINITY],
      ],
      /linear/,
    )!;
    expect(of([1, 4])).toBeCloseTo((0 - 2) * (4 - 1), 6);
  });
  test("keeps its variance where values lie far from 0", () => {
    const far = 1e6;
    const shifted = (xs: readonly number[]): Output[] => xs.map((x) => [far + x, 0]);
    const { of } = named(shifted([1, 2, 6]), shifted([4, 5, 9]), /linear/)!;
    expect(of([far + 5.5, 0])).toBeCloseTo((-3 / (28 / 3)) * (5.5 - 4.5), 6);
  });
  test("looks at 64 values, and is not there for one value or where a mean is not finite", () => {
    const long = (last: number): Output => [...Array<number>(64).fill(1), last];
    const near = long(0).with(63, 3);
    const { of } = named([long(0), near], [long(8), long(9)], /linear/)!;
    expect(of(long(4))).toBe(of(long(5)));
    expect(of(long(4))).not.toBe(of(near));
    expect(named([[1], [2]], [[3]], /linear/)).toBeUndefined();
    expect(
      named(
        [
          [1e308, 1],
          [1e308, 1],
        ],
        [[1, 1]],
        /linear/,
      ),
    ).toBeUndefined();
  });
});

describe("the values' likelihood ratio", () => {
  const name = /values' likelihood/;
  test("adds each value's own log-ratio of frequencies", () => {
    const { of } = named(
      [
        [0, 0],
        [0, 1],
        [1, 1],
      ],
      [
        [1, 0],
        [1, 0],
        [0, 0],
      ],
      name,
    )!;
    const [first, second] = [Math.log(2.5 / 1.5), Math.log(2.5 / 0.5)];
    expect(of([0, 1])).toBeCloseTo(first + second, 12);
    expect(of([0.5, 7])).toBeCloseTo(first + second, 12);
    expect(of([1])).toBeCloseTo(-first, 12);
    expect(of([-1, "x"])).toBe(0);
    expect(of([true, 0])).toBeCloseTo(-first + Math.log(1.5 / 3.5), 12);
  });
  test("gives up to 32 values a bin each, and more of them 32 bins that hold about as many", () => {
    const outputs = (from: number, to: number): Output[] =>
      Array.from({ length: to - from }, (_, at) => [from + at, 5]);
    const few = named(outputs(0, 16), outputs(16, 32), name)!;
    for (const x of [0, 1, 15, 15.5]) expect(few.of([x, 5])).toBeCloseTo(Math.log(3), 12);
    for (const x of [16, 31, 99]) expect(few.of([x, 5])).toBeCloseTo(-Math.log(3), 12);
    // 128 values in 32 bins: four in each, which are 4.5 against 0.5.
    const many = named(outputs(0, 64), outputs(64, 128), name)!;
    for (const x of [0, 3, 4, 31, 32, 63]) expect(many.of([x, 5])).toBeCloseTo(Math.log(9), 12);
    for (const x of [64, 67, 68, 127, 500]) expect(many.of([x, 5])).toBeCloseTo(-Math.log(9), 12);
    expect(many.of([-1, 5])).toBe(0);
  });
  test("is not there for single values, and looks at 64", () => {
    expect(named([[1], [2]], [[3]], name)).toBeUndefined();
    const long = (at: number): Output => Array.from({ length: 65 }, (_, place) => Number(place === at));
    const { of } = named([long(64), long(63)], [long(0)], name)!;
    expect(of(long(64))).toBe(of(long(99)));
    expect(of(long(63))).not.toBe(of(long(99)));
  });
});
