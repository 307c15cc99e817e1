import type { Event } from "@lethe/core";
import {
  type GradientShape,
  gaussianOf,
  gradientReleaser,
  seal,
  type TrainingDraws,
} from "@lethe/core/mechanisms";
import { multiply, parseRational, type Rational, ratio, toDouble } from "@lethe/core/numeric";
import { SeededSource, trainingDrawsFrom } from "@lethe/core/tape";
import { describe, expect, it } from "vitest";
import { privatePlan } from "../plan/make-plan.ts";
import type { PlanRequest } from "../plan/plan-request.ts";
import type { PrivatePlan } from "../plan/private-plan.ts";
import { openBatches } from "../sampling/batches.ts";
import { oddUnits, people } from "../testing/people.ts";
import { logisticGradient, onGrid, type Unit } from "../testing/reference-gradients.ts";
import { replayOnNeighbours, type Subject, trained } from "../testing/subject.ts";

const parameters = 3;
const crowd = people(12, parameters, 5);
const base: PlanRequest = {
  model: { name: "logistic", parameters },
  loss: "logistic",
  adjacency: "add-or-remove-one",
  units: 12,
  sampler: "poisson",
  rate: "1/4",
  clip: 1,
  noise: 2,
  delta: 1e-5,
  steps: 12,
};

type Pair = readonly [readonly Unit[], readonly Unit[]];

/** A crowd, and the same with one unit more, of every odd kind, or with one in another's place. */
function neighbours({ adjacency }: PrivatePlan): Pair[] {
  if (adjacency === "add-or-remove-one")
    return oddUnits.flatMap(
      (unit) =>
        [
          [crowd, [...crowd, unit]],
          [[], [unit]],
        ] as Pair[],
    );
  return oddUnits.flatMap((unit, i) =>
    oddUnits.slice(0, i).map(
      (other): Pair => [
        [...crowd.slice(1), unit],
        [...crowd.slice(1), other],
      ],
    ),
  );
}

async function findings(subject: Subject): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [at, pair] of neighbours(subject.plan).entries())
    for (const finding of await replayOnNeighbours(subject, pair, 100 + at)) found.add(finding);
  return found;
}

describe("a training on neighbours, outputs frozen: nothing shown differs, and nothing moves beyond its price", () => {
  it.each<readonly [string, Partial<PlanRequest>]>([
    ["Poisson", {}],
    ["Poisson, replace-one", { adjacency: "replace-one" }],
    ["full", { sampler: "full", rate: 1 }],
    ["full, replace-one", { sampler: "full", rate: 1, adjacency: "replace-one" }],
    ["balls in bins", { sampler: "balls-in-bins" }],
    ["adaptive clip", { clip: { adaptive: { start: 1, countNoise: 10 } } }],
    [
      "adaptive clip, replace-one, full",
      {
        sampler: "full",
        rate: 1,
        adjacency: "replace-one",
        clip: { adaptive: { start: 1, countNoise: 10 } },
      },
    ],
    ["layers", { model: { name: "two", parameters, layers: [1, 2] }, clip: { perLayer: [0.7, 0.3] } }],
    ["tree", { sampler: "cyclic", correlation: { kind: "tree" } }],
    [
      "bands, replace-one",
      { sampler: "cyclic", correlation: { kind: "banded", bands: 3 }, adjacency: "replace-one" },
    ],
    ["buffers", { sampler: "cyclic", correlation: { kind: "blt", decays: [0.9], outputs: [0.4] } }],
  ])("%s", async (_name, change) => {
    expect([...(await findings(trained(privatePlan({ ...base, ...change }))))]).toEqual([]);
  });
});

/** A training written out by hand, so that each part can be wrong by itself. */
interface Parts {
  readonly divisor: (plan: PrivatePlan, batch: Uint32Array, units: readonly Unit[]) => number;
  readonly skips: (batch: Uint32Array) => boolean;
  readonly sum: (
    weights: Float64Array,
    batch: readonly Unit[],
    clip: number,
  ) => { sums: Float64Array; unclipped: number };
  readonly rate: (plan: PrivatePlan, units: readonly Unit[]) => string;
}

const addUp = (vectors: readonly (readonly number[])[]): Float64Array => {
  const sums = new Float64Array(parameters);
  for (const vector of vectors) for (const [i, x] of vector.entries()) sums[i]! += x;
  return sums;
};

const right: Parts = {
  divisor: ({ divisor }) => toDouble(parseRational(divisor), "down"),
  skips: () => false,
  sum(weights, batch, clip) {
    const clipped = batch.map((unit) => onGrid(logisticGradient(weights, unit), clip));
    return {
      sums: addUp(clipped.map(({ cut }) => cut)),
      unclipped: clipped.filter(({ fits }) => fits).length,
    };
  },
  rate: ({ sampler }) => ("rate" in sampler ? sampler.rate : "1"),
};

function byHand(plan: PrivatePlan, wrong: Partial<Parts> = {}): Subject {
  const { divisor, skips, sum, rate } = { ...right, ...wrong };
  return {
    plan,
    async run(units, draws: TrainingDraws) {
      const batches = draws.poisson(rate(plan, units), null);
      const program = { parameters, countWeight: plan.shape.countWeight, noise: plan.noise };
      const release = gradientReleaser(program, draws);
      const weights = new Float64Array(parameters);
      let clip = 1;
      const shown: unknown[] = [];
      for (let step = 0; step < plan.steps; step++) {
        const batch = batches(units.length);
        if (skips(batch)) continue;
        const over = divisor(plan, batch, units);
        const exact = sum(
          weights,
          Array.from(batch, (place) => units[place]!),
          clip,
        );
        const { sums, count } = release(seal(exact));
        for (let i = 0; i < parameters; i++) weights[i]! -= (0.5 * sums[i]! * clip) / (2 ** 20 * over);
        if (count !== null) clip *= Math.exp(0.2 * (0.5 - count / over));
        shown.push([...weights], clip);
      }
      return shown;
    },
  };
}

const plan = privatePlan(base);
const adaptive = privatePlan({ ...base, clip: { adaptive: { start: 1, countNoise: 3 } } });

/** The same noise as if a count moved by half: what is claimed is less than what moves. */
function halfCounted(honest: PrivatePlan): PrivatePlan {
  const { countWeight }: GradientShape = honest.shape;
  const l2Squared = 2n ** 40n + BigInt(countWeight) ** 2n / 4n;
  const noise = gaussianOf(parseRational(honest.noiseMultiplier), l2Squared) as PrivatePlan["noise"];
  return { ...honest, noise, sensitivity: { ...honest.sensitivity, l2Squared: `${l2Squared}` } };
}

describe("faults of others are found on the same neighbours", () => {
  it("and none where the training by hand has none", async () => {
    expect([...(await findings(byHand(plan)))]).toEqual([]);
    expect([...(await findings(byHand(adaptive)))]).toEqual([]);
  });
  it.each<readonly [string, Subject, string]>([
    [
      "a normaliser that is the batch drawn",
      byHand(plan, { divisor: (_, batch) => Math.max(1, batch.length) }),
      "other things shown",
    ],
    [
      "a normaliser from the number of units",
      byHand(plan, { divisor: (_, __, units) => units.length / 4 + 1 }),
      "other things shown",
    ],
    [
      "a rate from the number of units",
      byHand(plan, { rate: (_, units) => `3/${Math.max(3, units.length)}` }),
      "draws prepared with other parameters",
    ],
    [
      "an empty batch that is skipped",
      byHand(plan, { skips: (batch) => batch.length === 0 }),
      "another number of noisy vectors",
    ],
    [
      "a clip after the mean",
      byHand(plan, {
        sum(weights, batch, clip) {
          const total = addUp(
            batch.map((unit) => logisticGradient(weights, unit).map((x) => (Number.isFinite(x) ? x : 0))),
          );
          const { cut } = onGrid(
            [...total].map((x) => x / Math.max(1, batch.length)),
            clip,
          );
          return { sums: Float64Array.from(cut, (x) => x * batch.length), unclipped: 0 };
        },
      }),
      "moved beyond the sensitivity",
    ],
    [
      "rows that are clipped instead of units",
      byHand(plan, {
        sum: (weights, batch, clip) =>
          right.sum(
            weights,
            batch.flatMap((unit) => unit.map((row) => [row])),
            clip,
          ),
      }),
      "moved beyond the sensitivity",
    ],
    ["a count priced at half its sensitivity", byHand(halfCounted(adaptive)), "moved beyond the sensitivity"],
    [
      "no clip",
      byHand(plan, {
        sum: (weights, batch) => ({
          sums: addUp(
            batch.map((unit) => logisticGradient(weights, unit).map((x) => Math.round(x * 2 ** 20))),
          ),
          unclipped: 0,
        }),
      }),
      "moved beyond the sensitivity",
    ],
  ])("%s", async (_name, subject, finding) => {
    expect([...(await findings(subject))]).toContain(finding);
  });
});

/** The batches of a training, a step each. */
type Sampling = (draws: TrainingDraws, units: number) => (step: number) => Uint32Array;
const sampling =
  ({ sampler }: PrivatePlan): Sampling =>
  (draws, units) => {
    const batches = openBatches(sampler, units, draws);
    return (step) => batches.next(step);
  };

/** The chance with which a unit is in a step by what an event says: the product of all rates on the way to it. */
function claimedRate(event: Event): Rational {
  if (event.kind === "repeat") return claimedRate(event.event);
  if (event.kind === "poisson-sample" || event.kind === "truncated-poisson-sample")
    return multiply(parseRational(event.rate), claimedRate(event.event));
  return event.kind === "random-allocation" ? ratio(1n, BigInt(event.steps)) : ratio(1n);
}

/**
 * Whether units take part as an event says: how often, and, for Poisson samples, independently from step to step. 400 units, 80 passes of 4 steps: each
 * statistic within 6 deviations (false alarm below 1e-8).
 */
function samplingFindings(event: Event, sample: Sampling, seed: number): string[] {
  const [units, passes, pass] = [400, 80, 4];
  const next = sample(trainingDrawsFrom(new SeededSource(seed)), units);
  let [taken, twice] = [0, 0];
  for (let p = 0; p < passes; p++) {
    const counts = new Uint8Array(units);
    for (let step = 0; step < pass; step++) for (const place of next(p * pass + step)) counts[place]! += 1;
    for (const count of counts) {
      taken += count;
      twice += (count * (count - 1)) / 2;
    }
  }
  const q = toDouble(claimedRate(event), "down");
  const trials = units * passes;
  const found: string[] = [];
  const within = (value: number, mean: number, variance: number): boolean =>
    Math.abs(value - mean) <= 6 * Math.sqrt(variance) + 1e-9;
  if (!within(taken, trials * pass * q, trials * pass * q * (1 - q)))
    found.push("another rate than is priced");
  const isAllocated = JSON.stringify(event).includes("random-allocation");
  const both = isAllocated ? 0 : 6 * q * q;
  if (!within(twice, trials * both, trials * (both * (1 - q * q) + 24 * q ** 3 * (1 - q))))
    found.push("steps that are not independent as priced");
  return found;
}

describe("units take part as is priced", () => {
  const balls = privatePlan({ ...base, sampler: "balls-in-bins" });
  it.each([
    ["Poisson", plan],
    ["balls in bins", balls],
    ["full", privatePlan({ ...base, sampler: "full", rate: 1 })],
    [
      "truncated Poisson that is seldom cut",
      privatePlan({ ...base, sampler: "truncated-poisson", limit: 400, units: 1600 }),
    ],
  ])("%s", (_name, each) => {
    expect(samplingFindings(each.event, sampling(each), 3)).toEqual([]);
  });
  it("bins are drawn anew for each pass, and places of a fixed order once", () => {
    const cyclic = privatePlan({ ...base, sampler: "cyclic", correlation: { kind: "tree" } });
    const again = (each: PrivatePlan): number => {
      const next = sampling(each)(trainingDrawsFrom(new SeededSource(7)), 4000);
      const passes = [0, 1].map((pass) => [0, 1, 2, 3].map((step) => new Set(next(4 * pass + step))));
      return passes[0]!.reduce(
        (same, first, step) => same + [...first].filter((place) => passes[1]![step]!.has(place)).length,
        0,
      );
    };
    // A quarter of 4,000 with a deviation of 27.4: within six of them.
    expect(Math.abs(again(balls) - 1000)).toBeLessThan(6 * 27.4);
    expect(again(cyclic)).toBe(4000);
  });
  it("a shuffled list priced as Poisson is found", () => {
    expect(samplingFindings(plan.event, sampling(balls), 4)).toEqual([
      "steps that are not independent as priced",
    ]);
    expect(samplingFindings(balls.event, sampling(plan), 4)).toEqual([
      "steps that are not independent as priced",
    ]);
  });
  it("double subsampling, one sample drawn and two priced, is found", () => {
    const twice = { kind: "poisson-sample", version: 1, rate: "1/2", event: plan.event } as const;
    expect(samplingFindings(twice, sampling(plan), 5)).toContain("another rate than is priced");
  });
  it("a rate off by a tenth is found", () => {
    const off = privatePlan({ ...base, rate: "11/40" });
    expect(samplingFindings(plan.event, sampling(off), 6)).toContain("another rate than is priced");
  });
});
