import { describe, expect, it } from "vitest";
import { compare, fromDouble, multiply, one, ratio, subtract } from "../numeric/rational.ts";
import { approximateAlgebra } from "./approximate/approximate-algebra.ts";
import { boundedCurve } from "./bounded-curve.ts";
import { gaussianAlgebra } from "./gaussian/gaussian-algebra.ts";
import { checkedCount, checkGroup, drawnParts } from "./part-weights.ts";
import { gaussianPair, laplacePair, twoPointPair } from "./pld/pairs/index.ts";
import { pldAlgebra, pldLoss, selectBest } from "./pld/pld-algebra.ts";
import { pureAlgebra } from "./pure/pure-algebra.ts";
import { gaussianRenyi } from "./renyi/curves/gaussian-renyi.ts";
import { laplaceRenyi } from "./renyi/curves/laplace-renyi.ts";
import { renyiAlgebra } from "./renyi/renyi-algebra.ts";
import { sampledApproximate } from "./sampled-approximate.ts";
import { provenSample } from "./sampled-rate.ts";
import { zcdpAlgebra } from "./zcdp/zcdp-algebra.ts";

/* What the algebras say of small cases, worked out by hand. */

const inf = Number.POSITIVE_INFINITY;
const invalid = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });
/** Not below, and above by a few ulp at most. */
function justAbove(found: number, truth: number): void {
  expect(found).toBeGreaterThanOrEqual(truth * (1 - 1e-16));
  expect(found).toBeLessThanOrEqual(truth * (1 + 4e-15));
}
const poisson = (rate: number) => ({ kind: "poisson", rate }) as const;
const drawn = (population: number, sample: number) =>
  ({ kind: "without-replacement", population, sample }) as const;
const cut = { kind: "truncated-poisson", rate: 0.5, population: 10, limit: 8 } as const;

describe("a number of runs", () => {
  it("is never made smaller, and exact as far as doubles count", () => {
    for (const n of [0n, 1n, 7n, 2n ** 53n]) expect(BigInt(checkedCount(n))).toBe(n);
    for (const n of [2n ** 53n + 1n, 2n ** 60n - 1n, 10n ** 30n + 1n, 2n ** 1000n - 1n]) {
      expect(BigInt(checkedCount(n))).toBeGreaterThanOrEqual(n);
      expect(BigInt(checkedCount(n))).toBeLessThanOrEqual(n + (n >> 50n));
    }
  });
  it("is from 0 to 2^1000", () => {
    expect(checkedCount(2n ** 1000n)).toBe(2 ** 1000);
    for (const n of [-1n, 2n ** 1000n + 1n]) expect(() => checkedCount(n)).toThrow(invalid("count"));
  });
  it("of a group is 1 at least", () => {
    expect(checkGroup(1n)).toBe(1n);
    expect(checkGroup(10n ** 40n)).toBe(10n ** 40n);
    for (const k of [0n, -1n]) expect(() => checkGroup(k)).toThrow(invalid("size"));
  });
});

describe("the parts of a mixture", () => {
  const parts = (...weights: readonly number[]) => weights.map((weight, loss) => ({ weight, loss }));
  it("are those that may be drawn", () => {
    expect(drawnParts(parts(0, 0.25, 0, 0.75))).toEqual([
      { weight: 0.25, loss: 1 },
      { weight: 0.75, loss: 3 },
    ]);
  });
  it("have weights that are no less than 0 and sum to 1 within 1e-9", () => {
    for (const good of [[1], [0.5, 0.5 + 9e-10], [0.5, 0.5 - 9e-10]])
      expect(() => drawnParts(parts(...good))).not.toThrow();
    for (const bad of [[], [0.5, 0.5 + 2e-9], [0.5, 0.5 - 2e-9], [-0.5, 1.5], [Number.NaN, 1], [2, -1]])
      expect(() => drawnParts(parts(...bad)), `${bad}`).toThrow(invalid("weights"));
  });
});

describe("a sample with a theorem", () => {
  it("is a Poisson one, or one without replacement of neighbours that replace a unit", () => {
    expect(provenSample(poisson(0.3), "add-or-remove-one")).toEqual({ pairing: "poisson", rate: 0.3 });
    expect(provenSample(poisson(0.3), "replace-one")).toEqual({ pairing: "poisson-replace", rate: 0.3 });
    expect(provenSample(drawn(10, 10), "replace-one")).toEqual({ pairing: "without-replacement", rate: 1 });
    expect(provenSample(drawn(10, 0), "replace-one")!.rate).toBe(0);
    expect(provenSample(drawn(10, 5), "add-or-remove-one")).toBeNull();
    for (const adjacency of ["add-or-remove-one", "replace-one"] as const)
      expect(provenSample(cut, adjacency)).toBeNull();
  });
  it("has a rate that is never too small", () => {
    for (const [population, sample] of [
      [3, 1],
      [10, 3],
      [49, 48],
      [2 ** 53 - 1, 2 ** 53 - 2],
    ] as const) {
      const { rate } = provenSample(drawn(population, sample), "replace-one")!;
      const exact = ratio(BigInt(sample), BigInt(population));
      expect(compare(fromDouble(rate), exact)).toBeGreaterThanOrEqual(0);
      expect(rate).toBeLessThanOrEqual(Math.min(1, (sample / population) * (1 + 5e-16)));
    }
  });
  it("is of numbers in their domains", () => {
    for (const rate of [0, 1]) expect(provenSample(poisson(rate), "replace-one")!.rate).toBe(rate);
    for (const rate of [-Number.MIN_VALUE, 1 + 2 ** -52, Number.NaN])
      expect(() => provenSample(poisson(rate), "replace-one")).toThrow(invalid("rate"));
    expect(provenSample(drawn(1, 1), "replace-one")!.rate).toBe(1);
    for (const population of [0, -1, 1.5, 2 ** 53, Number.NaN])
      expect(() => provenSample(drawn(population, 0), "replace-one")).toThrow(invalid("population"));
    // Also where there is no theorem.
    for (const sample of [-1, 11, 1.5, Number.NaN])
      for (const adjacency of ["replace-one", "add-or-remove-one"] as const)
        expect(() => provenSample(drawn(10, sample), adjacency)).toThrow(invalid("sample"));
  });
  it("of a mechanism whose every output may fail is no worse than that", () => {
    for (const [pairing, rate] of [
      ["poisson", 1],
      ["poisson-replace", 1],
      ["poisson-replace", 0.9],
    ] as const) {
      expect(sampledApproximate({ epsilon: 1, delta: 1 }, { pairing, rate }).delta).toBe(1);
    }
    expect(
      sampledApproximate({ epsilon: 1, delta: 0 }, { pairing: "poisson-replace", rate: 0.5 }).delta,
    ).toBe(0);
    const replaced = sampledApproximate(
      { epsilon: 2, delta: 1e-9 },
      { pairing: "poisson-replace", rate: 0.25 },
    );
    const epsilon = Math.log((0.75 + 0.25 * Math.exp(2)) / (0.75 + 0.25 * Math.exp(-2)));
    expect(replaced.epsilon / epsilon).toBeCloseTo(1, 13);
    expect(replaced.delta / (0.25e-9 * (1 + Math.exp(epsilon - 2)))).toBeCloseTo(1, 13);
  });
});

describe("a curve of proven ranges", () => {
  const provenance = { lower: "from below", upper: "from above" };
  const range = { lower: 0.25, upper: 0.5 };
  const proven = { provenance, delta: () => range, epsilon: () => range, tradeoff: () => range };

  it("has both ends where the loss is a whole class's", () => {
    const curve = boundedCurve({ ...proven, tight: true });
    expect(curve.delta(1)).toEqual({ ...range, provenance });
    expect(curve.epsilon(0.1)).toEqual({ ...range, provenance });
    // For a trade-off the lower end is the claim.
    const swapped = { lower: "from above", upper: "from below" };
    expect(curve.tradeoff(0.1)).toEqual({ ...range, provenance: swapped });
  });

  it("has the safe end alone where it is a bound", () => {
    const curve = boundedCurve({ ...proven, tight: false });
    const safe = { lower: 0, upper: 0.5, provenance: { lower: "trivial", upper: "from above" } };
    expect(curve.delta(1)).toEqual(safe);
    expect(curve.epsilon(0.1)).toEqual(safe);
    expect(curve.tradeoff(0.1)).toEqual({
      ...{ lower: 0.25, upper: 0.9, provenance: { lower: "from above", upper: "trivial" } },
    });
  });

  it("finds a trade-off from δ with as many questions as it may ask, 200 unless stated", () => {
    const asked = (evaluations?: number): number => {
      let count = 0;
      const delta = (epsilon: number) => {
        count += 1;
        const exact = Math.max(0, 0.5 - epsilon / 100 + Math.sin(epsilon) / 1000);
        return { lower: exact, upper: exact };
      };
      const { tradeoff: _, ...rest } = proven;
      const more = evaluations === undefined ? {} : { evaluations };
      boundedCurve({ ...rest, ...more, tight: true, delta, reach: 50 }).tradeoff(0.01);
      return count;
    };
    expect(asked(20)).toBeLessThan(asked(64));
    expect(asked()).toBe(asked(200));
    expect(asked(64)).toBeLessThanOrEqual(asked());
  });
});

describe("pure losses", () => {
  const tight = { epsilon: 1, tight: true };
  it("add up, from above; nothing beside one leaves it what it is", () => {
    expect(pureAlgebra.compose([])).toEqual({ epsilon: 0 });
    expect(pureAlgebra.compose([{ epsilon: 0 }, tight, { epsilon: 0 }])).toBe(tight);
    const sum = pureAlgebra.compose([{ epsilon: 0.1 }, { epsilon: 0.2 }, tight]);
    justAbove(sum.epsilon, 1.3);
    expect(sum.tight ?? false).toBe(false);
  });
  it("repeat, group and mix by their ε", () => {
    expect(pureAlgebra.power(tight, 0n)).toEqual({ epsilon: 0 });
    expect(pureAlgebra.power(tight, 1n)).toBe(tight);
    justAbove(pureAlgebra.power({ epsilon: 0.1 }, 3n).epsilon, 0.3);
    expect(pureAlgebra.group(tight, 1n)).toBe(tight);
    justAbove(pureAlgebra.group({ epsilon: 0.1 }, 3n)!.epsilon, 0.3);
    const parts = [
      { weight: 0.5, loss: { epsilon: 1 } },
      { weight: 0.5, loss: { epsilon: 2 } },
    ];
    expect(pureAlgebra.mix(parts)).toEqual({ epsilon: 2 });
    expect(pureAlgebra.mix([{ weight: 1, loss: tight }])).toBe(tight);
  });
  it("are sampled by their ε", () => {
    const loss = { epsilon: Math.log(3) };
    const at = (
      scheme: Parameters<typeof pureAlgebra.sample>[1],
      adjacency: "add-or-remove-one" | "replace-one",
    ) => pureAlgebra.sample(loss, scheme, adjacency);
    expect(at(poisson(0.5), "add-or-remove-one")!.epsilon).toBeCloseTo(Math.LN2, 14);
    expect(at(poisson(0.5), "replace-one")!.epsilon).toBeCloseTo(Math.log(3), 14);
    expect(at(poisson(1), "replace-one")!.epsilon).toBeCloseTo(2 * Math.log(3), 14);
    expect(at(poisson(1), "add-or-remove-one")).toBe(loss);
    expect(at(poisson(0), "add-or-remove-one")!.epsilon).toBe(0);
    expect(at(drawn(10, 5), "replace-one")!.epsilon).toBeCloseTo(Math.LN2, 14);
    expect(at(drawn(10, 10), "replace-one")).toBe(loss);
    expect(at(drawn(10, 5), "add-or-remove-one")).toBeNull();
    expect(at(cut, "replace-one")).toBeNull();
  });
  it("have the curve of randomized response: (e^ε − e^ε′)/(1 + e^ε), and its inverse", () => {
    const curve = pureAlgebra.curve({ epsilon: 1, tight: true });
    for (const at of [0, 0.25, 0.75]) {
      const delta = (Math.E - Math.exp(at)) / (1 + Math.E);
      const found = curve.delta(at);
      expect(found.lower).toBeLessThanOrEqual(delta);
      expect(found.upper).toBeGreaterThanOrEqual(delta);
      expect(found.upper - found.lower).toBeLessThan(1e-12);
      const back = curve.epsilon(delta);
      expect(back.lower).toBeLessThanOrEqual(at + 1e-12);
      expect(back.upper).toBeGreaterThanOrEqual(at - 1e-12);
      expect(back.upper - back.lower).toBeLessThan(1e-9);
    }
    expect(curve.epsilon(0)).toMatchObject({ lower: 1, upper: 1 });
    expect(curve.delta(1)).toMatchObject({ lower: 0, upper: 0 });
    expect(curve.epsilon(1e-300).upper).toBeLessThanOrEqual(1);
    for (const alpha of [0.05, 0.5]) {
      const truth = Math.max(1 - Math.E * alpha, (1 - alpha) / Math.E);
      expect(curve.tradeoff(alpha).lower).toBeLessThanOrEqual(truth + 1e-12);
      expect(curve.tradeoff(alpha).lower).toBeGreaterThan(truth - 1e-3);
    }
    expect(curve.epsilon(0.1).provenance.upper).toMatch(/^pure, /);
  });
});

describe("concentrated losses", () => {
  const [a, b] = [
    { rho: 0.1, omega: inf },
    { rho: 0.2, omega: 5 },
  ];
  it("add their ρ, from above, and keep the least ω", () => {
    expect(zcdpAlgebra.compose([])).toEqual({ rho: 0, omega: inf });
    const both = zcdpAlgebra.compose([a, b]);
    justAbove(both.rho, 0.3);
    expect(both.omega).toBe(5);
    expect(zcdpAlgebra.power(b, 0n)).toEqual({ rho: 0, omega: inf });
    justAbove(zcdpAlgebra.power(b, 3n).rho, 0.6);
    expect(zcdpAlgebra.power(b, 3n).omega).toBe(5);
    expect(
      zcdpAlgebra.mix([
        { weight: 0.5, loss: a },
        { weight: 0.5, loss: b },
      ]),
    ).toEqual({ rho: 0.2, omega: 5 });
    expect(
      zcdpAlgebra.mix([
        { weight: 1, loss: a },
        { weight: 0, loss: b },
      ]),
    ).toEqual(a);
  });
  it("of groups are k²ρ with an ω of a kth", () => {
    justAbove(zcdpAlgebra.group(a, 3n)!.rho, 0.9);
    expect(zcdpAlgebra.group(a, 3n)!.omega).toBe(inf);
    justAbove(zcdpAlgebra.group(b, 2n)!.rho, 0.8);
    expect(zcdpAlgebra.group(b, 2n)!.omega).toBeCloseTo(2.5, 14);
    expect(zcdpAlgebra.group(b, 2n)!.omega).toBeLessThanOrEqual(2.5);
    expect(zcdpAlgebra.group(b, 5n)).toBeNull();
    expect(zcdpAlgebra.group(b, 1n)).toEqual(b);
  });
  it("of samples are known where all or none are taken", () => {
    expect(zcdpAlgebra.sample(b, poisson(0), "add-or-remove-one")).toEqual({ rho: 0, omega: inf });
    expect(zcdpAlgebra.sample(b, poisson(1), "add-or-remove-one")).toBe(b);
    expect(zcdpAlgebra.sample(b, drawn(5, 5), "replace-one")).toBe(b);
    expect(zcdpAlgebra.sample(b, poisson(0.5), "add-or-remove-one")).toBeNull();
    for (const rate of [0, 0.5, 1]) expect(zcdpAlgebra.sample(b, poisson(rate), "replace-one")).toBeNull();
  });
  it("need an ω above 1", () => {
    expect(zcdpAlgebra.curve({ rho: 0.1, omega: 1.5 }).epsilon(0.1).upper).toBeGreaterThan(0);
    for (const omega of [1, 0, Number.NaN])
      expect(() => zcdpAlgebra.curve({ rho: 0.1, omega })).toThrow(invalid("omega"));
    expect(zcdpAlgebra.curve(a).delta(1)).toMatchObject({ lower: 0, provenance: { lower: "trivial" } });
  });
});

describe("Gaussian losses", () => {
  const [exact, bound] = [{ muSquared: 0.25, tight: true }, { muSquared: 1 }];
  it("add their μ², and are exact where all are", () => {
    expect(gaussianAlgebra.compose([])).toEqual({ muSquared: 0, tight: true });
    expect(gaussianAlgebra.compose([{ muSquared: 0 }, exact])).toBe(exact);
    expect(gaussianAlgebra.compose([exact, exact])).toMatchObject({ tight: true });
    justAbove(gaussianAlgebra.compose([exact, exact]).muSquared, 0.5);
    expect(gaussianAlgebra.compose([exact, bound]).tight).toBe(false);
    expect(gaussianAlgebra.power(exact, 4n)).toMatchObject({ tight: true });
    justAbove(gaussianAlgebra.power(exact, 4n).muSquared, 1);
    expect(gaussianAlgebra.power(bound, 4n).tight).toBe(false);
    expect(gaussianAlgebra.power(exact, 0n)).toEqual({ muSquared: 0, tight: true });
  });
  it("of groups have k²μ², of mixtures the greatest, as bounds", () => {
    expect(gaussianAlgebra.group(exact, 1n)).toBe(exact);
    justAbove(gaussianAlgebra.group(exact, 3n)!.muSquared, 2.25);
    expect(gaussianAlgebra.group(exact, 3n)!.tight ?? false).toBe(false);
    expect(
      gaussianAlgebra.mix([
        { weight: 0.5, loss: exact },
        { weight: 0.5, loss: bound },
      ]),
    ).toEqual({ muSquared: 1 });
    expect(gaussianAlgebra.mix([{ weight: 1, loss: exact }])).toBe(exact);
  });
  it("of samples are known where all or none are taken", () => {
    expect(gaussianAlgebra.sample(exact, poisson(0), "add-or-remove-one")!.muSquared).toBe(0);
    expect(gaussianAlgebra.sample(exact, poisson(1), "add-or-remove-one")).toBe(exact);
    expect(gaussianAlgebra.sample(exact, drawn(7, 7), "replace-one")).toBe(exact);
    expect(gaussianAlgebra.sample(exact, poisson(0.5), "add-or-remove-one")).toBeNull();
    for (const rate of [0, 1]) expect(gaussianAlgebra.sample(exact, poisson(rate), "replace-one")).toBeNull();
  });
});

describe("Rényi losses", () => {
  const [twice, other] = [gaussianRenyi(0.5), laplaceRenyi(0.3)];
  const loss = { terms: [{ curve: twice, count: 2n }] };
  it("count equal curves, and multiply counts", () => {
    const both = renyiAlgebra.compose([loss, { terms: [{ curve: other, count: 1n }] }, loss]);
    expect(both.terms).toEqual([
      { curve: twice, count: 4n },
      { curve: other, count: 1n },
    ]);
    expect(renyiAlgebra.power(both, 3n).terms.map(({ count }) => count)).toEqual([12n, 3n]);
    expect(renyiAlgebra.power(both, 0n)).toEqual({ terms: [] });
    expect(() => renyiAlgebra.power(both, -1n)).toThrow(invalid("count"));
  });
  it("of groups are each curve's, as often", () => {
    const grouped = renyiAlgebra.group(loss, 3n)!;
    expect(grouped.terms[0]!.count).toBe(2n);
    // μ² = 0.5 of three units is 4.5: D_α = α·4.5/2.
    expect(grouped.terms[0]!.curve.at(2)).toBeCloseTo(4.5, 10);
    expect(grouped.terms[0]!.curve.at(2)).toBeGreaterThanOrEqual(4.5);
    expect(() => renyiAlgebra.group(loss, 0n)).toThrow(invalid("size"));
  });
  it("of mixtures and samples are one curve, or the loss itself", () => {
    expect(renyiAlgebra.mix([{ weight: 1, loss }])).toBe(loss);
    const mixed = renyiAlgebra.mix([
      { weight: 0.5, loss },
      { weight: 0.5, loss: { terms: [] } },
    ])!;
    expect(mixed.terms.map(({ count }) => count)).toEqual([1n]);
    // ln(½·e^{(α−1)·D} + ½)/(α − 1) at α = 2, D = 2·0.5.
    expect(mixed.terms[0]!.curve.at(2)).toBeCloseTo(Math.log((Math.E + 1) / 2), 11);
    expect(renyiAlgebra.sample(loss, poisson(0), "add-or-remove-one")).toEqual({ terms: [] });
    expect(renyiAlgebra.sample(loss, poisson(1), "add-or-remove-one")).toBe(loss);
    expect(renyiAlgebra.sample(loss, drawn(9, 9), "replace-one")).toBe(loss);
    expect(renyiAlgebra.sample(loss, drawn(9, 0), "replace-one")).toEqual({ terms: [] });
    for (const rate of [0, 0.5, 1])
      expect(renyiAlgebra.sample(loss, poisson(rate), "replace-one")).toBeNull();
    const fixed = renyiAlgebra.sample(loss, drawn(9, 1), "replace-one")!;
    expect(fixed.terms[0]!.count).toBe(1n);
    expect(fixed.terms[0]!.curve.at(2)).toBeLessThan(1);
    expect(renyiAlgebra.sample(loss, cut, "add-or-remove-one")).toBeNull();
  });
});

describe("approximate losses", () => {
  const run = (epsilon: number, delta: number, count = 1n) => ({ epsilon, delta, count });
  const tight = { terms: [run(1, 1e-6)], tight: true };
  it("count equal mechanisms, in the order of their first appearance", () => {
    const loss = approximateAlgebra.compose([
      ...[
        tight,
        { terms: [run(2, 1e-6)], tight: true },
        { terms: [run(1, 1e-7), run(1, 1e-6, 3n)], tight: true },
      ],
    ]);
    expect(loss).toEqual({ terms: [run(1, 1e-6, 4n), run(2, 1e-6), run(1, 1e-7)], tight: true });
    // Nothing at all is no bound.
    expect(approximateAlgebra.compose([tight, { terms: [] }]).tight).toBe(true);
    expect(approximateAlgebra.compose([tight, { terms: [run(1, 0)] }]).tight).toBe(false);
    expect(approximateAlgebra.compose([])).toEqual({ terms: [], tight: true });
  });
  it("repeat by their counts", () => {
    expect(approximateAlgebra.power(tight, 7n)).toEqual({ terms: [run(1, 1e-6, 7n)], tight: true });
    expect(approximateAlgebra.power({ terms: [run(1, 0)] }, 7n).tight).toBe(false);
    expect(approximateAlgebra.power(tight, 0n)).toEqual({ terms: [], tight: true });
  });
  it("of groups are (kε, δ·(e^{kε} − 1)/(e^ε − 1)), as often and as bounds", () => {
    expect(approximateAlgebra.group(tight, 1n)).toBe(tight);
    const two = approximateAlgebra.group({ terms: [run(1, 1e-6, 5n)], tight: true }, 2n)!;
    expect(two.tight ?? false).toBe(false);
    expect(two.terms[0]!.count).toBe(5n);
    justAbove(two.terms[0]!.epsilon, 2);
    expect(two.terms[0]!.delta / (1e-6 * (1 + Math.E))).toBeCloseTo(1, 12);
  });
  it("of mixtures have the greatest ε and the mean of the δ of all runs", () => {
    const mixed = approximateAlgebra.mix([
      { weight: 0.25, loss: { terms: [run(0.1, 0.1, 2n)] } },
      { weight: 0.75, loss: { terms: [run(0.3, 0.2)] } },
    ])!;
    expect(mixed.terms).toHaveLength(1);
    justAbove(mixed.terms[0]!.epsilon, 0.3);
    // 1 − 0.9² of the first.
    expect(mixed.terms[0]!.delta / (0.25 * 0.19 + 0.75 * 0.2)).toBeCloseTo(1, 8);
    expect(mixed.terms[0]!.delta).toBeGreaterThanOrEqual(0.25 * 0.19 + 0.75 * 0.2);
    expect(approximateAlgebra.mix([{ weight: 1, loss: tight }])).toBe(tight);
    expect(
      approximateAlgebra.mix([
        { weight: 0.5, loss: { terms: [run(1, 1)] } },
        { weight: 0.5, loss: { terms: [run(1, 1)] } },
      ])!.terms[0]!.delta,
    ).toBe(1);
  });
  it("of samples are of all runs as one", () => {
    const loss = { terms: [run(Math.log(3) / 2, 0, 2n)], tight: true };
    const half = approximateAlgebra.sample(loss, poisson(0.5), "add-or-remove-one")!;
    expect(half.terms[0]!.epsilon).toBeCloseTo(Math.LN2, 14);
    expect(half.terms[0]!.count).toBe(1n);
    expect(half.tight ?? false).toBe(false);
    expect(approximateAlgebra.sample(loss, poisson(1), "add-or-remove-one")).toBe(loss);
    expect(approximateAlgebra.sample(loss, poisson(1), "replace-one")).not.toBe(loss);
    expect(approximateAlgebra.sample(loss, drawn(4, 4), "replace-one")).toBe(loss);
    expect(approximateAlgebra.sample(loss, cut, "add-or-remove-one")).toBeNull();
  });
  it("of samples are never rounded down: half of 1 − 0.9² fails", () => {
    const tenth = fromDouble(0.1);
    const fails = subtract(one, multiply(subtract(one, tenth), subtract(one, tenth)));
    const { terms } = approximateAlgebra.sample(
      { terms: [run(1, 0.1, 2n)] },
      poisson(0.5),
      "add-or-remove-one",
    )!;
    expect(compare(fromDouble(terms[0]!.delta), multiply(fails, ratio(1n, 2n)))).toBeGreaterThanOrEqual(0);
    expect(terms[0]!.delta).toBeCloseTo(0.095, 14);
  });
  it("of more runs than are listed lose as much as the Gaussian that they are nearly, at every ε", () => {
    const many = approximateAlgebra.curve({ terms: [run(1e-6, 0, 10n ** 12n)] });
    const near = gaussianAlgebra.curve({ muSquared: 1, tight: true });
    for (const epsilon of [0, 0.5, 2, 5]) {
      const truth = near.delta(epsilon).lower;
      expect(many.delta(epsilon).upper).toBeGreaterThan(0.99 * truth);
      expect(many.delta(epsilon).upper).toBeLessThan(10 * truth);
    }
    // Beyond the sum of all ε nothing is lost: 10⁶.
    expect(many.delta(1_000_001).upper).toBe(0);
  });
  it("name whose theorem it is, by whether all ε are equal", () => {
    const proof = (...epsilons: readonly number[]): string =>
      approximateAlgebra.curve({ terms: epsilons.map((epsilon) => run(epsilon, 0)), tight: true }).delta(0.1)
        .provenance.lower;
    expect(proof(0.5)).toMatch(/Kairouz/);
    expect(proof(0.5, 0.5)).toMatch(/Kairouz/);
    expect(proof(0.5, 0.25)).toMatch(/Murtagh/);
  });
  it("are listed up to 10^10 runs, beyond which Rényi divergences and basic composition bound them", () => {
    const proof = (count: bigint): string =>
      approximateAlgebra.curve({ terms: [run(1e-6, 0, count)] }).epsilon(1e-3).provenance.upper;
    expect(proof(10n ** 3n)).toMatch(/optimal/);
    expect(proof(10n ** 10n + 1n)).toMatch(/Rényi/);
    const basic = approximateAlgebra.curve({ terms: [run(1e-12, 1e-13, 2n * 10n ** 10n)] });
    // ε = 0.02 by basic composition, δ = 1 − (1 − 1e-13)^(2·10^10) about 0.002.
    expect(basic.delta(0.03).upper).toBeCloseTo(0.002, 5);
    expect(basic.delta(0.02 * (1 + 1e-9)).upper).toBeCloseTo(0.002, 5);
    expect(basic.epsilon(0.0019).upper).toBe(inf);
    expect(basic.epsilon(0.0021).upper).toBeLessThanOrEqual(0.02 * (1 + 1e-9));
    expect(basic.epsilon(0.5).lower).toBe(0);
    expect(basic.delta(0).upper).toBeLessThanOrEqual(1);
    expect(basic.delta(0).upper).toBeGreaterThanOrEqual(-Math.expm1(-0.002));
  });
});

describe("privacy-loss distributions", () => {
  const [gauss, box] = [pldLoss(gaussianPair(0.5)), pldLoss(twoPointPair(1, 0.1))];
  it("of nothing stay nothing under every operation", () => {
    const { none } = pldAlgebra;
    expect(pldAlgebra.group(none, 9n)).toBe(none);
    expect(pldAlgebra.sample(none, poisson(0.5), "replace-one")).toBe(none);
    expect(pldAlgebra.sample(none, cut, "replace-one")).toBe(none);
    expect(pldAlgebra.sample(none, drawn(9, 3), "replace-one")).toBe(none);
    expect(selectBest(none, { law: "poisson", mean: 3 })).toBe(none);
    expect(pldAlgebra.sample(gauss, { ...cut, rate: 0 }, "add-or-remove-one")).toBe(none);
    expect(pldAlgebra.power(gauss, 0n)).toEqual(none);
    expect(pldLoss(twoPointPair(0, 0))).toEqual(none);
  });
  it("of groups are known up to 2^53 units", () => {
    expect(pldAlgebra.group(pldLoss(gaussianPair(1e-14)), 2n ** 53n - 1n)).not.toBeNull();
    expect(pldAlgebra.group(pldLoss(gaussianPair(1e-14)), 2n ** 53n)).toBeNull();
    expect(pldAlgebra.group(pldLoss(laplacePair(1)), 601n)).toBeNull();
  });
  it("of drawn samples refuse numbers that are none", () => {
    for (const population of [0, 1.5, Number.NaN])
      expect(() => pldAlgebra.sample(gauss, drawn(population, 0), "replace-one")).toThrow(
        invalid("population"),
      );
    for (const sample of [-1, 10, 0.5, Number.NaN])
      expect(() => pldAlgebra.sample(gauss, drawn(9, sample), "replace-one")).toThrow(invalid("sample"));
    for (const rate of [-0.1, 1.1, Number.NaN])
      expect(() => pldAlgebra.sample(gauss, poisson(rate), "replace-one")).toThrow(invalid("rate"));
    for (const k of [0n, -1n]) expect(() => pldAlgebra.group(gauss, k)).toThrow(invalid("k"));
    expect(() => pldAlgebra.power(gauss, -1n)).toThrow(invalid("n"));
    expect(() => pldAlgebra.mix([])).toThrow(invalid("parts"));
  });
  it("of a drawn sample reach what their step does: a sample of the same share, and a triangle of a Gaussian's", () => {
    const pairOf = (loss: typeof gauss) =>
      pldAlgebra.sample(loss, drawn(10, 1), "replace-one")!.cases[0]![0]!.pair;
    expect(pairOf(gauss).tight).toBe(false);
    expect(pairOf(gauss).reached).toHaveLength(2);
    expect(pairOf(box).reached).toHaveLength(1);
    expect(pairOf(box).reached![0]!.infiniteP).toBeCloseTo(0.01, 12);
    expect(pairOf(pldLoss(gaussianPair(10.1))).reached).toHaveLength(1);
    expect(pairOf(pldLoss(twoPointPair(1, 0.1, false))).reached).toBeUndefined();
  });
  it("of a Poisson sample of replaced units have s·((1 − β)·δ₁ + β·δ₂), δ₂ that of a group of two", () => {
    /** (e^a − e^ε)/(1 + e^a), randomized response of a. */
    const response = (a: number, epsilon: number): number =>
      Math.max(0, (Math.exp(a) - Math.exp(epsilon)) / (1 + Math.exp(a)));
    for (const rate of [0.25, 0.75, 1]) {
      const sampled = pldAlgebra.sample(pldLoss(twoPointPair(1, 0)), poisson(rate), "replace-one")!;
      for (const epsilon of [0, 0.1, 0.4]) {
        const inner = Math.log1p(Math.expm1(epsilon) / rate);
        const beta = Math.exp(epsilon - inner);
        const due = rate * ((1 - beta) * response(1, inner) + beta * response(2, inner));
        const found = pldAlgebra.curve(sampled).delta(epsilon).upper;
        expect(found).toBeGreaterThanOrEqual(due * (1 - 1e-12));
        expect(found).toBeLessThan(due + 1e-4);
      }
    }
  });
  it("of replaced units whose group is not known go through the middle: (1 + √γ)·δ₁(√γ)", () => {
    const single = pldAlgebra.sample(box, poisson(0.5), "add-or-remove-one")!;
    const [one, both] = [single, pldAlgebra.sample(single, poisson(1), "replace-one")!].map((loss) =>
      pldAlgebra.curve(loss),
    );
    for (const epsilon of [0.6, 1, 1.5]) {
      const due = Math.min(1, (1 + Math.exp(epsilon / 2)) * one!.delta(epsilon / 2).upper);
      const found = both!.delta(epsilon).upper;
      // The convex hull of the bound lies below it where it is not convex.
      expect(found).toBeLessThanOrEqual(due * (1 + 1e-9));
      expect(found).toBeGreaterThan(0.8 * due);
    }
  });
  it("of a drawn sample have r·H_γ at 1 + r(γ − 1)", () => {
    // (e − γ)/(1 + e) of ε = 1, r = ¼.
    const curve = pldAlgebra.curve(
      pldAlgebra.sample(pldLoss(twoPointPair(1, 0)), drawn(8, 2), "replace-one")!,
    );
    for (const gamma of [1, 1.5, 2]) {
      const due = (0.25 * (Math.E - gamma)) / (1 + Math.E);
      const found = curve.delta(Math.log(1 + 0.25 * (gamma - 1))).upper;
      expect(found).toBeGreaterThanOrEqual(due * (1 - 1e-12));
      expect(found).toBeLessThan(due + 1e-4);
    }
  });
});
