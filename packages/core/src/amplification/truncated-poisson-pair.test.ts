import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Adjacency } from "../losses/measures/adjacency.ts";
import { pldCurve } from "../losses/pld/curves/index.ts";
import { gaussianPair, laplacePair, twoPointPair } from "../losses/pld/pairs/index.ts";
import { truncatedPoissonPair } from "./truncated-poisson-pair.ts";

const mu = 0.9;
const step = { one: gaussianPair(mu), replaced: gaussianPair(2 * mu) };

/** The law of the sum that is told, before noise: its values and their chances, over every sample and every cut. */
function sums(values: readonly number[], rate: number, limit: number): Map<number, number> {
  const law = new Map<number, number>();
  const add = (value: number, weight: number): void => {
    law.set(value, (law.get(value) ?? 0) + weight);
  };
  for (let set = 0; set < 1 << values.length; set++) {
    const sample = values.filter((_, i) => ((set >> i) & 1) === 1);
    const weight = rate ** sample.length * (1 - rate) ** (values.length - sample.length);
    const kept = subsets(sample, Math.min(limit, sample.length));
    for (const one of kept)
      add(
        one.reduce((a, b) => a + b, 0),
        weight / kept.length,
      );
  }
  return law;
}

function subsets(values: readonly number[], size: number): number[][] {
  if (size === 0) return [[]];
  if (values.length < size) return [];
  const [first, ...rest] = values as [number, ...number[]];
  return [...subsets(rest, size - 1).map((more) => [first, ...more]), ...subsets(rest, size)];
}

/** δ(ε) of both laws with Gaussian noise, by a sum over a grid. */
function deltaOf(p: Map<number, number>, q: Map<number, number>, epsilon: number): number {
  const density = (law: Map<number, number>, x: number): number => {
    let sum = 0;
    for (const [value, weight] of law) sum += weight * Math.exp(-0.5 * (x - mu * value) ** 2);
    return sum;
  };
  let total = 0;
  const grain = 0.02;
  for (let x = -10; x <= 10; x += grain) {
    total += Math.max(0, density(p, x) - Math.exp(epsilon) * density(q, x));
  }
  return (total * grain) / Math.sqrt(2 * Math.PI);
}

const others = (count: number): number[][] =>
  count === 0 ? [[]] : others(count - 1).flatMap((rest) => [-1, 0, 1].map((x) => [...rest, x]));

describe("cut samples as a pair", () => {
  it.each([
    [0.3, 1, "add-or-remove-one"],
    [0.6, 2, "add-or-remove-one"],
    [0.9, 3, "add-or-remove-one"],
    [0.4, 1, "replace-one"],
    [0.7, 2, "replace-one"],
  ] as const)("rate %d, limit %i, %s: no data of up to four units tells more", (rate, limit, adjacency) => {
    const population = 4;
    const pair = truncatedPoissonPair(step, { rate, population, limit }, adjacency)!;
    const curve = pldCurve([{ pair, count: 1n }], 1e-4);
    for (const epsilon of [0, 0.3, 1]) {
      const bound = curve.delta(epsilon);
      let most = 0;
      for (let n = 0; n < population; n++) {
        for (const rest of others(n)) {
          const second = adjacency === "replace-one" ? [-1] : [];
          const [p, q] = [sums([...rest, 1], rate, limit), sums([...rest, ...second], rate, limit)];
          most = Math.max(most, deltaOf(p, q, epsilon), deltaOf(q, p, epsilon));
        }
      }
      expect(most).toBeLessThanOrEqual(bound.upper + 1e-4);
      // What one unit alone reaches is a lower end that some data set attains.
      expect(bound.lower).toBeLessThanOrEqual(most + 1e-4);
      expect(bound.lower).toBeGreaterThan(0);
    }
  });

  it.each([
    [0.3, 1],
    [0.5, 2],
    [0.8, 2],
    [0.2, 3],
  ])(
    "rate %d, limit %i: no function of the batch that one unit moves by at most 1 tells more",
    (rate, limit) => {
      const units = [0, 1, 2, 3];
      const pair = truncatedPoissonPair(step, { rate, population: 4, limit }, "add-or-remove-one")!;
      const curve = pldCurve([{ pair, count: 1n }], 1e-4);
      const sets = Array.from({ length: 16 }, (_, set) => set);
      const size = (set: number): number => units.filter((i) => ((set >> i) & 1) === 1).length;
      const batches = sets.filter((set) => size(set) <= limit);
      /** The law of what is told of the batch when these units are there. */
      const told = (there: number, value: (set: number) => number): Map<number, number> => {
        const law = new Map<number, number>();
        for (const sample of sets.filter((set) => (set & ~there) === 0)) {
          const weight = rate ** size(sample) * (1 - rate) ** (size(there) - size(sample));
          const kept = sets.filter(
            (set) => (set & ~sample) === 0 && size(set) === Math.min(limit, size(sample)),
          );
          for (const set of kept) law.set(value(set), (law.get(value(set)) ?? 0) + weight / kept.length);
        }
        return law;
      };
      // Values drawn at random, as steep as allowed (McShane's extension), and the attack that the proof speaks of: unit 0 at 1, a full batch at −1.
      const drawn = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 16, maxLength: 16 });
      const attack = batches.map((set) => ((set & 1) === 1 ? 1 : size(set) === limit ? -1 : 0));
      let most = 0;
      const tells = (values: (set: number) => number): void => {
        for (const epsilon of [0, 0.3, 1]) {
          const [p, q] = [told(15, values), told(14, values)];
          const found = Math.max(deltaOf(p, q, epsilon), deltaOf(q, p, epsilon));
          const bound = curve.delta(epsilon).upper;
          expect(found).toBeLessThanOrEqual(bound + 1e-4);
          most = Math.max(most, found / bound);
        }
      };
      tells((set) => attack[batches.indexOf(set)]!);
      fc.assert(
        fc.property(drawn, (heights) => {
          tells((set) => Math.min(...batches.map((other) => heights[other]! + size(set ^ other))));
        }),
        { seed: 3, numRuns: 60 },
      );
      expect(most).toBeGreaterThan(0.5);
    },
  );

  it("is dearer with every unit that there may be, and the Poisson sample where none is cut", () => {
    const deltas = [2, 3, 4, 6, 10, 30].map((population) => {
      const pair = truncatedPoissonPair(step, { rate: 0.2, population, limit: 2 }, "add-or-remove-one")!;
      return pldCurve([{ pair, count: 1n }], 1e-4).delta(0.5).upper;
    });
    for (const [i, delta] of deltas.entries()) if (i > 0) expect(delta).toBeGreaterThan(deltas[i - 1]!);
    const uncut = truncatedPoissonPair(step, { rate: 0.2, population: 2, limit: 2 }, "add-or-remove-one")!;
    expect(uncut.tight).toBe(true);
    expect(uncut.id.startsWith("sampled(0.2")).toBe(true);
  });

  it("tells a unit that is sampled in full where noise is small and batches are full", () => {
    for (const adjacency of ["add-or-remove-one", "replace-one"] as const) {
      const near = { one: gaussianPair(20), replaced: gaussianPair(40) };
      const pair = truncatedPoissonPair(near, { rate: 0.5, population: 1000, limit: 10 }, adjacency)!;
      expect(pldCurve([{ pair, count: 1n }]).delta(1).upper).toBeGreaterThan(0.5 - 1e-9);
    }
  });

  it("knows other mechanisms when one unit comes, and Gaussian noise alone when one takes another's place", () => {
    const laplace = { one: laplacePair(0.5), replaced: laplacePair(1) };
    const scheme = { rate: 0.1, population: 30, limit: 4 };
    const known = truncatedPoissonPair(laplace, scheme, "add-or-remove-one")!;
    const { lower, upper } = pldCurve([{ pair: known, count: 5n }]).delta(0.1);
    expect(lower).toBeGreaterThan(0);
    expect(upper).toBeGreaterThan(lower);
    expect(truncatedPoissonPair(laplace, scheme, "replace-one")).toBeNull();
    // Where nearly every batch is full, losses are those of a unit in another's place: one who comes has none above ln(1 + (√e − 1)/2) = .281.
    const often = truncatedPoissonPair(
      laplace,
      { rate: 0.5, population: 30, limit: 1 },
      "add-or-remove-one",
    )!;
    expect(pldCurve([{ pair: often, count: 1n }]).delta(0.4).upper).toBeGreaterThan(0.01);
    // A bound is reached by nobody.
    const claim = { one: twoPointPair(0.5, 0, false), replaced: twoPointPair(1, 0, false) };
    const bound = truncatedPoissonPair(claim, scheme, "add-or-remove-one")!;
    expect(pldCurve([{ pair: bound, count: 1n }]).delta(0).lower).toBe(0);
    expect(known.group(2)).toBeNull();
  });

  it("refuses by name", () => {
    const of = (scheme: { rate: number; population: number; limit: number }, adjacency: Adjacency) => () =>
      truncatedPoissonPair(step, scheme, adjacency);
    expect(of({ rate: 0.1, population: 0, limit: 1 }, "add-or-remove-one")).toThrow(/population/);
    expect(of({ rate: 0.1, population: 5, limit: 0 }, "add-or-remove-one")).toThrow(/limit/);
    expect(of({ rate: 1.5, population: 5, limit: 2 }, "replace-one")).toThrow(/rate/);
  });
});
