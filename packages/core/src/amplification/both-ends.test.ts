import { describe, expect, it } from "vitest";
import { one, ratio, zero } from "../numeric/rational.ts";
import { binomialMass, binomialTail } from "./binomial.ts";
import { samplingRate } from "./exact-sampling-scheme.ts";
import { noisyIterationAveraged, noisyIterationRho } from "./noisy-iteration.ts";
import { randomAllocation } from "./random-allocation.ts";
import { shuffleDelta, shuffleEpsilon, shuffleEpsilonTextbook, shufflePair } from "./shuffle.ts";
import { subsampledEpsilon, unsampledEpsilon } from "./subsampled-epsilon.ts";
import { subsampledLoss } from "./subsampled-loss.ts";
import { profilePoisson, profileWithoutReplacement } from "./subsampled-profile.ts";
import { truncatedDelta, truncatedProfile, truncationDistance } from "./truncated-poisson.ts";

/* Values to eleven digits, and what each calculator takes at both ends of its domain. */

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const digits = (x: number): number => Number(x.toPrecision(11));
const [inf, nan, tiny, eps] = [Number.POSITIVE_INFINITY, Number.NaN, Number.MIN_VALUE, 2 ** -52];
const most = Number.MAX_SAFE_INTEGER;

const iteration = {
  ...{ steps: 100, uses: [1, 50, 100], sigma: 2, learningRate: 0.5 },
  ...{ gradientSensitivity: 1, smoothness: 1, convex: true as const },
};
const reports = { reports: 10_000, epsilon0: 1, delta: 1e-6 };
const cut = { rate: 0.5, population: 4, limit: 3 };
const allocation = { steps: 10, selected: 1, sigma: 1, sensitivity: 1 };
const profile = (epsilon: number): number => Math.exp(-epsilon) / 2;

describe("values", () => {
  it.each([
    [1, 0.01, 0.017036863236, 5.1522979382],
    [1, 1, 1, 1],
    [0.5, 0.5, 0.28092980362, 0.83179656575],
    [500, 0.1, 497.69741491, 502.30258509],
    [501, 0.1, 498.69741491, 503.30258509],
    [700, 1e-300, 9.2245706937, 1390.7755279],
    [0, 0.5, 0, 0],
    [3, 0, 0, inf],
  ])("of a sample: ε %d at rate %d", (epsilon, rate, sampled, unsampled) => {
    expect(digits(subsampledEpsilon(epsilon, rate))).toBe(sampled);
    expect(digits(unsampledEpsilon(epsilon, rate))).toBe(unsampled);
  });

  it.each([
    [reports, 0.053005316485, 1.7944973933e-88],
    [{ reports: 100, epsilon0: 2, delta: 1e-3 }, 1.2826767985, 0.067114717979],
    [
      { reports: 1000, epsilon0: 0.5, delta: 1e-5, variant: "stronger-clone" as const },
      0.051631722392,
      1.1690950016e-68,
    ],
    [{ reports: 1, epsilon0: 1, delta: 0.1 }, 0.85290510137, 0.36802563228],
    [{ reports: 5, epsilon0: 101, delta: 0.1 }, 101, 1],
    [{ reports: 5, epsilon0: 1, delta: 0 }, 1, 0.17163160825],
  ])("of shuffled reports: %o", (shuffle, epsilon, delta) => {
    // The search ends within a relative 1e-12 of where δ is met, and δ is summed to 1e-12.
    expect(shuffleEpsilon(shuffle)).toBeCloseTo(epsilon, 8);
    expect(shuffleDelta({ ...shuffle, epsilon: 0.3 }) / delta).toBeCloseTo(1, 8);
  });

  it("of shuffled reports by the textbook", () => {
    expect(digits(shuffleEpsilonTextbook(reports))).toBe(0.21402565193);
  });

  it.each([
    [[1], 1 / 800],
    [[50], 1 / 8 / 51],
    [[100], 1 / 8],
    [[99, 100], 1 / 4],
    [[1, 2], 1 / 200],
    [[1, 50, 100], 0.13005050505],
    [[], 0],
  ])("of noisy iteration with uses %j: slopes of the convex minorant", (uses, rho) => {
    expect(digits(noisyIterationRho({ ...iteration, uses }))).toBe(digits(rho));
  });

  it.each([
    [1.5, 100, 0.009849113868],
    [2, 100, 0.013422048065],
    [10, 100, 0.73902061241],
    [1e9, 100, 125_000_000],
    [2, 1, 0.25],
    [2, 100_000, 0.000030772603969],
    [1e200, 100, inf],
  ])("of noisy iteration at a secret step: order %d of %i steps", (order, steps, divergence) => {
    expect(digits(noisyIterationAveraged({ ...iteration, steps }, order))).toBe(divergence);
  });

  it.each([
    [0.01, 10_000, 200, 2.759522048e-19],
    [0.01, 10_000, 100, 0.47343746595],
    [0.5, 4, 3, 1 / 16],
    [0.5, 4, 4, 0],
    [1, 4, 3, 1],
    [0, 4, 1, 0],
  ])("of a cut sample: rate %d of %i at most %i", (rate, population, limit, distance) => {
    const found = truncationDistance({ rate, population, limit });
    expect(found).toBeGreaterThanOrEqual(distance * (1 - 1e-10));
    expect(found).toBeLessThanOrEqual(distance * (1 + 1e-10));
  });

  it("of a δ on cut samples: δ + (1 + e^ε)·distance, at most 1", () => {
    expect(digits(truncatedDelta(1e-6, 1, 1e-12))).toBe(1.0000037183e-6);
    expect(digits(truncatedDelta(0, 0, 0.1))).toBe(0.2);
    expect(truncatedDelta(0.9, 1, 1)).toBe(1);
    expect(truncatedDelta(0.5, 0, 0)).toBe(0.5);
    expect(digits(truncatedProfile(profile, cut, 2)(1))).toBe(
      digits(profile(1) + 2 * (1 + Math.E) * truncationDistance(cut)),
    );
    expect(truncatedProfile(() => 3, cut, 0)(0)).toBe(1);
  });

  it.each([
    [100, 10, 0.006678052562, 0.05],
    [100, 100, 0.30326532986, 0.5],
    [100, 0, 0, 0],
    [2, 1, 0.1088166496, 0.25],
  ])("of a profile without replacement: %i, %i", (population, sample, half, none) => {
    const sampled = profileWithoutReplacement(profile, population, sample);
    expect([digits(sampled(0.5)), digits(sampled(0))]).toEqual([half, none]);
  });

  it.each([
    [0, [0, 0], [0, 0], [0, 0]],
    [0.1, [0.05, 0.05], [0.033053240968, 0.013795062826], [0.006678052562, 0]],
    [0.5, [0.25, 0.25], [0.22674869193, 0.21404719859], [0.1088166496, 0.018710977388]],
    [1, [0.5, 0.5], [0.47561471225, 0.47561471225], [0.30326532986, 0.30326532986]],
  ])("of a profile on a Poisson sample at rate %d, removed and added", (rate, ...due) => {
    const { remove, add } = profilePoisson({ remove: profile, add: profile }, rate);
    expect([0, 0.05, 0.5].map((epsilon) => [digits(remove(epsilon)), digits(add(epsilon))])).toEqual(due);
  });

  it("of binomial masses, at the ends, in the middle and outside", () => {
    expect([-1, 0, 3, 10, 11].map((k) => digits(binomialMass(k, 10, 0.5, 0.5)))).toEqual([
      ...[0, 1 / 1024, 0.1171875, 1 / 1024, 0].map(digits),
    ]);
    expect(digits(binomialMass(2, 3, 0.9, 0.1))).toBe(0.243);
    expect(digits(binomialMass(40, 100, 0.4, 0.6))).toBe(0.081219144996);
  });
});

/** Each parameter with values that are taken, and others that are refused. */
type Ends = Readonly<Record<string, readonly [taken: readonly unknown[], refused: readonly unknown[]]>>;
const positive = [
  [tiny, 1],
  [0, -1, nan, inf],
] as const;
const whole = [
  [1, 2],
  [0, -1, 1.5, nan, inf, most + 1],
] as const;
const share = [
  [0, 1, 0.5],
  [-tiny, 1 + eps, nan],
] as const;

const run = (given: Record<string, unknown>): never => given as never;
const calculators: readonly (readonly [string, object, (given: Record<string, unknown>) => unknown, Ends])[] =
  [
    [
      "subsampledEpsilon",
      { epsilon: 1, rate: 0.5 },
      ({ epsilon, rate }) => subsampledEpsilon(epsilon as number, rate as number),
      {
        epsilon: [
          [0, 1e6],
          [-tiny, nan, inf],
        ],
        rate: share,
      },
    ],
    [
      "unsampledEpsilon",
      { epsilon: 1, rate: 0.5 },
      ({ epsilon, rate }) => unsampledEpsilon(epsilon as number, rate as number),
      {
        epsilon: [
          [0, 1e6],
          [-tiny, nan, inf],
        ],
        rate: share,
      },
    ],
    [
      "shuffleEpsilon",
      reports,
      (given) => shuffleEpsilon(run(given)),
      {
        reports: [
          [1, 2, most],
          [0, -1, 1.5, nan, most + 1],
        ],
        epsilon0: [
          [0, 1, 1e3],
          [-tiny, nan, inf],
        ],
        delta: [
          [0, 1 - eps],
          [-tiny, 1, nan],
        ],
        variant: [
          ["clone", "stronger-clone"],
          ["weaker-clone", null],
        ],
      },
    ],
    ["shufflePair", { reports: 10, epsilon0: 1 }, (given) => shufflePair(run(given), 20), { reports: whole }],
    [
      "shuffleEpsilonTextbook",
      reports,
      (given) => shuffleEpsilonTextbook(run(given)),
      {
        // Up to ln(n/(16·ln(2/δ))) = 3.76300609…
        epsilon0: [
          [0, 3.763006],
          [3.763007, nan],
        ],
        delta: [
          [1e-9, 0.5],
          [0, 1, nan],
        ],
        reports: [
          [700, 10_000],
          [600, 0, nan],
        ],
      },
    ],
    [
      "noisyIterationRho",
      iteration,
      (given) => noisyIterationRho(run(given)),
      {
        steps: [
          [100, 1000],
          [0, 1.5, nan, 99],
        ],
        sigma: [
          [1, 1e-3],
          [0, -1, nan, inf],
        ],
        learningRate: [
          [2, 1e-9],
          [0, -1, nan, inf, 2 + 4 * eps],
        ],
        smoothness: [
          [0, 4],
          [-tiny, nan, inf, 4 + 4 * eps],
        ],
        gradientSensitivity: [
          [0, 1],
          [-tiny, nan, inf],
        ],
        convex: [[true], [false, 1, undefined]],
        uses: [
          [[], [1], [100], [100, 1]],
          [[0], [101], [1.5], [2, 2], [nan], [3, 1, 3]],
        ],
      },
    ],
    [
      "noisyIterationAveraged",
      { ...iteration, order: 2 },
      ({ order, ...given }) => noisyIterationAveraged(run(given), order as number),
      {
        order: [
          [1 + eps, 2],
          [1, 0, nan, inf],
        ],
        sigma: [[1], [0]],
        steps: whole,
      },
    ],
    [
      "randomAllocation",
      { ...allocation, nodes: 400 },
      ({ nodes, ...given }) => randomAllocation(run(given), nodes as number),
      {
        steps: [
          [1, 10],
          [0, 1.5, nan],
        ],
        selected: [
          [0, 1, 10],
          [-1, 11, 1.5, nan],
        ],
        sigma: positive,
        sensitivity: [
          [0, 1],
          [-tiny, nan, inf],
        ],
        nodes: [
          [400, 20_000],
          [399, 20_001, 400.5, nan],
        ],
      },
    ],
    [
      "truncationDistance",
      cut,
      (given) => truncationDistance(run(given)),
      {
        rate: share,
        limit: whole,
        population: [
          [0, 4],
          [-1, 1.5, nan],
        ],
      },
    ],
    [
      "truncatedDelta",
      { delta: 0.5, epsilon: 1, distance: 0 },
      ({ delta, epsilon, distance }) =>
        truncatedDelta(delta as number, epsilon as number, distance as number),
      {
        delta: share,
        epsilon: [
          [0, 1],
          [-tiny, nan, inf],
        ],
        distance: [
          [0, 1, inf],
          [-tiny, nan],
        ],
      },
    ],
    [
      "profileWithoutReplacement",
      { population: 10, sample: 5 },
      ({ population, sample }) => profileWithoutReplacement(profile, population as number, sample as number),
      {
        population: [
          [5, 10],
          [4, 0, nan, 5.5],
        ],
        sample: [
          [0, 10],
          [-1, 11, 1.5, nan],
        ],
      },
    ],
    [
      "profilePoisson",
      { rate: 0.5 },
      ({ rate }) => profilePoisson({ remove: profile, add: profile }, rate as number),
      { rate: share },
    ],
    [
      "a profile on a sample",
      { epsilon: 1 },
      ({ epsilon }) => profilePoisson({ remove: profile, add: profile }, 0.5).remove(epsilon as number),
      {
        epsilon: [
          [0, 1],
          [-tiny, nan, inf],
        ],
      },
    ],
    [
      "a sampled profile",
      { delta: 0.5 },
      ({ delta }) => profileWithoutReplacement(() => delta as number, 10, 5)(1),
      {
        delta: [
          [0, 1, 2],
          [-tiny, nan],
        ],
      },
    ],
    [
      "binomialTail",
      { n: 10, p: 0.5, limit: 6 },
      ({ n, p, limit }) => binomialTail(n as number, p as number, limit as number),
      {
        n: [
          [0, 10],
          [-1, 1.5, nan],
        ],
        p: share,
        limit: [
          [0, 10],
          [-1, 0.5, nan],
        ],
      },
    ],
    [
      "subsampledLoss",
      { epsilon: one, delta: zero, rate: one, adjacency: "add-or-remove-one" },
      ({ epsilon, delta, rate, adjacency }) =>
        subsampledLoss({ epsilon, delta } as never, { kind: "poisson", rate } as never, adjacency as never),
      {
        epsilon: [[zero, one], [ratio(-1n, 10n ** 30n)]],
        delta: [
          [zero, one],
          [ratio(-1n, 10n ** 30n), ratio(10n ** 30n + 1n, 10n ** 30n)],
        ],
        rate: [
          [zero, one],
          [ratio(-1n, 10n ** 30n), ratio(10n ** 30n + 1n, 10n ** 30n)],
        ],
        adjacency: [
          ["add-or-remove-one", "replace-one"],
          ["both", undefined],
        ],
      },
    ],
    [
      "samplingRate",
      { kind: "without-replacement", population: 10n, sample: 5n },
      (given) => samplingRate(given as never),
      {
        population: [
          [5n, 10n],
          [0n, 4n, -1n],
        ],
        sample: [
          [0n, 10n],
          [-1n, 11n],
        ],
      },
    ],
  ];

describe.each(calculators)("%s", (_, good, calculate, ends) => {
  it.each(Object.entries(ends))("takes both ends of %s, and nothing beyond", (name, [taken, refused]) => {
    for (const value of taken)
      expect(() => calculate({ ...good, [name]: value }), String(value)).not.toThrow();
    for (const value of refused)
      expect(() => calculate({ ...good, [name]: value }), String(value)).toThrow(invalid);
  });
});

it("a sample of a fixed size has no proof where units come and go", () => {
  const loss = { epsilon: one, delta: zero };
  const scheme = { kind: "without-replacement", population: 10n, sample: 5n } as const;
  expect(() => subsampledLoss(loss, scheme, "add-or-remove-one")).toThrow(invalid);
  expect(subsampledLoss(loss, { ...scheme, sample: 10n }, "replace-one")).toEqual(loss);
  expect(subsampledLoss(loss, { ...scheme, sample: 0n }, "replace-one")).toEqual({
    epsilon: zero,
    delta: zero,
  });
});
