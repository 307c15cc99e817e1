import { describe, expect, it } from "vitest";
import { account } from "../../../account.ts";
import type { Event } from "../../../events/event.ts";
import { ndtr } from "../../../numeric/special/index.ts";
import { gaussianPair, sampledPair } from "../pairs/index.ts";
import type { Interval } from "../search/direction.ts";
import { pairOfTests } from "./pair-of-tests.ts";
import { pldCurve, pldReached } from "./pld-curve.ts";

const near = (value: number): Interval => ({ lower: value * (1 - 1e-6), upper: value * (1 + 1e-6) });

/** H_γ of the pair, both laws taken from its outcomes. */
function hockeyStick(pair: ReturnType<typeof pairOfTests>, gamma: number): number {
  let sum = 0;
  pair.emit({ edge: () => 0, cell: () => 0, atom: () => 0 }, 1e-30, (_cell, p, q) => {
    sum += Math.max(0, p - gamma * q);
  });
  return sum;
}

const gammas = [0.05, 0.2, 0.5, 0.8, 0.95, 1, 1.05, 1.3, 2, 3.9, 10];

describe("what nested tests tell", () => {
  it("is a little less than a Gaussian tells, in both directions", () => {
    const exact = (epsilon: number): number => ndtr(0.5 - epsilon) - Math.exp(epsilon) * ndtr(-0.5 - epsilon);
    const profile = (epsilon: number): Interval => near(exact(epsilon));
    const pair = pairOfTests({ forward: profile, mirrored: profile }, "gaussian");
    for (const gamma of gammas) {
      const truth = gamma >= 1 ? exact(Math.log(gamma)) : 1 - gamma + gamma * exact(-Math.log(gamma));
      expect(hockeyStick(pair, gamma)).toBeLessThanOrEqual(truth);
      expect(hockeyStick(pair, gamma)).toBeGreaterThan(0.99 * truth);
    }
  });

  it.each([
    [
      [0.7, 0.2, 0.1],
      [0.3, 0.3, 0.4],
    ],
    [
      [0.05, 0.15, 0.8],
      [0.01, 0.09, 0.9],
    ],
    [
      [0.9, 0.09, 0.01],
      [0.2, 0.3, 0.5],
    ],
  ])("%j against %j: never more than the laws themselves, in either direction", (p, q) => {
    const exact = (a: readonly number[], b: readonly number[], gamma: number): number =>
      a.reduce((sum, mass, i) => sum + Math.max(0, mass - gamma * b[i]!), 0);
    const pair = pairOfTests(
      {
        forward: (epsilon) => near(exact(p, q, Math.exp(epsilon))),
        mirrored: (epsilon) => near(exact(q, p, Math.exp(epsilon))),
      },
      "finite",
    );
    for (const gamma of gammas) {
      const truth = exact(p, q, gamma);
      expect(hockeyStick(pair, gamma)).toBeLessThanOrEqual(truth + 1e-15);
      expect(hockeyStick(pair, gamma)).toBeGreaterThan(truth - 0.02);
    }
  });

  it("lies below the composition that it is made of, by less than a hundredth", () => {
    const pairs = [{ pair: sampledPair(gaussianPair(1 / 1.1), 256 / 60_000), count: 3515n }];
    const [whole, [reached]] = [pldCurve(pairs), pldReached(pairs, "dp-sgd")];
    const tests = pldCurve([{ pair: reached!, count: 1n }]);
    for (const epsilon of [0, 0.2, 1, 1.5]) {
      expect(tests.delta(epsilon).upper).toBeLessThanOrEqual(whole.delta(epsilon).upper);
      expect(tests.delta(epsilon).lower).toBeGreaterThan(0.99 * whole.delta(epsilon).lower);
    }
  });

  it("gives the best of many runs of DP-SGD a lower end", () => {
    const step: Event = { kind: "gaussian", version: 1, sigma: "1.1", sensitivity: "1" };
    const sgd: Event = {
      kind: "repeat",
      version: 1,
      count: "3515",
      event: { kind: "poisson-sample", version: 1, rate: "256/60000", event: step },
    };
    const trials = { law: "negative-binomial", shape: "1", stop: "1/10" } as const;
    const { lower, upper } = account({ kind: "repeat-and-select", version: 1, trials, event: sgd }).epsilon(
      1e-5,
    );
    expect(lower).toBeGreaterThan(1.707);
    expect(upper).toBeLessThan(1.7265);
  });

  it("is none of what nobody reaches", () => {
    const bound = { ...sampledPair(gaussianPair(1), 0.1), id: "bound", tight: false };
    expect(pldReached([{ pair: bound, count: 3n }], "bound")).toEqual([]);
    expect(pldReached([], "nothing")).toEqual([]);
  });
});
