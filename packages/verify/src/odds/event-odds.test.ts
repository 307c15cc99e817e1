import type { Event } from "@lethe/core";
import { parseRational } from "@lethe/core";
import { lossOdds, odds } from "@lethe/core/accounting";
import { ndtr, ndtri } from "@lethe/core/numeric";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventOdds } from "./event-odds.ts";
import { above, exceededWith } from "./normal.ts";
import { worstOdds } from "./worst-odds.ts";

const compose = (...events: readonly Event[]): Event => ({ kind: "compose", version: 1, events });
const repeat = (count: number, event: Event): Event => ({
  kind: "repeat",
  version: 1,
  count: `${count}`,
  event,
});
const laplace = (scale: string, l1 = "1"): Event => ({ kind: "laplace", version: 1, scale, l1 });
const rounded = (sigma: string, l2Squared = "1"): Event => ({
  kind: "rounded-gaussian",
  version: 1,
  sigma,
  l2Squared,
});
const selecting = (groups: string): Event => ({
  kind: "select-groups",
  version: 1,
  rule: { rule: "laplace-threshold", scale: "2", threshold: "20" },
  groups,
});
const derived = (event: Event, adjacency: "add-or-remove-one" | "replace-one" = "add-or-remove-one") =>
  eventOdds(event, adjacency)!;

/** All outcomes of several finite mechanisms together, with and without the unit. */
function outcomesOf(pairs: readonly { readonly p: readonly number[]; readonly q: readonly number[] }[]) {
  return pairs.reduce<readonly (readonly [number, number])[]>(
    (all, { p, q }) => all.flatMap(([a, b]) => p.map((x, at) => [a * x, b * q[at]!] as const)),
    [[1, 1]],
  );
}

/** The best test of all: outcomes in the order of p/q, the last by a coin. */
function truthOf(outcomes: readonly (readonly [number, number])[]) {
  const right = (laws: readonly (readonly [number, number])[]): number => {
    let [wrong, hits] = [0, 0];
    for (const [p, q] of [...laws].sort((a, b) => b[0] * a[1] - a[0] * b[1])) {
      const share = q === 0 ? 1 : Math.min(1, (0.01 - wrong) / q);
      wrong += share * q;
      hits += share * p;
      if (share < 1) break;
    }
    return hits;
  };
  return {
    advantage: outcomes.reduce((sum, [p, q]) => sum + Math.max(0, p - q), 0),
    truePositives: Math.max(right(outcomes), right(outcomes.map(([p, q]) => [q, p]))),
  };
}

const weights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 3 });
const finite = fc.tuple(weights, weights).map(([a, b]) => {
  const [x, y] = [a, b].map((list) => list.reduce((sum, one) => sum + one, 0)) as [number, number];
  return {
    p: a.map((one) => one / x),
    q: b.map((one) => one / y),
    event: {
      kind: "finite-pair",
      version: 1,
      p: a.map((one) => `${one}/${x}`),
      q: b.map((one) => `${one}/${y}`),
    } as Event,
  };
});

describe("the odds derived here", () => {
  it("of finite mechanisms together are those of the best test of all, in both directions, and never below", () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1, maxLength: 3 }), (list) => {
        const truth = truthOf(outcomesOf(list));
        const own = derived(compose(...list.map(({ event }) => event)));
        for (const key of ["advantage", "truePositives"] as const) {
          expect(own[key]).toBeGreaterThanOrEqual(truth[key] * (1 - 1e-9));
          expect(own[key]).toBeLessThanOrEqual(truth[key] * 1.01 + 1e-9);
        }
        // A Gaussian of this μ has a test as good as that one.
        const { mu } = own;
        expect(ndtr(mu! + ndtri(0.01))).toBeGreaterThanOrEqual(truth.truePositives * (1 - 1e-9));
        expect(2 * ndtr(mu! / 2) - 1).toBeGreaterThanOrEqual(truth.advantage * (1 - 1e-9));
      }),
      { numRuns: 60 },
    );
  });

  it("of a pair whose directions differ are those of the worse one", () => {
    const event: Event = {
      kind: "finite-pair",
      version: 1,
      p: ["1/2", "1/2", "0"],
      q: ["1/100", "49/100", "1/2"],
    };
    for (const each of [event, { ...event, p: event.q, q: event.p }] as Event[]) {
      const own = derived(each);
      expect(own.advantage).toBeCloseTo(0.5, 9);
      // Half for nothing, and of the other half what a hundredth of false alarms buys.
      expect(own.truePositives).toBeGreaterThanOrEqual(0.5098 - 1e-9);
      expect(own.truePositives).toBeLessThan(0.5098 * 1.001);
      expect(own.mu).toBeNull();
    }
  });

  it("of Gaussians are their closed forms, and of Laplace noise on integers sums of its masses", () => {
    const gaussian = derived(compose(rounded("2"), repeat(3, rounded("4"))));
    const mu = Math.sqrt(1 / 4 + 3 / 16);
    expect(gaussian.mu).toBeCloseTo(mu, 12);
    expect(gaussian.advantage).toBeCloseTo(2 * ndtr(mu / 2) - 1, 12);
    expect(gaussian.truePositives).toBeCloseTo(ndtr(mu + ndtri(0.01)), 12);
    for (const [scale, shift] of [
      [3, 1],
      [3, 2],
      [5, 7],
      [0.5, 3],
    ] as const) {
      const mass = (z: number): number =>
        (-Math.expm1(-1 / scale) / (1 + Math.exp(-1 / scale))) * Math.exp(-Math.abs(z) / scale);
      const outcomes = Array.from(
        { length: 801 },
        (_, at) => [mass(at - 400 - shift), mass(at - 400)] as const,
      );
      const truth = truthOf(outcomes);
      const own = derived(laplace(`${scale}`, `${shift}`));
      for (const key of ["advantage", "truePositives"] as const) {
        expect(own[key]).toBeGreaterThanOrEqual(truth[key] * (1 - 1e-9));
        expect(own[key]).toBeLessThanOrEqual(truth[key] * 1.0005);
      }
    }
    const tail = (x: number): number => above(exceededWith(x));
    for (const chance of [1e-12, 0.01, 0.3, 0.7]) expect(tail(chance)).toBeCloseTo(chance, 12);
  });

  it("of a selection are those of its keys one by one, with the chance that all is told", () => {
    const one = derived(selecting("1"));
    const told = Math.exp(-19 / 2) / (1 + Math.exp(-1 / 2));
    expect(one.advantage).toBeCloseTo(told + (1 - told) * Math.tanh(1 / 4), 9);
    expect(one.mu).toBeNull();
    const three = derived(selecting("3"));
    expect(three.advantage).toBeGreaterThan(one.advantage);
    expect(three.advantage).toBeLessThan(Math.tanh(3 / 4));
  });

  it("of samples count both who comes and who goes", () => {
    const [rate, mu] = [0.1, 1.2];
    const sampled: Event = {
      kind: "poisson-sample",
      version: 1,
      rate: `${rate}`,
      event: { kind: "gaussian", version: 1, sigma: "1", sensitivity: `${mu}` },
    };
    const own = derived(sampled);
    expect(own.advantage).toBeCloseTo(rate * (2 * ndtr(mu / 2) - 1), 6);
    // The test that says yes where N(0, 1) is in its upper hundredth.
    const hits = 0.99 * 0 + (1 - rate) * 0.01 + rate * ndtr(mu + ndtri(0.01));
    expect(own.truePositives).toBeGreaterThanOrEqual(hits * (1 - 1e-9));
    expect(own.truePositives).toBeLessThanOrEqual(hits * 1.01);
    expect(eventOdds(sampled, "replace-one")).toBeNull();
  });

  it("agree with core's, which works otherwise", () => {
    const events: readonly Event[] = [
      laplace("2"),
      laplace("1000000", "700000"),
      compose(laplace("2"), laplace("1000000", "300000"), laplace("77", "12")),
      compose(rounded("4"), laplace("4")),
      compose(rounded("300", "900"), selecting("2")),
      repeat(50, laplace("40")),
      { kind: "discrete-gaussian", version: 1, sigmaSquared: "9", l2Squared: "1" },
      {
        kind: "select-groups",
        version: 1,
        rule: { rule: "gaussian-threshold", sigma: "3", threshold: "15" },
        groups: "4",
      },
      compose({ kind: "approximate", version: 1, epsilon: "1/2", delta: "1/1000" }, laplace("3")),
    ];
    for (const event of events) {
      const [own, theirs] = [derived(event), odds(event)];
      for (const key of ["advantage", "truePositives"] as const) {
        expect(own[key] / theirs[key], JSON.stringify(event)).toBeGreaterThan(0.98);
        expect(own[key] / theirs[key], JSON.stringify(event)).toBeLessThan(1.005);
      }
      expect(own.mu === null).toBe(theirs.mu === null);
      if (own.mu !== null) expect(own.mu / theirs.mu!).toBeCloseTo(1, 2);
    }
  });

  it("grow with what is run", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 60 }), fc.integer({ min: 2, max: 60 }), (a, b) => {
        const one = derived(laplace(`${a}`, "2"));
        const two = derived(compose(laplace(`${a}`, "2"), laplace(`${b}`)));
        for (const key of ["advantage", "truePositives", "mu"] as const)
          expect(two[key]!).toBeGreaterThanOrEqual(one[key]! * (1 - 1e-9));
      }),
      { numRuns: 30 },
    );
  });

  it("of a loss alone are those of its worst mechanism", () => {
    for (const loss of [
      { measure: "pure", epsilon: "1" },
      { measure: "approximate", epsilon: "1/2", delta: "1/100" },
      { measure: "approximate", epsilon: "0", delta: "1/4" },
      { measure: "zcdp", rho: "1/10", delta: "0" },
      { measure: "zcdp", rho: "1/1000", delta: "1/1000" },
      { measure: "zcdp", rho: "3", delta: "0" },
    ] as const) {
      const own = worstOdds(loss);
      const exact = (text: string) => parseRational(text);
      const theirs = lossOdds(
        loss.measure === "pure"
          ? { measure: "pure", epsilon: exact(loss.epsilon) }
          : loss.measure === "zcdp"
            ? { measure: "zcdp", rho: exact(loss.rho), delta: exact(loss.delta) }
            : { measure: "approximate", epsilon: exact(loss.epsilon), delta: exact(loss.delta) },
      );
      expect(own.advantage).toBeCloseTo(theirs.advantage, 10);
      expect(own.truePositives / theirs.truePositives).toBeCloseTo(1, 3);
      if (theirs.mu === null) expect(own.mu).toBeNull();
      else expect(own.mu).toBeCloseTo(theirs.mu, 9);
    }
    expect(worstOdds({ measure: "zcdp", rho: "1/10", delta: "0" }).advantage).toBeCloseTo(0.2217419, 6);
    expect(worstOdds({ measure: "pure", epsilon: "10000" })).toMatchObject({
      advantage: 1,
      truePositives: 1,
    });
  });

  it("are none for what is not known here", () => {
    expect(eventOdds({ kind: "bounded-range", version: 1, epsilon: "1" }, "add-or-remove-one")).toBeNull();
    expect(
      eventOdds(compose(laplace("1"), { kind: "zcdp", version: 1, rho: "1" }), "add-or-remove-one"),
    ).toBeNull();
    expect(eventOdds(repeat(100_000_000, laplace("1000")), "add-or-remove-one")).toBeNull();
    expect(derived({ kind: "constant", version: 1 })).toMatchObject({ advantage: 0, mu: 0 });
  });
});
