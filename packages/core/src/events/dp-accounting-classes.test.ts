import { describe, expect, it } from "vitest";
import { one, ratio, toDouble } from "../numeric/rational.ts";
import { eventFromDpAccounting } from "./dp-accounting.ts";
import { maxEventDepth, maxEventNodes } from "./event-json.ts";
import { negativeBinomialStop } from "./negative-binomial-stop.ts";

/* Every class of dp_accounting: what it becomes under both adjacencies, and both ends of its numbers. */

const of = (class_name: string, fields: object = {}): Record<string, unknown> => ({ class_name, ...fields });
const invalid = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });
const unprovable = (name: string): unknown =>
  expect.objectContaining({ code: "account.unprovable", fields: { event: name } });
const noise = of("GaussianDpEvent", { noise_multiplier: 2 });
const gaussian = (sensitivity: string): object => ({ kind: "gaussian", version: 1, sigma: "2", sensitivity });
const constant = { kind: "constant", version: 1 };

describe.each<readonly [string, object, object | null, object | null]>([
  ["NoOpDpEvent", {}, constant, constant],
  ["GaussianDpEvent", { noise_multiplier: 2 }, gaussian("1"), gaussian("2")],
  [
    "LaplaceDpEvent",
    { noise_multiplier: 0.5 },
    { kind: "continuous-laplace", version: 1, scale: "1/2", sensitivity: "1" },
    { kind: "continuous-laplace", version: 1, scale: "1/2", sensitivity: "2" },
  ],
  [
    "DiscreteLaplaceDpEvent",
    { noise_parameter: 0.25, sensitivity: 3 },
    { kind: "laplace", version: 1, scale: "4", l1: "3" },
    { kind: "laplace", version: 1, scale: "4", l1: "6" },
  ],
  [
    "DiscreteGaussianDpEvent",
    { sigma: 3, sensitivity: 1.5 },
    // 1.5² = 2.25, (2·1.5)² = 9, never rounded down.
    { kind: "discrete-gaussian", version: 1, sigmaSquared: "9", l2Squared: "3" },
    { kind: "discrete-gaussian", version: 1, sigmaSquared: "9", l2Squared: "9" },
  ],
  [
    "DiscreteGaussianDpEvent",
    { sigma: 3, dimension: 7 },
    { kind: "discrete-gaussian", version: 1, sigmaSquared: "9", l2Squared: "1" },
    { kind: "discrete-gaussian", version: 1, sigmaSquared: "9", l2Squared: "4" },
  ],
  [
    "EpsilonDeltaDpEvent",
    { epsilon: 0.5, delta: 0.25 },
    { kind: "approximate", version: 1, epsilon: "1/2", delta: "1/4" },
    { kind: "approximate", version: 1, epsilon: "1/2", delta: "1/4" },
  ],
  [
    "ZCDpEvent",
    { rho: 0.5, xi: 0.25 },
    { kind: "zcdp", version: 1, rho: "3/4" },
    { kind: "zcdp", version: 1, rho: "3/4" },
  ],
  [
    "ZCDpEvent",
    { rho: 0.5 },
    { kind: "zcdp", version: 1, rho: "1/2" },
    { kind: "zcdp", version: 1, rho: "1/2" },
  ],
  [
    "ExponentialMechanismDpEvent",
    { epsilon: 0.5 },
    { kind: "bounded-range", version: 1, epsilon: "1/2", of: "exponential-mechanism" },
    { kind: "bounded-range", version: 1, epsilon: "1/2", of: "exponential-mechanism" },
  ],
  [
    "PermuteAndFlipDpEvent",
    { epsilon: 0.5 },
    { kind: "pure", version: 1, epsilon: "1/2", of: "permute-and-flip" },
    { kind: "pure", version: 1, epsilon: "1/2", of: "permute-and-flip" },
  ],
  [
    "RandomizedResponseDpEvent",
    { noise_parameter: 0.5, num_buckets: 2 },
    null,
    {
      ...{ kind: "finite-pair", version: 1, of: "randomized-response" },
      ...{ p: ["3/4", "1/4"], q: ["1/4", "3/4"] },
    },
  ],
  [
    "RandomizedResponseDpEvent",
    { noise_parameter: 0.5, num_buckets: 4 },
    null,
    {
      ...{ kind: "finite-pair", version: 1, of: "randomized-response" },
      ...{ p: ["5/8", "1/8", "1/4"], q: ["1/8", "5/8", "1/4"] },
    },
  ],
  ["RandomizedResponseDpEvent", { noise_parameter: 0.5, num_buckets: 1 }, null, constant],
  [
    "RandomizedResponseDpEvent",
    { noise_parameter: 1, num_buckets: 2 },
    null,
    {
      ...{ kind: "finite-pair", version: 1, of: "randomized-response" },
      ...{ p: ["1/2", "1/2"], q: ["1/2", "1/2"] },
    },
  ],
  [
    "ComposedDpEvent",
    { events: [noise, of("NoOpDpEvent")] },
    { kind: "compose", version: 1, events: [gaussian("1"), constant] },
    { kind: "compose", version: 1, events: [gaussian("2"), constant] },
  ],
  [
    "ComposedDpEvent",
    { events: [] },
    { kind: "compose", version: 1, events: [] },
    { kind: "compose", version: 1, events: [] },
  ],
  [
    "SelfComposedDpEvent",
    { event: noise, count: 3 },
    { kind: "repeat", version: 1, count: "3", event: gaussian("1") },
    { kind: "repeat", version: 1, count: "3", event: gaussian("2") },
  ],
  ["SelfComposedDpEvent", { event: noise, count: 0 }, constant, constant],
  [
    "PoissonSampledDpEvent",
    { sampling_probability: 0.25, event: noise },
    { kind: "poisson-sample", version: 1, rate: "1/4", event: gaussian("1") },
    { kind: "poisson-sample", version: 1, rate: "1/4", event: gaussian("1") },
  ],
  [
    "SampledWithoutReplacementDpEvent",
    { source_dataset_size: 9, sample_size: 3, event: noise },
    { kind: "sample-without-replacement", version: 1, population: "9", sample: "3", event: gaussian("2") },
    { kind: "sample-without-replacement", version: 1, population: "9", sample: "3", event: gaussian("2") },
  ],
  [
    "SingleEpochTreeAggregationDpEvent",
    { noise_multiplier: 2, step_counts: [4, 1] },
    { kind: "repeat", version: 1, count: "3", event: gaussian("1") },
    { kind: "repeat", version: 1, count: "3", event: gaussian("2") },
  ],
  [
    "SingleEpochTreeAggregationDpEvent",
    { noise_multiplier: 2, step_counts: 1 },
    { kind: "repeat", version: 1, count: "1", event: gaussian("1") },
    { kind: "repeat", version: 1, count: "1", event: gaussian("2") },
  ],
  [
    "RepeatAndSelectDpEvent",
    { event: noise, mean: 4, shape: 1 },
    {
      ...{ kind: "repeat-and-select", version: 1, event: gaussian("1") },
      trials: { law: "negative-binomial", shape: "1", stop: "1/4" },
    },
    {
      ...{ kind: "repeat-and-select", version: 1, event: gaussian("2") },
      trials: { law: "negative-binomial", shape: "1", stop: "1/4" },
    },
  ],
  [
    "RepeatAndSelectDpEvent",
    { event: noise, mean: 1, shape: Number.POSITIVE_INFINITY },
    { kind: "repeat-and-select", version: 1, event: gaussian("1"), trials: { law: "poisson", mean: "1" } },
    { kind: "repeat-and-select", version: 1, event: gaussian("2"), trials: { law: "poisson", mean: "1" } },
  ],
  ["RepeatAndSelectDpEvent", { event: noise, mean: 1, shape: 0 }, gaussian("1"), gaussian("2")],
  [
    "MixtureOfGaussiansDpEvent",
    { standard_deviation: 2, sensitivities: [0, -3], sampling_probs: [0.25, 0.75] },
    { kind: "poisson-sample", version: 1, rate: "3/4", event: gaussian("3") },
    null,
  ],
  [
    "MixtureOfGaussiansDpEvent",
    { standard_deviation: 2, sensitivities: [3], sampling_probs: [1] },
    { kind: "poisson-sample", version: 1, rate: "1", event: gaussian("3") },
    null,
  ],
  [
    "MixtureOfGaussiansDpEvent",
    { standard_deviation: 2, sensitivities: [0], sampling_probs: [1] },
    constant,
    constant,
  ],
  [
    "TruncatedSubsampledGaussianDpEvent",
    { dataset_size: 9, sampling_probability: 0.25, truncated_batch_size: 12, noise_multiplier: 2 },
    {
      ...{ kind: "truncated-poisson-sample", version: 1, rate: "1/4", population: "9", limit: "9" },
      event: gaussian("1"),
    },
    {
      ...{ kind: "truncated-poisson-sample", version: 1, rate: "1/4", population: "9", limit: "9" },
      event: gaussian("1"),
    },
  ],
  ...(["dataset_size", "sampling_probability", "truncated_batch_size"] as const).map(
    (name) =>
      [
        "TruncatedSubsampledGaussianDpEvent",
        {
          ...{ dataset_size: 9, sampling_probability: 0.25, truncated_batch_size: 3, noise_multiplier: 2 },
          [name]: 0,
        },
        constant,
        constant,
      ] as const,
  ),
])("%s %j", (name, fields, added, replaced) => {
  it("is read under both adjacencies", () => {
    for (const [adjacency, due] of [
      ["add-or-remove-one", added],
      ["replace-one", replaced],
    ] as const) {
      if (due === null)
        expect(() => eventFromDpAccounting(of(name, fields), adjacency)).toThrow(unprovable(name));
      else expect(eventFromDpAccounting(of(name, fields), adjacency)).toEqual(due);
    }
  });
});

describe("a class whose numbers are out of their domain", () => {
  it.each<readonly [string, string, object, readonly unknown[]]>([
    ["GaussianDpEvent", "noise_multiplier", {}, [0, -1, Number.NaN, Number.POSITIVE_INFINITY, "2", null]],
    ["LaplaceDpEvent", "noise_multiplier", {}, [0, -1, Number.NaN]],
    ["DiscreteLaplaceDpEvent", "noise_parameter", { sensitivity: 1 }, [0, -1]],
    ["DiscreteLaplaceDpEvent", "sensitivity", { noise_parameter: 1 }, [-1, 0.5, "1", null]],
    ["DiscreteGaussianDpEvent", "sigma", { sensitivity: 1 }, [0, -1]],
    ["DiscreteGaussianDpEvent", "sensitivity", { sigma: 1 }, [0, -1, null]],
    ["ZCDpEvent", "rho", { xi: 1 }, [-0.5, Number.NaN]],
    ["ZCDpEvent", "xi", { rho: 1 }, [-0.5, Number.NaN]],
    ["RandomizedResponseDpEvent", "noise_parameter", { num_buckets: 2 }, [-0.1, 1.1, Number.NaN]],
    ["RandomizedResponseDpEvent", "num_buckets", { noise_parameter: 0.5 }, [0, 1.5, -1]],
    ["ComposedDpEvent", "events", {}, [null, {}, "x"]],
    ["SelfComposedDpEvent", "count", { event: noise }, [-1, 1.5, 2 ** 53, "3"]],
    ["SampledWithoutReplacementDpEvent", "source_dataset_size", { sample_size: 1, event: noise }, [0, 1.5]],
    ["SampledWithoutReplacementDpEvent", "sample_size", { source_dataset_size: 3, event: noise }, [0, 1.5]],
    ["SingleEpochTreeAggregationDpEvent", "step_counts", { noise_multiplier: 1 }, [0, [], [3, 0], 1.5]],
    ["SingleEpochTreeAggregationDpEvent", "noise_multiplier", { step_counts: 3 }, [0, -1]],
    ["RepeatAndSelectDpEvent", "mean", { event: noise, shape: 1 }, [0.9, 0, Number.NaN]],
    ["RepeatAndSelectDpEvent", "shape", { event: noise, mean: 3 }, [-0.1, Number.NaN, "x"]],
    [
      "MixtureOfGaussiansDpEvent",
      "standard_deviation",
      { sensitivities: [1], sampling_probs: [1] },
      [0, -1, Number.NaN],
    ],
    [
      "MixtureOfGaussiansDpEvent",
      "sensitivities",
      { standard_deviation: 1, sampling_probs: [1] },
      [[], 1, ["1"]],
    ],
    [
      "MixtureOfGaussiansDpEvent",
      "sampling_probs",
      { standard_deviation: 1, sensitivities: [1] },
      [[], 1, [0.9], [1.1], [1 - 2e-9], [1 + 2e-9], [0.5, 0.5]],
    ],
    [
      "TruncatedSubsampledGaussianDpEvent",
      "noise_multiplier",
      { dataset_size: 9, sampling_probability: 0.25, truncated_batch_size: 3 },
      [0, -1],
    ],
    [
      "TruncatedSubsampledGaussianDpEvent",
      "dataset_size",
      { sampling_probability: 0.25, truncated_batch_size: 3, noise_multiplier: 1 },
      [-1, 1.5],
    ],
  ])("%s is refused by the name of %s", (name, field, fields, values) => {
    for (const value of values) {
      expect(
        () => eventFromDpAccounting(of(name, { ...fields, [field]: value }), "replace-one"),
        String(value),
      ).toThrow(invalid(field));
    }
  });

  it("is said to have no reading where none is sound", () => {
    expect(() => eventFromDpAccounting(of("NonPrivateDpEvent"))).toThrow(unprovable("NonPrivateDpEvent"));
    expect(() => eventFromDpAccounting(of("UnsupportedDpEvent"))).toThrow(unprovable("UnsupportedDpEvent"));
    expect(() =>
      eventFromDpAccounting(
        of("SampledWithReplacementDpEvent", { source_dataset_size: 9, sample_size: 1, event: noise }),
      ),
    ).toThrow(unprovable("SampledWithReplacementDpEvent"));
    expect(() =>
      eventFromDpAccounting(
        of("RandomizedResponseDpEvent", { noise_parameter: 0, num_buckets: 2 }),
        "replace-one",
      ),
    ).toThrow(/without noise/);
  });
});

describe("weights that doubles miss", () => {
  const read = (moves: readonly number[], weights: readonly number[]): unknown =>
    eventFromDpAccounting(
      of("MixtureOfGaussiansDpEvent", {
        ...{ standard_deviation: 2, sensitivities: moves, sampling_probs: weights },
      }),
    );
  const weightsOf = (event: unknown): readonly string[] =>
    (event as { moves: readonly { weight: string }[] }).moves.map(({ weight }) => weight);

  it("give what is missing to the largest move by its size, wherever it stands", () => {
    expect(weightsOf(read([-3, 0, -1], [0.1999999999, 0.5, 0.3]))).toEqual(["1/5", "1/2", "3/10"]);
    expect(weightsOf(read([1, 5, 0], [0.25, 0.25, 0.5]))).toEqual(["1/4", "1/4", "1/2"]);
  });

  it("take what is too much from the least move, then the next", () => {
    expect(weightsOf(read([0, 2, 1], [0, 0.5, 0.5000000001]))).toEqual(["0", "1/2", "1/2"]);
    // 1e-10 too much: all of the first, of 4e-11, and the rest of the second.
    expect(weightsOf(read([0, 2, 1], [4e-11, 0.5, 0.50000000006]))).toEqual(["0", "1/2", "1/2"]);
  });
});

describe("a record", () => {
  it("may be the list of its fields in their order, and no longer", () => {
    expect(eventFromDpAccounting(["m", "GaussianDpEvent", 2])).toEqual(gaussian("1"));
    expect(eventFromDpAccounting(["m", "ZCDpEvent", 0.5])).toEqual({ kind: "zcdp", version: 1, rho: "1/2" });
    expect(() => eventFromDpAccounting(["m", "GaussianDpEvent", 2, 3])).toThrow(invalid("GaussianDpEvent"));
    expect(() => eventFromDpAccounting(["GaussianDpEvent", "m", 2])).toThrow(invalid("class_name"));
    expect(() => eventFromDpAccounting(["m", "NoOpDpEvent", 1])).toThrow(invalid("NoOpDpEvent"));
    expect(eventFromDpAccounting(["m", "NoOpDpEvent"])).toEqual(constant);
  });

  it("may name its module, and no field that it has not", () => {
    expect(eventFromDpAccounting({ ...noise, module_name: "m" })).toEqual(gaussian("1"));
    expect(() => eventFromDpAccounting({ ...noise, sigma: 2 })).toThrow(invalid("GaussianDpEvent"));
    expect(() => eventFromDpAccounting({ class_name: "constructor" })).toThrow(invalid("class_name"));
  });

  it("is read as deep as an event may be, and no deeper", () => {
    const nested = (depth: number): unknown =>
      depth === 1 ? noise : of("SelfComposedDpEvent", { event: nested(depth - 1), count: 1 });
    expect(eventFromDpAccounting(nested(maxEventDepth))).toMatchObject({ kind: "repeat" });
    expect(() => eventFromDpAccounting(nested(maxEventDepth + 1))).toThrow(invalid("event depth"));
  });

  it("is read with as many nodes as an event may have, and no more", () => {
    const many = (nodes: number): unknown =>
      of("ComposedDpEvent", { events: Array.from({ length: nodes - 1 }, () => of("NoOpDpEvent")) });
    expect(eventFromDpAccounting(many(maxEventNodes))).toMatchObject({ kind: "compose" });
    expect(() => eventFromDpAccounting(many(maxEventNodes + 1))).toThrow(invalid("event size"));
  });
});

describe("the stop of a negative binomial law", () => {
  const meanOf = (shape: number, stop: number): number =>
    shape === 0 ? (1 / stop - 1) / -Math.log(stop) : (shape * (1 - stop)) / stop / (1 - stop ** shape);
  it.each([
    [0, 1.5],
    [0, 1e6],
    [0.5, 10],
    [2, 1.01],
    [3, 1e9],
    [20, 100],
  ])("of shape %d has the mean %d, or a hair more trials", (shape, mean) => {
    const eta = ratio(BigInt(Math.round(shape * 2)), 2n);
    const target = ratio(BigInt(Math.round(mean * 100)), 100n);
    const stop = toDouble(negativeBinomialStop(eta, target), "down");
    expect(stop).toBeGreaterThan(0);
    expect(stop).toBeLessThan(1);
    expect(meanOf(shape, stop)).toBeGreaterThanOrEqual(mean * (1 - 1e-13));
    expect(meanOf(shape, stop)).toBeLessThanOrEqual(mean * (1 + 1e-9));
  });
  it("is exact for the geometric law, and refused where it would be beyond doubles", () => {
    expect(negativeBinomialStop(one, ratio(7n, 3n))).toEqual(ratio(3n, 7n));
    expect(negativeBinomialStop(one, ratio(10n ** 400n))).toEqual(ratio(1n, 10n ** 400n));
    expect(() => negativeBinomialStop(ratio(2n), ratio(10n ** 305n))).toThrow(invalid("mean"));
    expect(negativeBinomialStop(ratio(2n), ratio(10n ** 290n)).num).toBeGreaterThan(0n);
  });
});
