import { describe, expect, it } from "vitest";
import { membershipAdvantage } from "../../conversions/membership-advantage.ts";
import { one, ratio, zero } from "../../numeric/rational.ts";
import { exactAlpha, noiseQuantile } from "../laws/noise-quantile.ts";
import { eachAlpha } from "../laws/simultaneous-quantile.ts";
import { checkChance, checkPositive, checkWhole, wholeAtLeast } from "./checks.ts";
import {
  gaussianMaxError,
  gaussianMaxErrorTextbook,
  gaussianMechanismMaxError,
  gaussianSigmaForMaxError,
  laplaceEpsilonForMaxError,
  laplaceMaxError,
  laplaceMaxErrorTextbook,
  marginalsError,
  marginalsSampleSize,
  marginalsSampleSizeRenyi,
  marginalsSampleSizeTextbook,
  meanError,
  meanSampleSize,
  meanSampleSizeTextbook,
} from "./index.ts";

/* Values to eleven digits, and what each calculator takes at both ends of its domain. */

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const digits = (x: number): number => Number(x.toPrecision(11));
const [inf, nan, tiny, eps] = [Number.POSITIVE_INFINITY, Number.NaN, Number.MIN_VALUE, 2 ** -52];

const table = { dimension: 10, epsilon: 0.5 };
const noisy = { ...table, delta: 1e-6 };
const laplace = { sensitivity: 2, dimension: 5, failure: 0.05 };
const gaussian = { dimension: 5, failure: 0.05 };

const calculators = {
  gaussianMaxError,
  gaussianMaxErrorTextbook,
  gaussianMechanismMaxError,
  gaussianSigmaForMaxError,
  laplaceEpsilonForMaxError,
  laplaceMaxError,
  laplaceMaxErrorTextbook,
  marginalsError,
  marginalsSampleSize,
  marginalsSampleSizeRenyi,
  marginalsSampleSizeTextbook,
  meanError,
  meanSampleSize,
  meanSampleSizeTextbook,
};
type Name = keyof typeof calculators;
const call = (name: Name, given: object): number => (calculators[name] as (given: object) => number)(given);

it.each<readonly [Name, object, number]>([
  ["meanError", { records: 400, epsilon: 0.5 }, 0.005],
  ["meanSampleSize", { error: 0.003, epsilon: 0.7 }, 477],
  ["meanSampleSizeTextbook", { error: 0.003, epsilon: 0.7 }, 953],
  ["marginalsError", { ...table, records: 1000 }, 0.02],
  ["marginalsError", { ...noisy, records: 1000 }, 0.020330439239],
  ["marginalsSampleSize", { ...table, error: 0.03 }, 667],
  ["marginalsSampleSize", { ...noisy, error: 0.03 }, 678],
  ["marginalsSampleSizeTextbook", { ...table, error: 0.03 }, 1334],
  ["marginalsSampleSizeTextbook", { ...noisy, error: 0.03 }, 4702],
  ["marginalsSampleSizeRenyi", { ...noisy, error: 0.03 }, 3135],
  ["laplaceMaxError", { ...laplace, epsilon: 0.7 }, 13.099308874],
  ["laplaceEpsilonForMaxError", { ...laplace, error: 3 }, 3.0565054039],
  ["laplaceMaxErrorTextbook", { ...laplace, epsilon: 0.7 }, 13.157629103],
  ["gaussianMaxError", { ...gaussian, sigma: 3 }, 7.706289504],
  ["gaussianSigmaForMaxError", { ...gaussian, error: 3 }, 1.1678772249],
  ["gaussianMechanismMaxError", { ...laplace, epsilon: 0.7, delta: 1e-6 }, 30.241256618],
  ["gaussianMaxErrorTextbook", { ...gaussian, sigma: 3 }, 9.1045627763],
])("%s(%o) = %d", (name, given, due) => {
  expect(digits(call(name, given))).toBe(due);
});

type Ends = readonly [taken: readonly number[], refused: readonly number[]];
const positive: Ends = [
  [1e-3, 1],
  [0, -1, -tiny, nan, inf],
];
const chance: Ends = [
  [1e-9, 0.5],
  [0, 1, -0.1, 1.1, nan],
];
const whole: Ends = [
  [1, 2, 1e6],
  [0, -1, 1.5, nan, inf, 2 ** 53],
];

describe.each<readonly [Name, object, Readonly<Record<string, Ends>>]>([
  ["meanError", { records: 4, epsilon: 1 }, { records: whole, epsilon: positive }],
  ["meanSampleSize", { error: 0.1, epsilon: 1 }, { error: positive, epsilon: positive }],
  ["meanSampleSizeTextbook", { error: 0.1, epsilon: 1 }, { error: positive, epsilon: positive }],
  [
    "marginalsError",
    { ...noisy, records: 9 },
    { dimension: whole, epsilon: positive, delta: chance, records: whole },
  ],
  ["marginalsSampleSize", { ...noisy, error: 0.1 }, { dimension: whole, delta: chance, error: positive }],
  [
    "marginalsSampleSizeTextbook",
    { ...noisy, error: 0.1 },
    {
      dimension: whole,
      epsilon: chance,
      error: chance,
      delta: [
        [1e-9, 0.8],
        [0, 0.9, 1, nan],
      ],
    },
  ],
  [
    "marginalsSampleSizeRenyi",
    { ...noisy, error: 0.1 },
    // Up to ln(1/δ).
    {
      epsilon: [
        [0.1, 13.815],
        [0, 13.816, nan],
      ],
      delta: chance,
      error: positive,
    },
  ],
  [
    "laplaceMaxError",
    { ...laplace, epsilon: 1 },
    { sensitivity: positive, dimension: whole, failure: chance, epsilon: positive },
  ],
  [
    "laplaceEpsilonForMaxError",
    { ...laplace, error: 1 },
    { sensitivity: positive, dimension: whole, failure: chance, error: positive },
  ],
  [
    "laplaceMaxErrorTextbook",
    { ...laplace, epsilon: 1 },
    { sensitivity: positive, dimension: whole, failure: chance, epsilon: positive },
  ],
  ["gaussianMaxError", { ...gaussian, sigma: 1 }, { sigma: positive, dimension: whole, failure: chance }],
  [
    "gaussianSigmaForMaxError",
    { ...gaussian, error: 1 },
    { error: positive, dimension: whole, failure: chance },
  ],
  [
    "gaussianMaxErrorTextbook",
    { ...gaussian, sigma: 1 },
    { sigma: positive, dimension: whole, failure: chance },
  ],
  [
    "gaussianMechanismMaxError",
    { ...laplace, epsilon: 1, delta: 1e-6 },
    { sensitivity: positive, delta: chance, dimension: whole, failure: chance },
  ],
])("%s", (name, good, ends) => {
  it.each(Object.entries(ends))("takes both ends of %s, and nothing beyond", (field, [taken, refused]) => {
    for (const value of taken) expect(call(name, { ...good, [field]: value }), `${value}`).toBeGreaterThan(0);
    for (const value of refused)
      expect(() => call(name, { ...good, [field]: value }), `${value}`).toThrow(invalid);
  });
});

describe("checks", () => {
  it("give what they take, and refuse what lies outside", () => {
    for (const x of [tiny, 1, Number.MAX_VALUE]) expect(checkPositive("x", x)).toBe(x);
    for (const x of [0, -tiny, nan, inf, -inf]) expect(() => checkPositive("x", x)).toThrow(invalid);
    for (const x of [tiny, 1 - eps]) expect(checkChance("x", x)).toBe(x);
    for (const x of [0, 1, nan, inf]) expect(() => checkChance("x", x)).toThrow(invalid);
    for (const x of [1, 2 ** 53 - 1]) expect(checkWhole("x", x)).toBe(x);
    for (const x of [0, 1.5, 2 ** 53, nan]) expect(() => checkWhole("x", x)).toThrow(invalid);
  });
  it("round up to whole numbers, but for the last digit, from 1 to 2^53", () => {
    expect([0, 0.5, 1, 1.2, 2.5, 2.9].map(wholeAtLeast)).toEqual([1, 1, 1, 2, 3, 3]);
    expect([100 + 5 * 2 ** -46, 100 + 8 * 2 ** -46].map(wholeAtLeast)).toEqual([100, 101]);
    expect(wholeAtLeast(2 ** 53 - 1)).toBe(2 ** 53 - 1);
    for (const x of [2 ** 53, inf, nan]) expect(() => wholeAtLeast(x)).toThrow(invalid);
  });
});

describe("quantiles of noise", () => {
  it("take a confidence between 0 and 1, as its exact complement", () => {
    expect(exactAlpha(0.75)).toEqual(ratio(1n, 4n));
    expect(exactAlpha(1 - 2 ** -53).num).toBe(1n);
    for (const confidence of [0, 1, -0.5, 1.5, nan]) expect(() => exactAlpha(confidence)).toThrow(invalid);
  });
  it("share α among coordinates: 1 − (1 − α)^(1/d), rounded down", () => {
    expect(eachAlpha(1, ratio(1n, 4n))).toEqual(ratio(1n, 4n));
    const two = eachAlpha(2, ratio(3n, 4n));
    expect(Number(two.num) / Number(two.den)).toBeCloseTo(0.5, 9);
    for (const coordinates of [0, -1, 1.5, nan, 2 ** 53])
      expect(() => eachAlpha(coordinates, ratio(1n, 4n))).toThrow(invalid);
  });
  it("are the least that hold: a discrete Laplace of scale 2", () => {
    // P[|Z| > q] = 2a^(q + 1)/(1 + a), a = e^(−1/2).
    const a = Math.exp(-1 / 2);
    const beyond = (q: number): number => (2 * a ** (q + 1)) / (1 + a);
    for (const confidence of [0.5, 0.9, 0.95, 0.999]) {
      const q = Number(noiseQuantile({ mechanism: "discrete-laplace@1", scale: "2" }, confidence));
      expect(beyond(q)).toBeLessThanOrEqual(1 - confidence);
      expect(beyond(q - 1)).toBeGreaterThan(1 - confidence);
    }
  });
});

describe("the advantage of a member test", () => {
  it("is (e^ε − 1 + 2δ)/(e^ε + 1), rounded up", () => {
    expect(membershipAdvantage(zero, zero)).toBe(0);
    expect(membershipAdvantage(zero, one)).toBe(1);
    expect(digits(membershipAdvantage(one, zero))).toBe(digits(Math.tanh(0.5)));
    expect(digits(membershipAdvantage(one, ratio(1n, 10n)))).toBe(digits((Math.E - 0.8) / (Math.E + 1)));
    expect(membershipAdvantage(one, zero)).toBeGreaterThanOrEqual(Math.tanh(0.5));
  });
  it("is told of losses alone", () => {
    const least = ratio(1n, 10n ** 30n);
    const below = ratio(-1n, 10n ** 30n);
    expect(() => membershipAdvantage(below, zero)).toThrow(invalid);
    expect(() => membershipAdvantage(one, below)).toThrow(invalid);
    expect(() => membershipAdvantage(one, ratio(10n ** 30n + 1n, 10n ** 30n))).toThrow(invalid);
    expect(membershipAdvantage(least, least)).toBeGreaterThan(0);
  });
});
