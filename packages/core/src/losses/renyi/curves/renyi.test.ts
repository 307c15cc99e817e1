import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expBracket, lnBracket } from "../../../numeric/bracket.ts";
import {
  add,
  divide,
  fromDouble,
  multiply,
  negate,
  one,
  type Rational,
  ratio,
  subtract,
  toDouble,
  zero,
} from "../../../numeric/rational.ts";
import { chordOfIntegers } from "./chord-of-integers.ts";
import {
  boundedRangeRenyi,
  composeRenyi,
  finitePairRenyi,
  gaussianRenyi,
  groupRenyi,
  laplaceKullbackLeibler,
  laplaceRenyi,
  leastOverOrders,
  mixedRenyi,
  poissonRepeatedRenyi,
  pureKullbackLeibler,
  pureRenyi,
  type RenyiCurve,
  repeatedRenyi,
  sampledGaussianRenyi,
  sampledRenyi,
  sampledWithoutReplacementRenyi,
  zcdpRenyi,
} from "./index.ts";

interface OracleCase {
  readonly id: string;
  readonly rtol: number;
  readonly curve?: readonly (readonly [number, number])[];
  readonly [field: string]: unknown;
}
const oracle: { readonly cases: readonly OracleCase[] } = JSON.parse(
  readFileSync(new URL("../../../../../../testing/oracles/accounting.json", import.meta.url), "utf8"),
);
function found(id: string): OracleCase {
  const it = oracle.cases.find((each) => each.id === id);
  if (it === undefined) throw new Error(id);
  return it;
}
function expectCurve(id: string, curve: RenyiCurve, count = 1): void {
  const { curve: points, rtol } = found(id);
  for (const [order, value] of points!) {
    expect(Math.abs((count * curve.at(order)) / value - 1), `${id} at ${order}`).toBeLessThanOrEqual(rtol);
  }
}

describe("oracles", () => {
  it("Laplace, randomized response", () => {
    expectCurve("rdp-lap-1", laplaceRenyi(1));
    expectCurve("rdp-rr-1", pureRenyi(1));
    const kl = found("rdp-lap-kl");
    expect(Math.abs(laplaceKullbackLeibler(1) / Number(kl.value) - 1)).toBeLessThanOrEqual(kl.rtol);
  });
  it("Gaussian on Poisson samples", () => {
    expectCurve("rdp-sgm-1", sampledGaussianRenyi(1, 0.01));
    const { sigma, q, count } = found("rdp-sgm-2");
    expectCurve("rdp-sgm-2", sampledGaussianRenyi(1 / Number(sigma) ** 2, Number(q)), Number(count));
  });
  it("Gaussian on samples without replacement", () => {
    expectCurve("rdp-wor-1", sampledWithoutReplacementRenyi(gaussianRenyi(0.25), 100, 1));
  });
});

/** [lo, hi] of an expectation Σ weight·e^exponent, then of log(·)/(α − 1). */
function exactDivergence(
  order: Rational,
  terms: readonly (readonly [Rational, Rational])[],
): [number, number] {
  const bits = 260;
  let [lo, hi] = [zero, zero];
  for (const [weight, exponent] of terms) {
    const power = expBracket(exponent, bits);
    lo = add(lo, multiply(weight, power.lo));
    hi = add(hi, multiply(weight, power.hi));
  }
  const excess = subtract(order, one);
  return [
    toDouble(divide(lnBracket(lo, bits).lo, excess), "down"),
    toDouble(divide(lnBracket(hi, bits).hi, excess), "up"),
  ];
}
const times = (a: Rational, b: Rational): Rational => multiply(a, b);
/** Orders and losses that doubles hold exactly. */
const orders = [1 + 2 ** -30, 1.0625, 1.5, 2, 7.25, 32, 300];
const losses = [2 ** -20, 0.0625, 0.5, 1, 4, 12];

describe("closed forms, against brackets of exact arithmetic: never below, and above by less than 1e-11", () => {
  function check(curve: RenyiCurve, order: number, [lo, hi]: [number, number]): void {
    const value = curve.at(order);
    expect(value, `${curve.id} at ${order}`).toBeGreaterThanOrEqual(lo);
    expect(value, `${curve.id} at ${order}`).toBeLessThanOrEqual(hi * (1 + 1e-11));
  }
  it.each(losses)("at ε = %d", (epsilon) => {
    const e = fromDouble(epsilon);
    for (const order of orders) {
      const a = fromDouble(order);
      const twice = subtract(times(ratio(2n), a), one);
      const [up, down] = [times(subtract(a, one), e), negate(times(a, e))];
      check(
        laplaceRenyi(epsilon),
        order,
        exactDivergence(a, [
          [divide(a, twice), up],
          [divide(subtract(a, one), twice), down],
        ]),
      );
      // Randomized response: the masses are brackets themselves; narrow enough to take one end.
      const odds = expBracket(negate(e), 300).lo;
      const p = divide(one, add(one, odds));
      check(
        pureRenyi(epsilon),
        order,
        exactDivergence(a, [
          [p, up],
          [subtract(one, p), negate(up)],
        ]),
      );
    }
  });
  it("bounded range: no two-point pair is worse, and the best of a fine grid is as bad", () => {
    for (const epsilon of [1e-4, 0.25, 1, 6, 40]) {
      for (const order of [1.001, 1.5, 2, 10, 64]) {
        const value = boundedRangeRenyi(epsilon).at(order);
        let worst = 0;
        for (let i = 1; i < 20000; i++) {
          const t = (i / 20000) * epsilon;
          const q = (Math.exp(-t) - Math.exp(-epsilon)) / -Math.expm1(-epsilon);
          const log = Math.max(order * t, order * (t - epsilon));
          const sum = q * Math.exp(order * t - log) + (1 - q) * Math.exp(order * (t - epsilon) - log);
          worst = Math.max(worst, (Math.log(sum) + log) / (order - 1));
        }
        const noise = 1e-15 / (order - 1);
        expect(value + noise, `ε ${epsilon}, order ${order}`).toBeGreaterThanOrEqual(worst);
        expect(value, `ε ${epsilon}, order ${order}`).toBeLessThanOrEqual(worst * (1 + 1e-6) + noise);
        expect(value).toBeLessThanOrEqual(((order * epsilon ** 2) / 8) * (1 + 1e-11));
        expect(value).toBeLessThanOrEqual(epsilon);
      }
    }
  });
  it("a finite pair, and the two ways to write randomized response", () => {
    const pair = finitePairRenyi([ratio(3n, 4n), ratio(1n, 4n)], [ratio(1n, 4n), ratio(3n, 4n)]);
    for (const order of orders)
      expect(Math.abs(pair.at(order) / pureRenyi(Math.log(3)).at(order) - 1)).toBeLessThan(1e-11);
    expect(Math.abs(pair.maxLoss! / Math.log(3) - 1)).toBeLessThan(1e-11);
    // χ² by hand: D₂ = log Σ p²/q, in each direction.
    const [p, q] = [
      [ratio(1n, 2n), ratio(1n, 3n), ratio(1n, 6n)],
      [ratio(1n, 5n), ratio(1n, 5n), ratio(3n, 5n)],
    ] as const;
    const moment = (x: readonly Rational[], y: readonly Rational[]): number =>
      x.reduce((sum, each, i) => sum + toDouble(divide(times(each, each), y[i]!), "down"), 0);
    expect(finitePairRenyi(p, q).at(2)).toBeCloseTo(Math.log(Math.max(moment(p, q), moment(q, p))), 11);
    const nearly = finitePairRenyi(
      [ratio(10n ** 12n + 1n, 2n * 10n ** 12n), ratio(10n ** 12n - 1n, 2n * 10n ** 12n)],
      [ratio(1n, 2n), ratio(1n, 2n)],
    );
    expect(Math.abs(nearly.at(2) / 1e-24 - 1)).toBeLessThan(1e-9);
    expect(finitePairRenyi([one, zero], [ratio(1n, 2n), ratio(1n, 2n)]).at(3)).toBe(Number.POSITIVE_INFINITY);
    expect(finitePairRenyi([one, zero], [one, zero]).at(3)).toBe(0);
    expect(() => finitePairRenyi([], [])).toThrow(/length/);
    expect(() => finitePairRenyi([ratio(1n, 2n)], [one])).toThrow(/sum 1/);
  });
  it("order 1 is Kullback–Leibler's", () => {
    for (const epsilon of losses) {
      expect(Math.abs(laplaceRenyi(epsilon).at(1 + 1e-9) / laplaceKullbackLeibler(epsilon) - 1)).toBeLessThan(
        1e-7,
      );
      expect(Math.abs(pureRenyi(epsilon).at(1 + 1e-9) / pureKullbackLeibler(epsilon) - 1)).toBeLessThan(1e-7);
    }
  });
});

/** log(1 + Σ_j C(n,j)·q^j·(1−q)^(n−j)·(e^(j(j−1)μ²/2) − 1))/(n − 1), exactly bracketed. */
function exactSampledGaussian(muSquared: Rational, q: Rational, n: number): [number, number] {
  const rest = subtract(one, q);
  const terms: [Rational, Rational][] = [];
  let weight = one;
  for (let i = 0; i < n; i++) weight = times(weight, rest);
  for (let j = 0; j <= n; j++) {
    terms.push([weight, times(muSquared, ratio(BigInt(j * (j - 1)), 2n))]);
    weight = divide(times(weight, times(q, ratio(BigInt(n - j)))), times(rest, ratio(BigInt(j + 1))));
  }
  return exactDivergence(ratio(BigInt(n)), terms);
}

/** E_{N(0,1)}[f(e^(μz−μ²/2))] by Simpson's rule, another rule than the one under test. */
function simpson(mu: number, to: number, f: (ratio: number) => number): number {
  const steps = 40_000;
  const [from, width] = [-12, to + 12];
  let sum = 0;
  for (let i = 0; i <= steps; i++) {
    const z = from + (width * i) / steps;
    const weight = i === 0 || i === steps ? 1 : i % 2 === 0 ? 2 : 4;
    sum += weight * Math.exp((-z * z) / 2) * f(Math.exp(mu * z - (mu * mu) / 2));
  }
  return (sum * width) / steps / 3 / Math.sqrt(2 * Math.PI);
}

describe("sampled Gaussian", () => {
  it.each([
    [ratio(1n), ratio(1n, 128n)],
    [ratio(1n, 16n), ratio(1n, 8n)],
    [ratio(4n), ratio(1n, 1024n)],
    [ratio(1n, 1024n), ratio(1n, 2n)],
    [ratio(9n), ratio(1n, 2n ** 30n)],
  ])("whole orders, exactly: μ² = %s, q = %s", (muSquared, q) => {
    const curve = sampledGaussianRenyi(toDouble(muSquared, "up"), toDouble(q, "up"));
    for (const n of [2, 3, 8, 33]) {
      const [lo, hi] = exactSampledGaussian(muSquared, q, n);
      expect(curve.at(n), `order ${n}`).toBeGreaterThanOrEqual(lo);
      expect(curve.at(n), `order ${n}`).toBeLessThanOrEqual(hi * (1 + 1e-11));
    }
  });
  it("fractional orders and the other direction, by another quadrature", () => {
    for (const [mu, q] of [
      [1, 0.05],
      [0.4, 0.3],
      [2, 0.01],
      [0.1, 0.9],
    ] as const) {
      const curve = sampledGaussianRenyi(mu * mu, q);
      for (const order of [1.1, 1.5, 2.5, 7.7]) {
        const to = order * mu + 13;
        const with0 = simpson(mu, to, (r) => (1 - q + q * r) ** order - 1 - order * q * (r - 1));
        const forward = Math.log1p(with0) / (order - 1);
        expect(Math.abs(curve.at(order) / forward - 1), `μ ${mu}, q ${q}, order ${order}`).toBeLessThan(1e-8);
        const without = simpson(
          mu,
          to,
          (r) => (1 - q + q * r) ** (1 - order) + (order - 1) * q * (r - 1) - 1,
        );
        expect(Math.log1p(without) / (order - 1)).toBeLessThanOrEqual(forward * (1 + 1e-9));
      }
    }
  });
  it("takes any order, rate and noise, without overflow and never zero", () => {
    for (const mu of [1e-5, 0.01, 1, 10, 300]) {
      for (const q of [1e-12, 1e-3, 0.5, 1 - 1e-9]) {
        const curve = sampledGaussianRenyi(mu * mu, q);
        let before = 0;
        for (const order of [1 + 1e-9, 1.2, 2, 17.5, 1e3, 1e5, 1e6]) {
          const value = curve.at(order);
          expect(value).toBeGreaterThan(0);
          expect(value).toBeGreaterThanOrEqual(before * (1 - 1e-9));
          expect(value).toBeLessThanOrEqual(((order * mu * mu) / 2) * (1 + 1e-9));
          before = value;
        }
      }
    }
  });
  it("no sample, and all of it", () => {
    expect(sampledGaussianRenyi(1, 0).at(5)).toBe(0);
    expect(sampledGaussianRenyi(1, 1).at(5)).toBe(gaussianRenyi(1).at(5));
    expect(() => sampledGaussianRenyi(1, 1.0001)).toThrow(/rate/);
    expect(() => sampledGaussianRenyi(1, Number.NaN)).toThrow(/rate/);
  });
});

/** Both directions of one finite pair after sampling: the truth that generic bounds must cover. */
function sampledPair(p: readonly Rational[], q: readonly Rational[], rate: Rational): RenyiCurve {
  const mixture = q.map((each, i) => add(times(subtract(one, rate), each), times(rate, p[i]!)));
  return finitePairRenyi(mixture, q);
}

describe("sampled curves", () => {
  const pair: readonly [readonly Rational[], readonly Rational[]] = [
    [ratio(1n, 2n), ratio(2n, 5n), ratio(1n, 10n)],
    [ratio(1n, 10n), ratio(1n, 2n), ratio(2n, 5n)],
  ];
  it("cover every finite pair they are given, both ways", () => {
    const masses = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 3, maxLength: 3 });
    const law = (weights: number[]): Rational[] => {
      const total = BigInt(weights.reduce((a, b) => a + b, 0));
      return weights.map((weight) => ratio(BigInt(weight), total));
    };
    fc.assert(
      fc.property(
        masses,
        masses,
        fc.integer({ min: 1, max: 99 }),
        fc.double({ min: 1.01, max: 40, noNaN: true }),
        (x, y, percent, order) => {
          const [p, q, rate] = [law(x), law(y), ratio(BigInt(percent), 100n)];
          const truth = Math.max(sampledPair(p, q, rate).at(order), sampledPair(q, p, rate).at(order));
          const whole = finitePairRenyi(p, q);
          const { maxLoss: _, ...unbounded } = whole;
          expect(sampledRenyi(whole, percent / 100).at(order)).toBeGreaterThanOrEqual(truth * (1 - 1e-11));
          expect(sampledRenyi(unbounded, percent / 100).at(order)).toBeGreaterThanOrEqual(
            truth * (1 - 1e-11),
          );
        },
      ),
      { numRuns: 150 },
    );
  });
  it("are not much above it for a symmetric pair, and below the curve itself", () => {
    const curve = laplaceRenyi(1);
    for (const order of [1.5, 2, 8, 60, 2000]) {
      expect(sampledRenyi(curve, 0.01).at(order)).toBeLessThanOrEqual(curve.at(order));
    }
    const gaussian = { ...gaussianRenyi(1), muSquared: undefined } as unknown as RenyiCurve;
    expect(sampledRenyi(gaussian, 0.01).at(8) / sampledGaussianRenyi(1, 0.01).at(8)).toBeLessThan(1.0001);
    expect(sampledRenyi(gaussian, 0).at(8)).toBe(0);
    expect(sampledRenyi(gaussian, 1)).toBe(gaussian);
  });
  it("without replacement cover three neighbouring laws", () => {
    // ω₀, ω₁, ω₁′ pairwise at most as far apart as the curve says.
    const [a, b] = pair;
    const third = a.map((each, i) => divide(add(each, b[i]!), ratio(2n)));
    const curves = [finitePairRenyi(a, b), finitePairRenyi(a, third), finitePairRenyi(b, third)];
    const worst: RenyiCurve = {
      id: "worst",
      tight: false,
      at: (order) => Math.max(...curves.map((c) => c.at(order))),
    };
    for (const [population, sample] of [
      [10, 1],
      [4, 1],
      [4, 3],
      [1000, 7],
    ] as const) {
      const rate = ratio(BigInt(sample), BigInt(population));
      const mixture = (x: readonly Rational[], y: readonly Rational[]): Rational[] =>
        x.map((each, i) => add(times(subtract(one, rate), each), times(rate, y[i]!)));
      const bound = sampledWithoutReplacementRenyi(worst, population, sample);
      for (const order of [1.3, 2, 3, 5.5, 12]) {
        for (const base of [a, b, third]) {
          const truth = finitePairRenyi(mixture(base, a), mixture(base, b)).at(order);
          expect(bound.at(order)).toBeGreaterThanOrEqual(truth * (1 - 1e-11));
        }
      }
    }
  });
  it("without replacement of a Gaussian cover the sampled pair on a line", () => {
    for (const rate of [0.1, 0.5]) {
      const bound = sampledWithoutReplacementRenyi(gaussianRenyi(1), 10, rate * 10);
      for (const order of [1.5, 2, 4.5, 20]) {
        expect(bound.at(order)).toBeGreaterThanOrEqual(sampledGaussianRenyi(1, rate).at(order) * (1 - 1e-11));
        expect(bound.at(order)).toBeLessThanOrEqual(gaussianRenyi(1).at(order));
      }
    }
  });
  it("refuse what is no sample", () => {
    const curve = gaussianRenyi(1);
    expect(() => sampledRenyi(curve, -0.1)).toThrow(/rate/);
    expect(() => sampledWithoutReplacementRenyi(curve, 0, 0)).toThrow(/population/);
    expect(() => sampledWithoutReplacementRenyi(curve, 10, 11)).toThrow(/sample/);
    expect(() => sampledWithoutReplacementRenyi(curve, 10.5, 1)).toThrow(/population/);
    expect(sampledWithoutReplacementRenyi(curve, 10, 0).at(2)).toBe(0);
    expect(sampledWithoutReplacementRenyi(curve, 10, 10)).toBe(curve);
  });
});

const families: readonly (readonly [string, (x: number) => RenyiCurve])[] = [
  ["gaussian", gaussianRenyi],
  ["laplace", laplaceRenyi],
  ["pure", pureRenyi],
  ["bounded range", boundedRangeRenyi],
  ["zcdp", (x) => zcdpRenyi(x)],
  ["sampled gaussian", (x) => sampledGaussianRenyi(x, 0.02)],
  ["sampled laplace", (x) => sampledRenyi(laplaceRenyi(x), 0.1)],
  ["group of laplace", (x) => groupRenyi(laplaceRenyi(x), 3n)],
  [
    "mixture",
    (x) =>
      mixedRenyi([
        { weight: 0.25, curve: pureRenyi(x) },
        { weight: 0.75, curve: gaussianRenyi(x) },
      ]),
  ],
];

describe("every curve", () => {
  it.each(families)("%s: nondecreasing in the order and in its parameter, (α − 1)·D convex", (_, make) => {
    const order = fc.double({ min: 1.001, max: 200, noNaN: true });
    const parameter = fc.double({ min: 1e-3, max: 5, noNaN: true });
    fc.assert(
      fc.property(parameter, order, order, fc.double({ min: 1, max: 2, noNaN: true }), (x, a, b, factor) => {
        const curve = make(x);
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        expect(curve.at(low)).toBeLessThanOrEqual(curve.at(high) * (1 + 1e-11));
        expect(make(x * factor).at(a)).toBeGreaterThanOrEqual(curve.at(a) * (1 - 1e-9));
        // The least of several bounds need not be convex.
        if (/group|poisson\(0.1/.test(curve.id)) return;
        const middle = (low + high) / 2;
        const scaled = (at: number): number => (at - 1) * curve.at(at);
        expect(scaled(middle)).toBeLessThanOrEqual(((scaled(low) + scaled(high)) / 2) * (1 + 1e-9) + 1e-14);
      }),
      { numRuns: 60 },
    );
  });
  it.each(families)("%s: orders to 10^6, none at or below 1, no other parameter", (_, make) => {
    for (const order of [1 + Number.EPSILON, 1e3, 1e6]) {
      const value = make(0.5).at(order);
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(Number.POSITIVE_INFINITY);
    }
    for (const order of [1, 0.5, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => make(0.5).at(order)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
    }
    for (const x of [-1, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => make(x)).toThrow(/≥ 0/);
    expect(make(0).at(3)).toBe(0);
  });
});

describe("the algebra of curves", () => {
  it("adds up, and counts", () => {
    const curve = laplaceRenyi(0.3);
    const many = composeRenyi([
      { curve, count: 7n },
      { curve: gaussianRenyi(2), count: 1n },
      { curve, count: 0n },
    ]);
    expect(many.at(3)).toBeCloseTo(7 * curve.at(3) + 3, 10);
    expect(many.muSquared).toBeUndefined();
    expect(composeRenyi([{ curve: gaussianRenyi(2), count: 3n }]).muSquared).toBeCloseTo(6, 12);
    expect(composeRenyi([]).at(2)).toBe(0);
    expect(composeRenyi([{ curve: gaussianRenyi(1), count: 10n ** 9n }]).at(2)).toBeCloseTo(1e9, 1);
    expect(() => composeRenyi([{ curve, count: -1n }])).toThrow(/count/);
  });
  it("groups: exact for Gaussians and zCDP, never below the curve rebuilt at k times the sensitivity, never above Mironov's", () => {
    const bare = { ...gaussianRenyi(0.5), muSquared: undefined } as unknown as RenyiCurve;
    for (const k of [1, 2, 3, 17, 700]) {
      const size = BigInt(k);
      for (const order of [1.5, 4, 40]) {
        expect(groupRenyi(zcdpRenyi(0.25), size).at(order) / (k * k * 0.25 * order)).toBeCloseTo(
          1,
          k > 512 ? 2 : 9,
        );
        expect(groupRenyi(bare, size).at(order)).toBeGreaterThanOrEqual(
          gaussianRenyi(0.5 * k * k).at(order) * (1 - 1e-11),
        );
        expect(groupRenyi(laplaceRenyi(0.1), size).at(order)).toBeGreaterThanOrEqual(
          laplaceRenyi(0.1 * k).at(order) * (1 - 1e-11),
        );
      }
    }
    for (const order of [2, 6, 30]) {
      expect(groupRenyi(laplaceRenyi(1), 2n).at(order)).toBeLessThanOrEqual(
        3 * laplaceRenyi(1).at(2 * order),
      );
    }
    expect(() => groupRenyi(bare, 0n)).toThrow(/size/);
  });
  it("mixes: the average of the moments, and quasi-convex (C Lemma 6)", () => {
    const [p, q] = [
      [ratio(1n, 2n), ratio(1n, 2n)],
      [ratio(1n, 4n), ratio(3n, 4n)],
    ] as const;
    const [r, s] = [
      [ratio(1n, 3n), ratio(2n, 3n)],
      [ratio(1n, 2n), ratio(1n, 2n)],
    ] as const;
    const half = (x: readonly Rational[]): Rational[] => x.map((each) => divide(each, ratio(2n)));
    // The coins are seen: outcomes are pairs (coin, outcome).
    const joint = finitePairRenyi([...half(p), ...half(r)], [...half(q), ...half(s)]);
    const apart = mixedRenyi([
      { weight: 0.5, curve: finitePairRenyi(p, q) },
      { weight: 0.5, curve: finitePairRenyi(r, s) },
    ]);
    const blended = finitePairRenyi(
      p.map((each, i) => divide(add(each, r[i]!), ratio(2n))),
      q.map((each, i) => divide(add(each, s[i]!), ratio(2n))),
    );
    for (const order of [1.2, 2, 9]) {
      expect(apart.at(order)).toBeGreaterThanOrEqual(joint.at(order) * (1 - 1e-11));
      expect(blended.at(order)).toBeLessThanOrEqual(
        Math.max(finitePairRenyi(p, q).at(order), finitePairRenyi(r, s).at(order)),
      );
    }
    expect(() => mixedRenyi([{ weight: 0.5, curve: gaussianRenyi(1) }])).toThrow(/sum 1/);
    expect(() => mixedRenyi([])).toThrow(/sum 1/);
  });
  it("chords lie above a convex function and meet it at whole orders", () => {
    const chord = chordOfIntegers((n) => Math.log(Math.expm1(((n - 1) * n) / 2)));
    for (const order of [1.25, 2, 3.75, 9]) expect(chord(order)).toBeGreaterThanOrEqual(order / 2);
    expect(chord(3)).toBeCloseTo(1.5, 10);
    expect(chord(2000)).toBe(Number.POSITIVE_INFINITY);
  });
  it("the least over orders is found among several valleys, without a list of orders", () => {
    const two = leastOverOrders((order) =>
      Math.min(Math.abs(order - 3.21) + 1, Math.abs(order - 512.5) / 100 + 0.9),
    );
    expect(two.order).toBeCloseTo(512.5, 3);
    expect(leastOverOrders((order) => (order - 1.0001) ** 2).order).toBeCloseTo(1.0001, 7);
    expect(leastOverOrders(() => Number.NaN).value).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("the best of a random number of runs", () => {
  /** The law of the best of K runs of a finite mechanism with ordered outcomes, K with these masses. */
  function bestOf(law: readonly number[], trials: readonly number[]): number[] {
    const below = law.map((_, i) => law.slice(0, i + 1).reduce((a, b) => a + b, 0));
    return law.map((_, i) =>
      trials.reduce(
        (sum, mass, k) => sum + mass * (below[i]! ** k - (i === 0 ? (k === 0 ? 1 : 0) : below[i - 1]! ** k)),
        0,
      ),
    );
  }
  const renyiOf = (p: readonly number[], q: readonly number[], order: number): number =>
    Math.log(p.reduce((sum, each, i) => sum + each ** order * q[i]! ** (1 - order), 0)) / (order - 1);
  const laws = [
    [0.5, 0.3, 0.2],
    [0.42, 0.33, 0.25],
  ] as const;
  const exact = finitePairRenyi(
    [ratio(50n, 100n), ratio(30n, 100n), ratio(20n, 100n)],
    [ratio(42n, 100n), ratio(33n, 100n), ratio(25n, 100n)],
  );
  it.each([
    [1, 0.2],
    [0, 0.1],
    [2, 0.5],
    [-0.5, 0.05],
  ])("negative binomial, shape %d, stop %d", (shape, stop) => {
    // P[K = k] ∝ (1−γ)^k·Π_{i<k} (i+η)/(i+1), k ≥ 1; η = 0: (1−γ)^k/k.
    const masses = [0];
    let term = shape === 0 ? 1 - stop : (1 - stop) * Math.abs(shape);
    for (let k = 1; k < 3000; k++) {
      masses.push(term);
      term *= ((1 - stop) * (k + shape)) / (k + 1);
    }
    const total = masses.reduce((a, b) => a + b, 0);
    const trials = masses.map((mass) => mass / total);
    const curve = repeatedRenyi(exact, shape, stop);
    for (const order of [1.5, 3, 20]) {
      for (const [p, q] of [laws, [laws[1], laws[0]]] as const) {
        expect(curve.at(order)).toBeGreaterThanOrEqual(renyiOf(bestOf(p, trials), bestOf(q, trials), order));
      }
      expect(curve.at(order)).toBeGreaterThan(exact.at(order));
    }
    const mean = trials.reduce((sum, mass, k) => sum + mass * k, 0);
    // What the bound is made of: at an order where the divergence is nothing, log E[K]/(α−1) and the price of trials.
    const free = repeatedRenyi(gaussianRenyi(0), shape, stop);
    expect(free.at(11)).toBeGreaterThanOrEqual((Math.log(mean) / 10) * (1 - 1e-9));
    expect(free.at(11)).toBeLessThan((Math.log(mean) / 10) * (1 + 1e-6) + 1e-6);
  });
  const pure = exact.maxLoss!;
  const deltaAt = (epsilon: number): number => Math.max(0, -Math.expm1(epsilon - pure));
  it.each([0.01, 0.5, 0.9, 1, 6])("Poisson of mean %d", (mean) => {
    const trials = [Math.exp(-mean)];
    for (let k = 1; k < 100; k++) trials.push((trials[k - 1]! * mean) / k);
    const curve = poissonRepeatedRenyi(exact, mean, deltaAt);
    for (const order of [1.1, 1.5, 3, 20]) {
      for (const [p, q] of [laws, [laws[1], laws[0]]] as const) {
        // K = 0 adds an outcome of its own, the same under both.
        const [x, y] = [p, q].map((law) => [...bestOf(law, trials.with(0, 0)), trials[0]!]);
        expect(curve.at(order)).toBeGreaterThanOrEqual(renyiOf(x!, y!, order));
        // All K outcomes cost this, and the best of them no more.
        const all = (mean * Math.expm1((order - 1) * exact.at(order))) / (order - 1);
        expect(curve.at(order)).toBeLessThanOrEqual(all * (1 + 1e-11));
      }
    }
  });
  it("Poisson of no mean is refused", () => {
    expect(() => poissonRepeatedRenyi(exact, 0, deltaAt)).toThrow(/mean/);
  });
  it("refuses laws that are none", () => {
    for (const [shape, stop] of [
      [-1, 0.5],
      [1, 0],
      [1, 1],
      [Number.NaN, 0.5],
      [1, Number.NaN],
    ] as const) {
      expect(() => repeatedRenyi(exact, shape, stop)).toThrow(/shape|stop/);
    }
  });
});

describe("tCDP", () => {
  it("ends at ω", () => {
    const curve = zcdpRenyi(0.5, 10);
    expect(curve.at(9.999)).toBeCloseTo(4.9995, 8);
    expect(curve.at(10)).toBe(Number.POSITIVE_INFINITY);
    expect(() => zcdpRenyi(0.5, 1)).toThrow(/omega/);
  });
});
