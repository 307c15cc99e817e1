import { describe, expect, it } from "vitest";
import type { Adjacency } from "../losses/measures/adjacency.ts";
import { eventFromDpAccounting } from "./dp-accounting.ts";
import { dpSgdEvent } from "./dp-sgd-event.ts";
import { eventFromJson } from "./event-json.ts";
import { treeAggregationEvent } from "./tree-aggregation-event.ts";

/* Records as Python writes them: json.dumps of to_named_tuple() gives lists, of its _asdict() objects. */
const sgdList =
  '["dp_accounting.dp_event", "SelfComposedDpEvent", ["dp_accounting.dp_event", "PoissonSampledDpEvent", 0.004266666666666667, ["dp_accounting.dp_event", "GaussianDpEvent", 1.1]], 14062]';
const sgdObject =
  '{"module_name": "dp_accounting.dp_event", "class_name": "SelfComposedDpEvent", "event": {"module_name": "dp_accounting.dp_event", "class_name": "PoissonSampledDpEvent", "sampling_probability": 0.004266666666666667, "event": {"module_name": "dp_accounting.dp_event", "class_name": "GaussianDpEvent", "noise_multiplier": 1.1}}, "count": 14062}';

const of = (class_name: string, fields: object = {}): unknown => ({ class_name, ...fields });
const code = (expected: string) => expect.objectContaining({ code: expected });
const gaussian = of("GaussianDpEvent", { noise_multiplier: 2 });

describe("an event of dp_accounting", () => {
  it.each([sgdList, sgdObject])("reads DP-SGD: %s", (text) => {
    expect(eventFromDpAccounting(JSON.parse(text))).toEqual(
      dpSgdEvent({ rate: "0.004266666666666667", noiseMultiplier: 1.1, steps: 14062 }),
    );
  });

  it("never forgets a count, whatever is counted", () => {
    for (const event of [
      gaussian,
      of("ExponentialMechanismDpEvent", { epsilon: 0.5 }),
      of("RandomizedResponseDpEvent", { noise_parameter: 0.5, num_buckets: 2 }),
      of("ZCDpEvent", { rho: 0.5, xi: 0 }),
      of("SingleEpochTreeAggregationDpEvent", { noise_multiplier: 1, step_counts: [4, 5] }),
      of("PoissonSampledDpEvent", { sampling_probability: 0.1, event: gaussian }),
    ]) {
      expect(eventFromDpAccounting(of("SelfComposedDpEvent", { event, count: 1000 }), "replace-one")).toEqual(
        {
          kind: "repeat",
          version: 1,
          count: "1000",
          event: eventFromDpAccounting(event, "replace-one"),
        },
      );
    }
  });

  it("keeps a zCDP event what it is inside a Poisson sample: never a Gaussian", () => {
    const event = of("ZCDpEvent", { rho: 0.5, xi: 0.25 });
    expect(eventFromDpAccounting(of("PoissonSampledDpEvent", { sampling_probability: 0.1, event }))).toEqual({
      kind: "poisson-sample",
      version: 1,
      rate: "1/10",
      event: { kind: "zcdp", version: 1, rho: "3/4" },
    });
  });

  it("moves a sum by two norms where a record replaces another, by one where it comes or goes", () => {
    expect(eventFromDpAccounting(gaussian)).toMatchObject({ sensitivity: "1" });
    expect(eventFromDpAccounting(gaussian, "replace-one")).toMatchObject({ sensitivity: "2" });
    const sampled = of("PoissonSampledDpEvent", { sampling_probability: 0.1, event: gaussian });
    expect(eventFromDpAccounting(sampled, "replace-one")).toMatchObject({ event: { sensitivity: "1" } });
    const fixed = of("SampledWithoutReplacementDpEvent", {
      source_dataset_size: 100,
      sample_size: 10,
      event: gaussian,
    });
    expect(eventFromDpAccounting(fixed)).toMatchObject({
      population: "100",
      sample: "10",
      event: { sensitivity: "2" },
    });
    const laplace = of("LaplaceDpEvent", { noise_multiplier: 3 });
    expect(eventFromDpAccounting(laplace, "replace-one")).toMatchObject({ scale: "3", sensitivity: "2" });
    const discrete = of("DiscreteLaplaceDpEvent", { noise_parameter: 0.5, sensitivity: 3 });
    expect(eventFromDpAccounting(discrete)).toEqual({ kind: "laplace", version: 1, scale: "2", l1: "3" });
    const integer = of("DiscreteGaussianDpEvent", { sigma: 2, sensitivity: 1.5, dimension: null });
    expect(eventFromDpAccounting(integer)).toMatchObject({ sigmaSquared: "4", l2Squared: "3" });
  });

  it("reads randomized response as the pair that it is", () => {
    const event = of("RandomizedResponseDpEvent", { noise_parameter: 0.3, num_buckets: 3 });
    expect(eventFromDpAccounting(event, "replace-one")).toEqual({
      kind: "finite-pair",
      version: 1,
      p: ["4/5", "1/10", "1/10"],
      q: ["1/10", "4/5", "1/10"],
      of: "randomized-response",
    });
    expect(() => eventFromDpAccounting(event)).toThrow(code("account.unprovable"));
  });

  it("reads trees as so many Gaussians as a leaf has nodes above it", () => {
    const event = of("SingleEpochTreeAggregationDpEvent", { noise_multiplier: 1, step_counts: [3, 1024, 7] });
    expect(eventFromDpAccounting(event)).toMatchObject({ kind: "repeat", count: "11" });
    expect(treeAggregationEvent({ noiseMultiplier: 1, steps: [3, 1024, 7], epochs: 2 })).toEqual({
      kind: "repeat",
      version: 1,
      count: "2",
      event: eventFromDpAccounting(event),
    });
  });

  it("reads the laws of a number of trials, toward more trials", () => {
    const trials = (mean: number, shape: unknown) =>
      eventFromDpAccounting(of("RepeatAndSelectDpEvent", { event: gaussian, mean, shape })) as {
        trials?: { stop: string };
      };
    expect(trials(10, "Infinity").trials).toEqual({ law: "poisson", mean: "10" });
    expect(trials(10, 1).trials).toEqual({ law: "negative-binomial", shape: "1", stop: "1/10" });
    expect(trials(1, 0.5)).toEqual(eventFromDpAccounting(gaussian));
    // Logarithmic: the mean of γ is (1/γ − 1)/ln(1/γ).
    const { stop } = trials(10, 0).trials as { stop: string };
    const [num, den] = stop.split("/").map(Number) as [number, number];
    const gamma = num / den;
    const mean = (1 / gamma - 1) / Math.log(1 / gamma);
    expect(mean).toBeGreaterThan(10);
    expect(mean).toBeLessThan(10 * (1 + 1e-11));
  });

  it("reads mixtures of several moves, and gives what doubles miss to the largest", () => {
    const read = (moves: readonly number[], weights: readonly number[], adjacency?: Adjacency): unknown =>
      eventFromDpAccounting(
        of("MixtureOfGaussiansDpEvent", {
          standard_deviation: 2,
          sensitivities: moves,
          sampling_probs: weights,
        }),
        adjacency,
      );
    const event = (...moves: readonly (readonly [weight: string, move: string])[]): unknown => ({
      kind: "gaussian-mixture",
      version: 1,
      sigma: "2",
      moves: moves.map(([weight, move]) => ({ weight, move })),
    });
    expect(read([1, 0, 2], [0.25, 0.5, 0.25])).toEqual(event(["1/4", "1"], ["1/2", "0"], ["1/4", "2"]));
    expect(read([0, -1, -3], [0.5, 0.25, 0.25])).toEqual(event(["1/2", "0"], ["1/4", "1"], ["1/4", "3"]));
    // In decimals these sum to 1 − 1e-10, and to 1 + 1e-10.
    const short = read([0, 1, 2], [0.5, 0.4, 0.0999999999]);
    expect(short).toEqual(event(["1/2", "0"], ["2/5", "1"], ["1/10", "2"]));
    const long = read([0, 1, 2], [0.5, 0.4, 0.1000000001]);
    expect(long).toEqual(
      event(["4999999999/10000000000", "0"], ["2/5", "1"], ["1000000001/10000000000", "2"]),
    );
    expect(eventFromJson(short)).toEqual(short);
    expect(eventFromJson(long)).toEqual(long);
    const refused = code("parameter.invalid");
    expect(() => read([0, 1, 2], [0.5, 0.4, 0.2])).toThrow(refused);
    expect(() => read([0, 1, 2], [0.5, 0.5])).toThrow(refused);
    expect(() => read([0, 1, 2], [-0.5, 0.5, 1])).toThrow(refused);
    expect(() => read([0, 1, -2], [0.5, 0.25, 0.25])).toThrow(code("account.unprovable"));
    expect(() => read([0, 1, 2], [0.5, 0.25, 0.25], "replace-one")).toThrow(code("account.unprovable"));
    expect(read([0, 0], [0.5, 0.5])).toEqual({ kind: "constant", version: 1 });
  });

  it("reads mixtures of staying and one move, bounded range, ε-δ, nothing", () => {
    const mixture = { standard_deviation: 2, sensitivities: [0, 1], sampling_probs: [0.75, 0.25] };
    expect(eventFromDpAccounting(of("MixtureOfGaussiansDpEvent", mixture))).toEqual({
      kind: "poisson-sample",
      version: 1,
      rate: "1/4",
      event: eventFromDpAccounting(gaussian),
    });
    expect(eventFromDpAccounting(of("ExponentialMechanismDpEvent", { epsilon: 0.5 }))).toMatchObject({
      kind: "bounded-range",
    });
    expect(eventFromDpAccounting(of("PermuteAndFlipDpEvent", { epsilon: 0.5 }))).toMatchObject({
      kind: "pure",
    });
    expect(eventFromDpAccounting(of("EpsilonDeltaDpEvent", { epsilon: 1, delta: 1e-6 }))).toMatchObject({
      epsilon: "1",
      delta: "1/1000000",
    });
    expect(eventFromDpAccounting(of("NoOpDpEvent"))).toEqual({ kind: "constant", version: 1 });
    expect(eventFromDpAccounting(of("SelfComposedDpEvent", { event: gaussian, count: 0 }))).toEqual({
      kind: "constant",
      version: 1,
    });
    const truncated = {
      dataset_size: 100,
      sampling_probability: 0.1,
      truncated_batch_size: 20,
      noise_multiplier: 1,
    };
    expect(eventFromDpAccounting(of("TruncatedSubsampledGaussianDpEvent", truncated))).toMatchObject({
      kind: "truncated-poisson-sample",
      limit: "20",
    });
  });

  it.each([
    ["NonPrivateDpEvent", {}, "account.unprovable"],
    ["UnsupportedDpEvent", {}, "account.unprovable"],
    [
      "SampledWithReplacementDpEvent",
      { source_dataset_size: 9, sample_size: 1, event: gaussian },
      "account.unprovable",
    ],
    ["GaussianDpEvent", { noise_multiplier: 0 }, "parameter.invalid"],
    ["GaussianDpEvent", { noise_multiplier: Number.NaN }, "parameter.invalid"],
    ["GaussianDpEvent", {}, "parameter.invalid"],
    ["GaussianDpEvent", { noise_multiplier: 1, count: 5 }, "parameter.invalid"],
    ["PoissonSampledDpEvent", { sampling_probability: 1.5, event: gaussian }, "parameter.invalid"],
    ["SelfComposedDpEvent", { count: 1.5, event: gaussian }, "parameter.invalid"],
    ["SelfComposedDpEvent", { count: -1, event: gaussian }, "parameter.invalid"],
    ["FutureDpEvent", {}, "parameter.invalid"],
    ["toString", {}, "parameter.invalid"],
  ])("refuses %s %j", (name, fields, expected) => {
    expect(() => eventFromDpAccounting(of(name, fields))).toThrow(code(expected));
  });

  it.each([null, 3, "x", [], ["m"], { module_name: "m" }])("refuses %j", (json) => {
    expect(() => eventFromDpAccounting(json)).toThrow(code("parameter.invalid"));
  });

  it("is bounded in depth", () => {
    let deep = gaussian;
    for (let i = 0; i < 40; i += 1) deep = of("SelfComposedDpEvent", { event: deep, count: 2 });
    expect(() => eventFromDpAccounting(deep)).toThrow(/event depth/);
  });
});

describe("builders of events", () => {
  it("give events that read back", () => {
    const run = dpSgdEvent({ units: 60000, batch: 256, noiseMultiplier: 1.1, steps: 14062n });
    expect(eventFromJson(JSON.parse(JSON.stringify(run)))).toEqual(run);
    expect(run).toMatchObject({ count: "14062", event: { rate: "8/1875" } });
  });
  it.each([
    { rate: 1.5, noiseMultiplier: 1, steps: 1 },
    { rate: 0.5, noiseMultiplier: 0, steps: 1 },
    { rate: 0.5, noiseMultiplier: 1, steps: 0 },
    { rate: Number.NaN, noiseMultiplier: 1, steps: 1 },
    { units: 0, batch: 1, noiseMultiplier: 1, steps: 1 },
    { units: 10, batch: 11, noiseMultiplier: 1, steps: 1 },
  ])("refuse %j", (run) => {
    expect(() => dpSgdEvent(run)).toThrow(code("parameter.invalid"));
  });
  it.each([
    { noiseMultiplier: 0, steps: 4 },
    { noiseMultiplier: 1, steps: 0 },
    { noiseMultiplier: 1, steps: [] },
    { noiseMultiplier: 1, steps: 4, epochs: 0 },
  ])("refuse trees %j", (run) => {
    expect(() => treeAggregationEvent(run)).toThrow(code("parameter.invalid"));
  });
});
