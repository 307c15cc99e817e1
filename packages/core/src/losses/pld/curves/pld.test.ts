import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bounds } from "../../measures/privacy-curve.ts";
import {
  type DominatingPair,
  finitePair,
  gaussianPair,
  integerNoisePair,
  laplacePair,
  mixedPair,
  profilePair,
  sampledPair,
  twoPointPair,
} from "../pairs/index.ts";
import { type CountedPair, composedCurve, gaussianCurve, pldCurve, pldProfile } from "./index.ts";

type Case = { id: string } & Record<string, number> & { within: [number, number]; epsilons: number[] };
const oracle = JSON.parse(
  readFileSync(new URL("../../../../../../testing/oracles/accounting.json", import.meta.url), "utf8"),
) as { cases: Case[] };
function reference(id: string): Case {
  const found = oracle.cases.find((one) => one.id === id);
  if (!found) throw new Error(`no oracle ${id}`);
  return found;
}

const times = (pair: DominatingPair, count: number | bigint): CountedPair => ({ pair, count: BigInt(count) });
const width = ({ lower, upper }: Bounds): number => upper - lower;

/** The interval holds the value up to the value's own tolerance, and is about as narrow as that. */
function expectAt(found: Bounds, value: number, tolerance: number, widest: number = tolerance): void {
  expect(found.lower).toBeLessThanOrEqual(value + tolerance);
  expect(found.upper).toBeGreaterThanOrEqual(value - tolerance);
  expect(found.lower).toBeLessThanOrEqual(found.upper);
  expect(width(found)).toBeLessThanOrEqual(widest);
}

describe("oracles", () => {
  it.each(["sgd-31", "sgd-32", "sgd-33", "sgd-35", "sgd-38"])("%s to 1e-4, certified", (id) => {
    const c = reference(id);
    const rate = c.q ?? c.batch! / c.n!;
    const curve = pldCurve([times(sampledPair(gaussianPair(1 / c.sigma!), rate), c.steps!)]);
    expectAt(curve.epsilon(c.delta!), c.pld!, c.atol!, 1e-4);
  });

  it.each(["lap-comp-1", "lap-comp-2", "lap-comp-3"])("%s inside the proven bracket", (id) => {
    const c = reference(id);
    const found = pldCurve([times(laplacePair(c.sensitivity! / c.scale!), c.k!)], 1e-6).epsilon(c.delta!);
    expect(found.upper).toBeGreaterThanOrEqual(c.within[0]);
    expect(found.lower).toBeLessThanOrEqual(c.within[1]);
    expect(found.lower).toBeGreaterThan(c.within[0] - 1e-6);
    expect(found.upper).toBeLessThan(c.within[1] + 1e-6);
  });

  it("mixed-1 inside the proven bracket", () => {
    const c = reference("mixed-1");
    const found = pldCurve([times(gaussianPair(1 / 5), 4), times(laplacePair(1 / 10), 20)], 1e-6).epsilon(
      c.delta!,
    );
    expect(found.upper).toBeGreaterThanOrEqual(c.within[0]);
    expect(found.upper).toBeLessThan(c.within[1] + 1e-6);
    expect(found.lower).toBeGreaterThan(c.within[0] - 1e-6);
  });

  it("dgauss-comp-1 exactly, on its lattice", () => {
    const c = reference("dgauss-comp-1");
    const pair = integerNoisePair({ law: "discrete-gaussian", sigma: c.sigma! }, c.sensitivity!);
    const found = pldCurve([times(pair, c.k!)]).epsilon(c.delta!);
    expect(width(found)).toBeLessThan(1e-9);
    expect(found.upper).toBeGreaterThanOrEqual(c.within[0]);
    // The upper end of the reference is rounded to 1e-6.
    expect(found.lower).toBeLessThanOrEqual(c.within[1] + 1e-6);
  });

  it.each(["kov-1", "kov-2", "kov-3"])("%s: randomized response is the optimal composition", (id) => {
    const c = reference(id);
    expectAt(
      pldCurve([times(twoPointPair(c.epsilon0!, c.delta0!), c.k!)]).epsilon(c.delta!),
      c.value!,
      c.value! * 1e-9,
    );
  });

  it("dlap-comp-1: the discrete Laplace on unit counts is randomized response", () => {
    const pair = integerNoisePair({ law: "discrete-laplace", scale: 10 }, 1);
    expectAt(pldCurve([times(pair, 100)]).epsilon(1e-6), reference("dlap-comp-1").value!, 1e-8);
  });

  it("mv-1: heterogeneous optimal composition", () => {
    const c = reference("mv-1");
    const curve = pldCurve(c.epsilons.map((epsilon) => times(twoPointPair(epsilon, 0), 1)));
    expectAt(curve.delta(1), c.delta_at_epsilon_1!, 1e-9);
    expectAt(curve.epsilon(1e-3), c["epsilon_at_delta_1e-3"]!, 1e-8);
  });

  it("compose-1, sub-lap, sub-gauss, single discrete Gaussians", () => {
    expectAt(
      pldCurve([times(twoPointPair(1, 0.1), 1), times(twoPointPair(2, 0.2), 1)]).delta(3),
      reference("compose-1").value!,
      1e-12,
    );
    const laplace = laplacePair(2);
    expectAt(pldCurve([times(laplace, 1)], 1e-6).delta(0.5), reference("sub-lap-1").value!, 6e-7);
    expectAt(
      pldCurve([times(sampledPair(laplace, 0.8), 1)], 1e-6).delta(0.5),
      reference("sub-lap-2").remove!,
      6e-7,
    );
    const gauss = sampledPair(gaussianPair(1), 0.8);
    expectAt(composedCurve([times(gauss, 1)], 1e-6).delta(1), reference("sub-gauss-1").remove!, 1e-7);
    for (const [id, sigma] of [
      ["dgauss-delta-1", 3.7306],
      ["dgauss-delta-2", 1],
    ] as const) {
      const c = reference(id);
      const pair = integerNoisePair({ law: "discrete-gaussian", sigma }, 1);
      expectAt(pldCurve([times(pair, 1)]).delta(1), c.value!, c.value! * 1e-9);
    }
  });

  it("the add direction of sub-lap-2 and sub-gauss-1, by the pair's mirror", () => {
    // Swapped, the mirror is the pair; a finite list of its atoms is as good as the law at this ε.
    const addOf = (pair: DominatingPair, epsilon: number): number => {
      let delta = 0;
      const cell = (loss: number): number => Math.floor(loss * 1000);
      pair.emit({ edge: (k) => k / 1000, cell, atom: cell }, 1e-20, (_cell, p, q) => {
        delta += Math.max(0, q - Math.exp(epsilon) * p);
      });
      return delta;
    };
    expect(addOf(sampledPair(laplacePair(2), 0.8), 0.5)).toBeCloseTo(reference("sub-lap-2").add!, 6);
    expect(addOf(sampledPair(gaussianPair(1), 0.8), 1)).toBeCloseTo(reference("sub-gauss-1").add!, 6);
  });

  it("ag-delta and ag-eps by the closed form", () => {
    for (const id of ["ag-delta-1", "ag-delta-2", "ag-delta-3"]) {
      const c = reference(id);
      expectAt(gaussianCurve(1 / c.sigma!).delta(c.epsilon!), c.value!, c.value! * c.rtol!);
    }
    for (const id of ["ag-eps-1", "ag-eps-2"]) {
      const c = reference(id);
      expectAt(gaussianCurve(1 / c.sigma!).epsilon(c.delta!), c.value!, c.value! * c.rtol!);
    }
  });
});

describe("Gaussians on the grid are the closed form", () => {
  it.each([1, 10, 1000, 1e5, 1e6])("μ = 1 split over %d steps, δ at ε = 7", (steps) => {
    const found = composedCurve([times(gaussianPair(1 / Math.sqrt(steps)), steps)]).delta(7);
    // Balle–Wang in 50 digits: 5.1676297039177364890…e-12.
    const truth = 5.16762970391774e-12;
    expect(found.lower).toBeLessThanOrEqual(truth * (1 + 1e-6));
    expect(found.upper).toBeGreaterThanOrEqual(truth * (1 - 1e-6));
    expect(width(found)).toBeLessThan(1e-3 * truth);
  });

  it.each([0.5, 0.1, 1e-3, 1e-10, 1e-30, 1e-60, 1e-100])("ε at δ = %d", (delta) => {
    const truth = gaussianCurve(1).epsilon(delta);
    const found = composedCurve([times(gaussianPair(0.1), 100)]).epsilon(delta);
    expect(found.lower).toBeLessThanOrEqual(truth.upper);
    expect(found.upper).toBeGreaterThanOrEqual(truth.lower);
    expect(width(found)).toBeLessThan(1e-4);
  });

  it("at the counts of a careless caller the interval is wide, never wrong", () => {
    for (const steps of [1e9, 1e18]) {
      const curve = composedCurve([times(gaussianPair(1 / Math.sqrt(steps)), steps)]);
      const found = curve.epsilon(1e-6);
      const truth = gaussianCurve(1).epsilon(1e-6);
      expect(found.lower).toBeLessThanOrEqual(truth.upper);
      expect(found.upper).toBeGreaterThanOrEqual(truth.lower);
    }
    // Merged, they are exact.
    expect(width(pldCurve([times(gaussianPair(1e-9), 10n ** 18n)]).epsilon(1e-6))).toBeLessThan(1e-11);
  });

  it("merges them, and leaves others on the grid", () => {
    const merged = pldCurve([times(gaussianPair(0.3), 4), times(gaussianPair(0.8), 1)]).epsilon(1e-8);
    expect(merged.upper).toBeCloseTo(gaussianCurve(1).epsilon(1e-8).upper, 10);
  });
});

/** δ of a composition of few finite pairs by enumerating all outcomes. */
function enumeratedDelta(steps: readonly (readonly [number, number][])[], epsilon: number): number {
  let products: [number, number][] = [[1, 1]];
  for (const step of steps)
    products = products.flatMap(([a, b]) => step.map(([p, q]): [number, number] => [a * p, b * q]));
  const side = (sign: 0 | 1): number =>
    products.reduce((sum, pq) => sum + Math.max(0, pq[sign] - Math.exp(epsilon) * pq[1 - sign]!), 0);
  return Math.max(side(0), side(1));
}

const finiteLaw = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })), {
    minLength: 2,
    maxLength: 4,
  })
  .map((rows): [number, number][] => {
    const [p, q] = [rows.reduce((s, r) => s + r[0] + 1, 0), rows.reduce((s, r) => s + r[1], 1)];
    // Every p positive, some q 0: infinite losses one way.
    return [...rows.map(([a, b]): [number, number] => [(a + 1) / p, b / q]), [0, 1 / q]];
  });
const pairOf = (law: readonly [number, number][]): DominatingPair =>
  finitePair(
    law.map(([p]) => p),
    law.map(([, q]) => q),
  );

describe("finite compositions, enumerated", () => {
  it("lie between both ends, for every δ(ε)", () => {
    fc.assert(
      fc.property(
        fc.array(finiteLaw, { minLength: 1, maxLength: 4 }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        (laws, epsilon) => {
          const found = composedCurve(
            laws.map((law) => times(pairOf(law), 1)),
            1e-3,
          ).delta(epsilon);
          const truth = enumeratedDelta(laws, epsilon);
          expect(found.lower).toBeLessThanOrEqual(truth * (1 + 1e-12) + 1e-15);
          expect(found.upper).toBeGreaterThanOrEqual(truth * (1 - 1e-12) - 1e-15);
        },
      ),
      { numRuns: 60, seed: 1 },
    );
  }, 60_000);

  it("also where a step is sampled: P′ = (1 − s)Q + sP", () => {
    fc.assert(
      fc.property(
        finiteLaw,
        finiteLaw,
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.double({ min: 0, max: 1.5, noNaN: true }),
        (a, b, rate, epsilon) => {
          const sampledLaw = a.map(([p, q]): [number, number] => [(1 - rate) * q + rate * p, q]);
          const found = composedCurve(
            [times(sampledPair(pairOf(a), rate), 2), times(pairOf(b), 1)],
            1e-3,
          ).delta(epsilon);
          const truth = enumeratedDelta([sampledLaw, sampledLaw, b], epsilon);
          expect(found.lower).toBeLessThanOrEqual(truth * (1 + 1e-12) + 1e-15);
          expect(found.upper).toBeGreaterThanOrEqual(truth * (1 - 1e-12) - 1e-15);
        },
      ),
      { numRuns: 40, seed: 2 },
    );
  }, 60_000);

  it("would show masses 1 % too small", () => {
    // The same comparison with a law that is off must fail: the test has power.
    const law: [number, number][] = [
      [0.6, 0.3],
      [0.4, 0.7],
    ];
    const off: [number, number][] = [
      [0.594, 0.3],
      [0.406, 0.7],
    ];
    const found = composedCurve([times(pairOf(off), 3)], 1e-3).delta(0.5);
    expect(found.upper).toBeLessThan(enumeratedDelta([law, law, law], 0.5) * 0.99);
  });
});

describe("what holds of every curve", () => {
  const step = (sigma: number): DominatingPair => sampledPair(gaussianPair(1 / sigma), 0.02);

  it("compose(n × e) is power(n)", () => {
    const one = pldCurve(Array.from({ length: 30 }, () => times(step(1), 1))).epsilon(1e-6);
    expect(one).toEqual(pldCurve([times(step(1), 30)]).epsilon(1e-6));
  });

  it("ε falls with σ and δ and grows with steps; δ falls with ε", () => {
    const epsilons = [0.7, 0.9, 1.2, 2].map((sigma) => pldCurve([times(step(sigma), 200)]).epsilon(1e-6));
    for (let i = 1; i < 4; i++) expect(epsilons[i]!.upper).toBeLessThan(epsilons[i - 1]!.lower);
    const growing = [10, 100, 1000].map((steps) => pldCurve([times(step(1), steps)]).epsilon(1e-6));
    for (let i = 1; i < 3; i++) expect(growing[i]!.lower).toBeGreaterThan(growing[i - 1]!.upper);
    const curve = pldCurve([times(step(1), 200)]);
    const deltas = [0, 0.3, 1, 2, 4, 8, 16, 32].map((epsilon) => curve.delta(epsilon));
    for (let i = 1; i < deltas.length; i++) {
      expect(deltas[i]!.upper).toBeLessThanOrEqual(deltas[i - 1]!.upper);
      expect(deltas[i]!.lower).toBeLessThanOrEqual(deltas[i]!.upper);
    }
  });

  it("ε(δ(ε)) is ε within the accuracy", () => {
    const curve = pldCurve([times(step(1), 500), times(laplacePair(0.1), 5)]);
    for (const epsilon of [0.5, 1, 2]) {
      const { lower, upper } = curve.delta(epsilon);
      expect(curve.epsilon(upper).lower).toBeLessThanOrEqual(epsilon);
      expect(curve.epsilon(lower).upper).toBeGreaterThanOrEqual(epsilon);
      expect(Math.abs(curve.epsilon(upper).upper - epsilon)).toBeLessThan(4e-4);
    }
  });

  it("a pure loss stays pure", () => {
    const curve = pldCurve([times(laplacePair(0.1), 3), times(twoPointPair(0.2, 0), 2)]);
    expect(curve.epsilon(0).upper).toBeCloseTo(0.7, 12);
    expect(curve.epsilon(0).lower).toBeCloseTo(0.7, 12);
    expect(curve.epsilon(1e-300).upper).toBeLessThanOrEqual(curve.epsilon(0).upper);
    expect(curve.delta(0.7000001)).toMatchObject({ lower: 0, upper: 0 });
    expect(pldCurve([times(step(1), 10)]).epsilon(0).upper).toBe(Number.POSITIVE_INFINITY);
  });

  it("nothing told is nothing lost", () => {
    for (const pairs of [
      [],
      [times(gaussianPair(0), 5)],
      [times(gaussianPair(1), 0)],
      [times(sampledPair(laplacePair(3), 0), 9)],
    ]) {
      expect(pldCurve(pairs).epsilon(0)).toMatchObject({ lower: 0, upper: 0 });
      expect(pldCurve(pairs).delta(0)).toMatchObject({ lower: 0, upper: 0 });
    }
  });

  it("a δ below what is told at once is unreachable", () => {
    const curve = pldCurve([times(twoPointPair(1, 0.01), 3)]);
    expect(curve.epsilon(0.01)).toMatchObject({
      lower: Number.POSITIVE_INFINITY,
      upper: Number.POSITIVE_INFINITY,
    });
    expect(curve.epsilon(0.05).upper).toBeLessThanOrEqual(3.0001);
    expectAt(curve.delta(100), 1 - 0.99 ** 3, 1e-12);
  });

  it("lower ends come from the tight pairs alone", () => {
    const black = twoPointPair(0.1, 1e-9, false);
    expect(pldCurve([times(black, 10)]).epsilon(1e-6).lower).toBe(0);
    const both = pldCurve([times(black, 10), times(gaussianPair(1), 1)]).epsilon(1e-6);
    expect(both.lower).toBeCloseTo(gaussianCurve(1).epsilon(1e-6).lower, 3);
    expect(both.upper).toBeGreaterThan(both.lower + 0.05);
  });

  it("a public coin between mechanisms loses their mean δ", () => {
    const mixed = mixedPair([
      { weight: 0.25, pair: gaussianPair(1) },
      { weight: 0.75, pair: laplacePair(0.5) },
    ]);
    const mean = 0.25 * gaussianCurve(1).delta(0.2).upper + 0.75 * -Math.expm1(-0.15);
    expectAt(pldCurve([times(mixed, 1)], 1e-6).delta(0.2), mean, 1e-6);
  });

  it("a profile's pair is at least its law and close to it, composed", () => {
    const truth = pldCurve([times(step(1), 100)]).epsilon(1e-6);
    const pair = profilePair(pldProfile([times(step(1), 10)]), "ten steps");
    const found = pldCurve([times(pair, 10)]).epsilon(1e-6);
    expect(found.upper).toBeGreaterThanOrEqual(truth.lower);
    expect(found.upper).toBeLessThan(truth.upper * 1.03);
    expect(found.lower).toBe(0);
  });

  it("the trade-off of Gaussians on the grid is Φ(Φ⁻¹(1 − α) − μ)", () => {
    const curve = composedCurve([times(gaussianPair(0.1), 100)]);
    for (const alpha of [1e-6, 0.01, 0.3, 0.9, 0.999]) {
      const truth = gaussianCurve(1).tradeoff(alpha);
      const found = curve.tradeoff(alpha);
      expect(found.lower).toBeLessThanOrEqual(truth.upper);
      expect(found.upper).toBeGreaterThanOrEqual(truth.lower);
      expect(width(found)).toBeLessThan(1e-4);
    }
    expect(curve.tradeoff(1)).toMatchObject({ lower: 0, upper: 0 });
    expect(curve.tradeoff(0).lower).toBeGreaterThan(0.999);
  });
});

describe("at the edges", () => {
  const odd: [string, CountedPair[]][] = [
    ["enormous loss", [times(twoPointPair(600, 0), 3)]],
    ["tiny loss", [times(twoPointPair(1e-9, 0), 3)]],
    ["μ = 40", [times(gaussianPair(40), 1), times(laplacePair(1), 2)]],
    ["μ = 1000", [times(gaussianPair(1000), 1), times(laplacePair(1), 2)]],
    ["rate 1e-300", [times(sampledPair(gaussianPair(1), 1e-300), 10)]],
    ["rate 1e-12", [times(sampledPair(gaussianPair(1), 1e-12), 10)]],
    ["half of μ = 8", [times(sampledPair(gaussianPair(8), 0.5), 2)]],
    ["δ = 1", [times(twoPointPair(1, 1), 2)]],
    ["10^20 steps", [times(sampledPair(gaussianPair(1), 1e-10), 10n ** 20n)]],
    ["10^400 steps", [times(laplacePair(1), 10n ** 400n)]],
  ];
  it.each(odd)("%s: no NaN, no negative δ, lower ≤ upper", (_name, pairs) => {
    const curve = pldCurve(pairs);
    const answers = [
      ...[0, 1, 50, 1e4, 1e300].map((epsilon) => curve.delta(epsilon)),
      ...[0, 5e-324, 1e-100, 1e-6, 0.5, 0.999999].map((delta) => curve.epsilon(delta)),
      ...[0, 0.1, 0.9].map((alpha) => curve.tradeoff(alpha)),
    ];
    for (const { lower, upper } of answers) {
      expect(lower).toBeGreaterThanOrEqual(0);
      expect(upper).toBeGreaterThanOrEqual(lower);
    }
  });

  it("rare large losses, whose tilted law has humps, keep an upper end of use", () => {
    const { lower, upper } = pldCurve([times(sampledPair(gaussianPair(1 / 1.399), 3.587e-5), 15037)]).epsilon(
      6.88e-13,
    );
    expect(lower).toBeGreaterThan(0.02);
    expect(upper).toBeLessThan(0.05);
  });

  it("what is not a number is refused by name", () => {
    const curves = [pldCurve([times(gaussianPair(1), 1)]), composedCurve([times(laplacePair(1), 1)])];
    for (const curve of curves) {
      for (const epsilon of [-1, Number.NaN, Number.POSITIVE_INFINITY])
        expect(() => curve.delta(epsilon)).toThrow(/epsilon/);
      for (const delta of [-1e-9, 1, Number.NaN]) expect(() => curve.epsilon(delta)).toThrow(/delta/);
      for (const alpha of [-0.1, 1.1, Number.NaN]) expect(() => curve.tradeoff(alpha)).toThrow(/alpha/);
    }
    for (const accuracy of [0, -1, Number.NaN]) expect(() => composedCurve([], accuracy)).toThrow(/accuracy/);
    expect(() => gaussianCurve(Number.NaN)).toThrow(/mu/);
  });
});
