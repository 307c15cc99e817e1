import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, divide, multiply, one, type Rational, ratio, subtract, toDouble } from "../numeric/rational.ts";
import {
  approximateAlgebra,
  gaussianAlgebra,
  type LossAlgebra,
  pureAlgebra,
  renyiAlgebra,
  zcdpAlgebra,
} from "./index.ts";
import type { PrivacyCurve } from "./measures/privacy-curve.ts";
import { finitePairRenyi, gaussianRenyi, laplaceRenyi, sampledGaussianRenyi } from "./renyi/curves/index.ts";
import { sampledApproximate } from "./sampled-approximate.ts";

const infinite = Number.POSITIVE_INFINITY;
/** A algebra with two losses of a parameter x, seen without its type. */
interface Subject {
  readonly name: string;
  check(run: <L>(algebra: LossAlgebra<L>, make: (x: number) => L) => void): void;
}
const subjects: readonly Subject[] = [
  { name: "pure", check: (run) => run(pureAlgebra, (x) => ({ epsilon: x, tight: true })) },
  {
    name: "approximate",
    check: (run) =>
      run(approximateAlgebra, (x) => ({ terms: [{ epsilon: x, delta: 1e-9, count: 1n }], tight: true })),
  },
  { name: "gaussian", check: (run) => run(gaussianAlgebra, (x) => ({ muSquared: x * x, tight: true })) },
  { name: "zcdp", check: (run) => run(zcdpAlgebra, (x) => ({ rho: x * x, omega: infinite })) },
  {
    name: "renyi",
    check: (run) => run(renyiAlgebra, (x) => ({ terms: [{ curve: laplaceRenyi(x), count: 1n }] })),
  },
];
const [epsilons, deltas, alphas] = [
  [0, 0.01, 0.3, 2, 20],
  [0, 1e-12, 1e-5, 0.2, 0.9],
  [0, 1e-6, 0.05, 0.5, 1],
];

/** Every bound of a curve at a few places, in one list. */
function views(curve: PrivacyCurve): { lower: number; upper: number; kind: string }[] {
  const at = (
    kind: string,
    { lower, upper }: { lower: number; upper: number },
  ): { lower: number; upper: number; kind: string } => ({ kind, lower, upper });
  return [
    ...epsilons.map((x) => at("delta", curve.delta(x))),
    ...deltas.map((x) => at("epsilon", curve.epsilon(x))),
    ...alphas.map((x) => at("tradeoff", curve.tradeoff(x))),
  ];
}

describe.each(subjects)("$name", ({ check }) => {
  it("has ordered ends, views that agree, and no NaN", () => {
    check((algebra, make) => {
      for (const x of [0, 1e-6, 0.1, 1, 30]) {
        const curve = algebra.curve(algebra.power(make(x), 3n));
        for (const { lower, upper, kind } of views(curve)) {
          expect(lower, `${kind} at ${x}`).toBeLessThanOrEqual(upper);
          expect(lower).toBeGreaterThanOrEqual(0);
          if (kind !== "epsilon") expect(upper).toBeLessThanOrEqual(1);
        }
        for (const delta of deltas) {
          const { upper } = curve.epsilon(delta);
          if (upper < infinite)
            expect(curve.delta(upper * (1 + 1e-12)).upper).toBeLessThanOrEqual(delta * (1 + 1e-6) + 1e-12);
        }
        expect(curve.tradeoff(0.05).lower).toBeLessThanOrEqual(0.95);
      }
    });
  });
  it("composes n copies as a power, whatever the grouping", () => {
    check((algebra, make) => {
      for (const n of [1, 2, 7, 31]) {
        const loss = make(0.11);
        const copies = Array.from({ length: n }, () => loss);
        const flat = algebra.curve(algebra.compose(copies));
        const nested = algebra.curve(algebra.compose([algebra.compose(copies.slice(1)), loss]));
        const power = algebra.curve(algebra.power(loss, BigInt(n)));
        for (const delta of [1e-3, 1e-7]) {
          const value = power.epsilon(delta).upper;
          expect(flat.epsilon(delta).upper / value).toBeCloseTo(1, 9);
          expect(nested.epsilon(delta).upper / value).toBeCloseTo(1, 9);
        }
      }
      expect(algebra.curve(algebra.power(make(0.5), 0n)).epsilon(0).upper).toBe(0);
      expect(algebra.curve(algebra.compose([])).delta(0).upper).toBe(0);
      expect(algebra.curve(algebra.none).tradeoff(0.3).lower).toBeCloseTo(0.7, 9);
      expect(() => algebra.power(make(0.5), -1n)).toThrow(/count/);
    });
  });
  it("is monotone in the loss and in the count", () => {
    check((algebra, make) => {
      const parameter = fc.double({ min: 0.01, max: 1, noNaN: true });
      fc.assert(
        fc.property(
          parameter,
          fc.double({ min: 1, max: 2, noNaN: true }),
          fc.integer({ min: 1, max: 40 }),
          (x, factor, n) => {
            const small = algebra.curve(algebra.power(make(x), BigInt(n)));
            const worse = algebra.curve(algebra.power(make(x * factor), BigInt(n)));
            const more = algebra.curve(algebra.power(make(x), BigInt(n + 1)));
            for (const other of [worse, more]) {
              expect(other.epsilon(1e-6).upper).toBeGreaterThanOrEqual(
                small.epsilon(1e-6).upper * (1 - 1e-9),
              );
              expect(other.delta(0.5).upper).toBeGreaterThanOrEqual(small.delta(0.5).upper * (1 - 1e-9));
            }
          },
        ),
        { numRuns: 15 },
      );
    });
  });
  it("groups, mixes and samples never say less than nothing, and refuse what is no number", () => {
    check((algebra, make) => {
      const loss = make(0.2);
      expect(algebra.group(loss, 1n)).toEqual(loss);
      const pair = algebra.group(loss, 2n);
      if (pair !== null) {
        expect(algebra.curve(pair).epsilon(1e-5).upper).toBeGreaterThanOrEqual(
          algebra.curve(loss).epsilon(1e-5).upper,
        );
      }
      const mixed = algebra.mix([
        { weight: 0.5, loss },
        { weight: 0.5, loss: make(0.4) },
      ])!;
      const [low, high, between] = [loss, make(0.4), mixed].map(
        (each) => algebra.curve(each).epsilon(1e-7).upper,
      );
      expect(between).toBeGreaterThanOrEqual(low! * (1 - 1e-9));
      expect(between).toBeLessThanOrEqual(high! * (1 + 1e-6) + 1e-9);
      expect(
        algebra.mix([
          { weight: 1, loss },
          { weight: 0, loss: make(9) },
        ]),
      ).toEqual(loss);
      for (const weights of [
        [0.5, 0.4],
        [1.5, -0.5],
        [Number.NaN, 1],
      ]) {
        expect(() => algebra.mix(weights.map((weight) => ({ weight, loss })))).toThrow(/weights/);
      }
      expect(() => algebra.mix([])).toThrow(/weights/);
      for (const k of [0n, -2n]) expect(() => algebra.group(loss, k)).toThrow(/size/);
      for (const rate of [-0.1, 1.1, Number.NaN]) {
        expect(() => algebra.sample(loss, { kind: "poisson", rate }, "add-or-remove-one")).toThrow(/rate/);
      }
      for (const [population, sample] of [
        [0, 0],
        [10, 11],
        [10, 1.5],
        [Number.NaN, 1],
      ] as const) {
        expect(() =>
          algebra.sample(loss, { kind: "without-replacement", population, sample }, "replace-one"),
        ).toThrow(/population|sample/);
      }
      expect(
        algebra.sample(loss, { kind: "without-replacement", population: 10, sample: 1 }, "add-or-remove-one"),
      ).toBeNull();
      for (const [scheme, adjacency] of [
        [{ kind: "poisson", rate: 0.1 }, "add-or-remove-one"],
        [{ kind: "without-replacement", population: 10, sample: 1 }, "replace-one"],
      ] as const) {
        const sampled = algebra.sample(loss, scheme, adjacency);
        if (sampled !== null) {
          expect(algebra.curve(sampled).epsilon(1e-4).upper).toBeLessThanOrEqual(
            algebra.curve(loss).epsilon(1e-4).upper * (1 + 1e-9),
          );
        }
      }
      expect(algebra.sample(loss, { kind: "poisson", rate: 1 }, "add-or-remove-one")).toEqual(loss);
    });
  });
  it("refuses arguments outside their domains", () => {
    check((algebra, make) => {
      const curve = algebra.curve(make(0.2));
      for (const x of [-1, Number.NaN, infinite])
        expect(() => curve.delta(x)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
      for (const x of [-1, 1, Number.NaN])
        expect(() => curve.epsilon(x)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
      for (const x of [-1, 1.1, Number.NaN])
        expect(() => curve.tradeoff(x)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
    });
  });
});

describe("lower ends", () => {
  it("are said only of losses that mean their whole class, and of nothing derived from them by a bound", () => {
    const trivial = { lower: 0, provenance: expect.objectContaining({ lower: "trivial" }) };
    expect(pureAlgebra.curve({ epsilon: 1 }).epsilon(0.1)).toMatchObject(trivial);
    expect(pureAlgebra.curve(pureAlgebra.power({ epsilon: 1, tight: true }, 2n)).epsilon(0.1)).toMatchObject(
      trivial,
    );
    expect(gaussianAlgebra.curve({ muSquared: 1 }).delta(1)).toMatchObject(trivial);
    const one = { terms: [{ epsilon: 1, delta: 0, count: 1n }], tight: true };
    expect(approximateAlgebra.curve(approximateAlgebra.group(one, 2n)!).delta(0)).toMatchObject(trivial);
    expect(
      approximateAlgebra.curve(approximateAlgebra.compose([one, { terms: one.terms }])).delta(0),
    ).toMatchObject(trivial);
    expect(approximateAlgebra.curve(approximateAlgebra.power(one, 9n)).delta(0).lower).toBeGreaterThan(0.5);
    expect(pureAlgebra.curve({ epsilon: 1 }).tradeoff(0.1).upper).toBeCloseTo(0.9, 12);
    expect(pureAlgebra.curve({ epsilon: 1, tight: true }).tradeoff(0.1).upper).toBeCloseTo(
      1 - Math.E / 10,
      6,
    );
  });
});

describe("known values", () => {
  it("agree between algebras where they must", () => {
    const power = gaussianAlgebra
      .curve(gaussianAlgebra.power({ muSquared: 0.25, tight: true }, 4n))
      .epsilon(1e-5);
    expect(power.upper).toBeCloseTo(4.37717809568, 9);
    expect(power.lower).toBeCloseTo(4.37717809568, 9);
    const zcdp = zcdpAlgebra.curve({ rho: 0.5, omega: infinite }).epsilon(1e-6).upper;
    expect(zcdp).toBeCloseTo(5.22153444453, 9);
    expect(
      renyiAlgebra.curve({ terms: [{ curve: gaussianRenyi(1), count: 1n }] }).epsilon(1e-6).upper,
    ).toBeCloseTo(zcdp, 9);
    const optimal = approximateAlgebra.power({ terms: [{ epsilon: 0.1, delta: 0, count: 1n }] }, 100n);
    expect(approximateAlgebra.curve(optimal).epsilon(1e-6).upper).toBeCloseTo(4.77456758811, 8);
    const single = approximateAlgebra.curve({ terms: [{ epsilon: 1, delta: 0, count: 1n }], tight: true });
    const pure = pureAlgebra.curve({ epsilon: 1, tight: true });
    for (const epsilon of epsilons)
      expect(single.delta(epsilon).upper).toBeCloseTo(pure.delta(epsilon).upper, 12);
  });
  it("too many different sums: a bound that says what it is", () => {
    const many = approximateAlgebra.power(
      { terms: [1, 2, 3].map((n) => ({ epsilon: n / 100, delta: 1e-12, count: 1n })), tight: true },
      10n ** 6n,
    );
    const { lower, upper, provenance } = approximateAlgebra.curve(many).epsilon(1e-5);
    expect(lower).toBe(0);
    expect(upper).toBeLessThan(60_000);
    expect(provenance.upper).toMatch(/Rényi/);
    expect(approximateAlgebra.curve(many).epsilon(1e-9).upper).toBe(infinite);
    const huge = approximateAlgebra
      .curve({ terms: [{ epsilon: 1e-6, delta: 0, count: 10n ** 12n }] })
      .epsilon(1e-6).upper;
    expect(huge).toBeGreaterThan(
      gaussianAlgebra.curve({ muSquared: 1, tight: true }).epsilon(1e-6).lower * 0.99,
    );
    expect(huge).toBeLessThan(6);
  });
  it("tCDP of a group", () => {
    expect(zcdpAlgebra.group({ rho: 0.1, omega: 4 }, 4n)).toBeNull();
    expect(zcdpAlgebra.group({ rho: 0.1, omega: 4 }, 2n)).toEqual({
      rho: expect.closeTo(0.4, 12),
      omega: expect.closeTo(2, 12),
    });
  });
});

/** The hockey-stick of two laws at e^ε, both ways. */
function hockeyStick(p: readonly Rational[], q: readonly Rational[], epsilon: number): number {
  const one = (x: readonly Rational[], y: readonly Rational[]): number =>
    x.reduce(
      (sum, each, i) => sum + Math.max(0, toDouble(each, "down") - Math.exp(epsilon) * toDouble(y[i]!, "up")),
      0,
    );
  return Math.max(one(p, q), one(q, p));
}

describe("samples, exactly", () => {
  // A mechanism on samples: μ₀ without the unit, μ₁ and μ₂ with one unit or another in it.
  const laws = fc.array(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 3, maxLength: 3 }), {
    minLength: 3,
    maxLength: 3,
  });
  const law = (weights: readonly number[]): Rational[] => {
    const total = BigInt(weights.reduce((a, b) => a + b, 0));
    return weights.map((weight) => ratio(BigInt(weight), total));
  };
  const mixture = (base: readonly Rational[], other: readonly Rational[], rate: Rational): Rational[] =>
    base.map((each, i) => add(multiply(subtract(one, rate), each), multiply(rate, other[i]!)));
  const ratioOf = (p: readonly Rational[], q: readonly Rational[]): number =>
    Math.max(
      ...p.flatMap((each, i) => [toDouble(divide(each, q[i]!), "up"), toDouble(divide(q[i]!, each), "up")]),
    );

  it("Poisson with add-or-remove-one and with replace-one, without replacement: pure and approximate losses cover them", () => {
    fc.assert(
      fc.property(
        laws,
        fc.integer({ min: 1, max: 99 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (weights, percent, share) => {
          const [m0, m1, m2] = weights.map(law) as [Rational[], Rational[], Rational[]];
          const [rate, q] = [ratio(BigInt(percent), 100n), percent / 100];
          const worst = Math.log(Math.max(ratioOf(m0, m1), ratioOf(m0, m2)));
          const all = Math.max(worst, Math.log(ratioOf(m1, m2)));
          const scheme = { kind: "poisson", rate: q } as const;
          const fixed = { kind: "without-replacement", population: 100, sample: percent } as const;
          const cases = [
            {
              scheme,
              adjacency: "add-or-remove-one",
              whole: worst,
              near: [[m0, m1]],
              p: mixture(m0, m1, rate),
              q: m0,
            },
            {
              scheme,
              adjacency: "replace-one",
              whole: worst,
              near: [
                [m0, m1],
                [m0, m2],
              ],
              p: mixture(m0, m1, rate),
              q: mixture(m0, m2, rate),
            },
            {
              scheme: fixed,
              adjacency: "replace-one",
              whole: all,
              near: [
                [m0, m1],
                [m0, m2],
                [m1, m2],
              ],
              p: mixture(m0, m1, rate),
              q: mixture(m0, m2, rate),
            },
          ] as const;
          for (const each of cases) {
            const pure = pureAlgebra.sample({ epsilon: each.whole }, each.scheme, each.adjacency)!;
            expect(Math.log(ratioOf(each.p, each.q))).toBeLessThanOrEqual(pure.epsilon * (1 + 1e-12) + 1e-14);
            // At a smaller ε the mechanism has a δ; so has its sample.
            const epsilon = each.whole * share;
            const delta = Math.max(...each.near.map(([a, b]) => hockeyStick(a, b, epsilon)));
            const { terms } = approximateAlgebra.sample(
              { terms: [{ epsilon, delta, count: 1n }] },
              each.scheme,
              each.adjacency,
            )!;
            expect(hockeyStick(each.p, each.q, terms[0]!.epsilon)).toBeLessThanOrEqual(
              terms[0]!.delta * (1 + 1e-9) + 1e-14,
            );
          }
          const curve = finitePairRenyi(m0, m1);
          const renyi = renyiAlgebra.curve(
            renyiAlgebra.sample({ terms: [{ curve, count: 1n }] }, scheme, "add-or-remove-one")!,
          );
          expect(renyi.delta(share).upper).toBeGreaterThanOrEqual(
            hockeyStick(mixture(m0, m1, rate), m0, share) * (1 - 1e-12),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
  it("by hand", () => {
    const loss = sampledApproximate({ epsilon: Math.log(3), delta: 0.1 }, { pairing: "poisson", rate: 0.5 });
    expect(loss).toEqual({ epsilon: expect.closeTo(Math.LN2, 12), delta: expect.closeTo(0.05, 12) });
    const replaced = sampledApproximate(
      { epsilon: Math.log(3), delta: 0.1 },
      { pairing: "poisson-replace", rate: 0.5 },
    );
    // (½ + 3/2)/(½ + 1/6) = 3: δ′ = 0.05·(1 + 1).
    expect(replaced).toEqual({ epsilon: expect.closeTo(Math.log(3), 12), delta: expect.closeTo(0.1, 12) });
  });
  it("at rate 1 replace-one is the group of two", () => {
    const whole = approximateAlgebra.sample(
      { terms: [{ epsilon: 0.5, delta: 1e-6, count: 1n }] },
      { kind: "poisson", rate: 1 },
      "replace-one",
    )!;
    const group = approximateAlgebra.group({ terms: [{ epsilon: 0.5, delta: 1e-6, count: 1n }] }, 2n)!;
    expect(whole.terms[0]!.epsilon).toBeCloseTo(group.terms[0]!.epsilon, 12);
    expect(whole.terms[0]!.delta / group.terms[0]!.delta).toBeCloseTo(1, 12);
  });
  it("a Rényi sample of Gaussians is the exact one, and zCDP or Gaussian losses leave sampling to others", () => {
    const scheme = { kind: "poisson", rate: 0.01 } as const;
    const loss = { terms: [{ curve: gaussianRenyi(0.5), count: 2n }] };
    const sampled = renyiAlgebra.sample(loss, scheme, "add-or-remove-one")!;
    expect(sampled.terms[0]!.curve.at(4)).toBeCloseTo(sampledGaussianRenyi(1, 0.01).at(4), 12);
    expect(renyiAlgebra.sample(loss, scheme, "replace-one")).toBeNull();
    expect(zcdpAlgebra.sample({ rho: 1, omega: infinite }, scheme, "add-or-remove-one")).toBeNull();
    expect(gaussianAlgebra.sample({ muSquared: 1 }, scheme, "add-or-remove-one")).toBeNull();
    expect(
      gaussianAlgebra.sample({ muSquared: 1 }, { kind: "poisson", rate: 0 }, "add-or-remove-one")!.muSquared,
    ).toBe(0);
  });
});
