import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { account, odds } from "../../account.ts";
import { membershipAdvantage } from "../../conversions/membership-advantage.ts";
import type { Event } from "../../events/event.ts";
import {
  add,
  compare,
  divide,
  multiply,
  parseRational,
  type Rational,
  ratio,
  subtract,
  toDouble,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { ndtr } from "../../numeric/special/ndtr.ts";
import { ndtri } from "../../numeric/special/ndtri.ts";
import { lossOdds, pureMu } from "./loss-odds.ts";

const compose = (...events: readonly Event[]): Event => ({ kind: "compose", version: 1, events });
const repeat = (count: number, event: Event): Event => ({
  kind: "repeat",
  version: 1,
  count: String(count),
  event,
});
const gaussian = (sigma: string): Event => ({ kind: "gaussian", version: 1, sigma, sensitivity: "1" });
const laplace = (scale: string, l1 = "1"): Event => ({ kind: "laplace", version: 1, scale, l1 });
const continuous = (scale: string): Event => ({
  kind: "continuous-laplace",
  version: 1,
  scale,
  sensitivity: "1",
});
const selection: Event = {
  kind: "select-groups",
  version: 1,
  rule: { rule: "truncated-geometric", epsilon: "1", delta: "1/1000000" },
  groups: "1",
};

type Coin = readonly [p: Rational, q: Rational];

/** A finite pair of a few outcomes, exact. */
const finitePairs = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
    minLength: 2,
    maxLength: 4,
  })
  .filter((rows) => rows.some(([p]) => p > 0) && rows.some(([, q]) => q > 0))
  .map((rows): readonly Coin[] => {
    const total = (at: 0 | 1): bigint => rows.reduce((sum, row) => sum + BigInt(row[at]), 0n);
    return rows.map(([p, q]) => [ratio(BigInt(p), total(0)), ratio(BigInt(q), total(1))]);
  });

const eventOf = (coins: readonly Coin[]): Event => ({
  kind: "finite-pair",
  version: 1,
  p: coins.map(([p]) => toText(p)),
  q: coins.map(([, q]) => toText(q)),
});

/** Every outcome of all of them together. */
const product = (parts: readonly (readonly Coin[])[]): readonly Coin[] =>
  parts.reduce<readonly Coin[]>(
    (all, part) => all.flatMap(([p, q]) => part.map(([a, b]): Coin => [multiply(p, a), multiply(q, b)])),
    [[ratio(1n), ratio(1n)]],
  );

/** Σ (p − q)⁺, exact. */
const distance = (coins: readonly Coin[]): Rational =>
  coins.reduce((sum, [p, q]) => (compare(p, q) > 0 ? add(sum, subtract(p, q)) : sum), zero);

/** The most powerful test at α: outcomes in the order of their ratio, the last by a coin. Exact. */
function power(coins: readonly Coin[], alpha: Rational): Rational {
  const order = [...coins].sort(([p, q], [a, b]) => compare(multiply(a, q), multiply(p, b)));
  let [left, right] = [alpha, zero];
  for (const [p, q] of order) {
    if (compare(q, left) <= 0) {
      left = subtract(left, q);
      right = add(right, p);
    } else return add(right, multiply(p, divide(left, q)));
  }
  return right;
}

const coin = (p: string, q: string): Coin => [parseRational(p), parseRational(q)];

/** One part tells all, and others tell all by some chance: the chance of all of them together is rounded several times, and must not fall below 1. */
const toldAtOnce: (readonly Coin[])[] = [
  [coin("1", "0"), coin("0", "1")],
  [coin("1/3", "9/26"), coin("0", "7/26"), coin("1/3", "4/13"), coin("1/3", "1/13")],
  [coin("5/11", "0"), coin("1/11", "0"), coin("2/11", "1/2"), coin("3/11", "1/2")],
];

const mirrored = (coins: readonly Coin[]): readonly Coin[] => coins.map(([p, q]) => [q, p]);
const percent = ratio(1n, 100n);

describe("the odds of an event", () => {
  it("of random finite mechanisms in composition are what an enumeration gives, and never below", () => {
    fc.assert(
      fc.property(fc.array(finitePairs, { minLength: 1, maxLength: 4 }), (parts) => {
        const stated = odds(compose(...parts.map(eventOf)));
        const coins = product(parts);
        const truth = toDouble(distance(coins), "down");
        const right = Math.max(
          toDouble(power(coins, percent), "down"),
          toDouble(power(mirrored(coins), percent), "down"),
        );
        expect(stated.advantage).toBeGreaterThanOrEqual(truth);
        expect(stated.advantage).toBeLessThanOrEqual(truth * 1.01 + 1e-6);
        expect(stated.truePositives).toBeGreaterThanOrEqual(right);
        if (stated.mu === null) return;
        // Both errors of the Gaussian lie below those of every test.
        expect(2 * ndtr(stated.mu / 2) - 1).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
        expect(ndtr(stated.mu + ndtri(0.01))).toBeGreaterThanOrEqual(right * (1 - 1e-12));
      }),
      { numRuns: 150, examples: [[toldAtOnce]] },
    );
  });

  it("of a Gaussian, and of Gaussians together, are its closed forms", () => {
    for (const [event, mu] of [
      [gaussian("3.98"), 1 / 3.98],
      [repeat(9, gaussian("2")), 1.5],
      [
        compose(gaussian("2"), { kind: "rounded-gaussian", version: 1, sigma: "3", l2Squared: "4" }),
        Math.hypot(0.5, 2 / 3),
      ],
    ] as const) {
      const stated = odds(event);
      expect(stated.advantage).toBeCloseTo(2 * ndtr(mu / 2) - 1, 10);
      expect(stated.mu).toBeCloseTo(mu, 12);
      expect(stated.truePositives).toBeCloseTo(ndtr(mu + ndtri(0.01)), 10);
      expect(stated.advantage).toBeGreaterThanOrEqual((2 * ndtr(mu / 2) - 1) * (1 - 1e-15));
    }
    // Through (ε, δ) = (1, 1e-6) the same noise would be told to give .462.
    expect(odds(gaussian("4.22")).advantage).toBeLessThan(0.0944);
  });

  it("of Laplace noise are 1 − e^(−ε/2), on one unit count tanh(ε/2), and on a fine grid as on real numbers", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (hundredths) => {
        const epsilon = hundredths / 100;
        const real = 1 - Math.exp(-epsilon / 2);
        const each = odds(continuous(`100/${hundredths}`));
        expect(each.advantage).toBeGreaterThanOrEqual(real * (1 - 1e-14));
        expect(each.advantage).toBeCloseTo(real, 9);
        expect(odds(laplace(`100/${hundredths}`)).advantage).toBeCloseTo(Math.tanh(epsilon / 2), 9);
        const fine = odds(laplace(`${10n ** 8n}/${hundredths}`, "1000000")).advantage;
        expect(fine).toBeGreaterThanOrEqual(real * (1 - 1e-14));
        expect(fine).toBeCloseTo(real, 6);
      }),
      { numRuns: 25 },
    );
  });

  it("of a discrete Gaussian are the sums of its masses", () => {
    for (const variance of [1, 4, 18, 300]) {
      const masses = Array.from({ length: 401 }, (_, i) => Math.exp(-((i - 200) ** 2) / (2 * variance)));
      const total = masses.reduce((a, b) => a + b);
      // Moved by one: what the middle value has more.
      const truth = masses[200]! / total;
      const stated = odds({
        kind: "discrete-gaussian",
        version: 1,
        sigmaSquared: String(variance),
        l2Squared: "1",
      });
      expect(stated.advantage).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
      expect(stated.advantage).toBeCloseTo(truth, 6);
    }
  });

  it("of compositions lie between what the accountant proves from both sides", () => {
    for (const event of [
      compose(laplace("2"), laplace("3"), laplace("40", "30")),
      compose(laplace("4"), gaussian("3")),
      compose(laplace("3"), selection),
      repeat(20, continuous("30")),
      compose({ kind: "discrete-gaussian", version: 1, sigmaSquared: "9", l2Squared: "1" }, laplace("5")),
    ]) {
      const [whole, stated] = [account(event), odds(event)];
      const [delta, beta] = [whole.delta(0), whole.tradeoff(0.01)];
      expect(stated.advantage).toBeGreaterThanOrEqual(delta.lower);
      expect(stated.advantage).toBeLessThanOrEqual(delta.upper * 1.002);
      expect(stated.truePositives).toBeGreaterThanOrEqual(1 - beta.upper);
      expect(stated.truePositives).toBeLessThanOrEqual((1 - beta.lower) * 1.005);
    }
  });

  it("of samples, of many steps and of large losses are told too", () => {
    const sampled: Event = { kind: "poisson-sample", version: 1, rate: "1/10", event: gaussian("1") };
    expect(odds(sampled).advantage).toBeCloseTo(0.1 * (2 * ndtr(0.5) - 1), 4);
    expect(odds(repeat(100, sampled)).advantage).toBeCloseTo(account(repeat(100, sampled)).delta(0).upper, 8);
    expect(odds(laplace("1/1000")).advantage).toBe(1);
    expect(odds(repeat(2, laplace("1/1000")))).toEqual({ advantage: 1, mu: null, truePositives: 1 });
    expect(odds({ kind: "constant", version: 1 })).toEqual({
      advantage: 0,
      mu: 0,
      truePositives: expect.closeTo(0.01, 12),
    });
  });

  it("of a selection of keys are those of its keys one by one", () => {
    const selecting = (groups: string): Event => ({
      kind: "select-groups",
      version: 1,
      rule: { rule: "truncated-geometric", epsilon: "1/2", delta: "1/1000000" },
      groups,
    });
    const each: Event = { kind: "approximate", version: 1, epsilon: "1/2", delta: "1/1000000" };
    // Two coins of e^(1/2) to 1 tell apart what p² − (1 − p)² = 2p − 1 does.
    expect(odds(selecting("2")).advantage).toBeCloseTo(Math.tanh(1 / 4), 5);
    for (const groups of [2, 5]) {
      const [whole, parts] = [odds(selecting(`${groups}`)), odds(repeat(groups, each))];
      expect(whole.advantage).toBeCloseTo(parts.advantage, 12);
      expect(whole.truePositives).toBeCloseTo(parts.truePositives, 12);
    }
  });

  it("of many coins are those of their number of heads", () => {
    const [count, epsilon] = [200, 1 / 20];
    const heads = 1 / (1 + Math.exp(-epsilon));
    const masses = (p: number): number[] => {
      const list = [(1 - p) ** count];
      for (let k = 1; k <= count; k += 1) list.push(((list[k - 1]! * (count - k + 1)) / k) * (p / (1 - p)));
      return list;
    };
    const [p, q] = [masses(heads), masses(1 - heads)];
    const truth = p.reduce((sum, mass, k) => sum + Math.max(0, mass - q[k]!), 0);
    const stated = odds(repeat(count, laplace("20")));
    expect(stated.advantage).toBeGreaterThanOrEqual(truth * (1 - 1e-9));
    expect(stated.advantage).toBeLessThanOrEqual(truth * 1.01);
    // No test of so many heads or more beats that Gaussian, and some comes within a fiftieth of it.
    const tail = (law: readonly number[], least: number): number =>
      law.slice(least).reduce((sum, mass) => sum + mass, 0);
    const taken = Array.from({ length: 60 }, (_, k) => k + 90).map(
      (least) => ndtri(tail(p, least)) - ndtri(tail(q, least)),
    );
    expect(stated.mu).toBeGreaterThanOrEqual(Math.max(...taken) * (1 - 1e-9));
    expect(stated.mu).toBeLessThanOrEqual(Math.max(...taken) * 1.02);
  });

  it("of a claim alone are those of the worst mechanism of it", () => {
    const zcdp = odds({ kind: "zcdp", version: 1, rho: "1/10" });
    expect(zcdp.advantage).toBeCloseTo(0.2217419, 6);
    const pure = odds({ kind: "pure", version: 1, epsilon: "1" });
    expect(pure.advantage).toBeCloseTo(Math.tanh(0.5), 9);
    expect(pure.mu).toBeCloseTo(pureMu(1), 6);
    const both = odds({ kind: "approximate", version: 1, epsilon: "1", delta: "1/1000" });
    expect(both.advantage).toBeCloseTo(membershipAdvantage(ratio(1n), ratio(1n, 1000n)), 9);
    expect(both.mu).toBeNull();
  });

  it("grow with what is run", () => {
    const scales = ["8", "4", "2", "1"];
    const each = scales.map((scale) => odds(compose(laplace(scale), laplace("9", "7"))));
    for (const key of ["advantage", "truePositives", "mu"] as const) {
      const values = each.map((one) => one[key]!);
      expect([...values].sort((a, b) => a - b)).toEqual(values);
    }
    expect(() => odds({ kind: "laplace", version: 1, scale: "0", l1: "1" })).toThrow(/scale/);
  });
});

describe("the odds of a loss alone", () => {
  it("are those of randomized response, of one that fails, and of the worst zCDP mechanism", () => {
    const pure = lossOdds({ measure: "pure", epsilon: ratio(1n) });
    expect(pure.advantage).toBeCloseTo(Math.tanh(0.5), 12);
    expect(pure.truePositives).toBeCloseTo(0.01 * Math.E, 12);
    // Its one corner is on the Gaussian's curve.
    const corner = 1 / (1 + Math.E);
    expect(ndtr(pure.mu! + ndtri(corner))).toBeCloseTo(1 - corner, 12);
    const failing = lossOdds({ measure: "approximate", epsilon: zero, delta: ratio(1n, 4n) });
    expect(failing).toEqual({ advantage: 0.25, mu: null, truePositives: expect.closeTo(0.26, 12) });
    expect(lossOdds({ measure: "zcdp", rho: ratio(1n, 10n), delta: zero }).advantage).toBeCloseTo(
      0.2217419,
      6,
    );
    expect(lossOdds({ measure: "pure", epsilon: parseRational("1e9") }).advantage).toBe(1);
    expect(lossOdds({ measure: "zcdp", rho: parseRational("1e9"), delta: zero }).advantage).toBe(1);
  });
});
