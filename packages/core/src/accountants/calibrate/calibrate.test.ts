import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { account, largestEpsilon, largestSampleRate, largestSteps, smallestNoise } from "../../account.ts";
import { dpSgdEvent } from "../../events/dp-sgd-event.ts";
import type { Event } from "../../events/event.ts";
import { smallestGaussianSigma } from "./calibrate-with.ts";
import { cross } from "./crossing.ts";

type OracleNumbers = Readonly<Record<string, number>>;
const oracle: { readonly cases: readonly { readonly id: string }[] } = JSON.parse(
  readFileSync(new URL("../../../../../testing/oracles/accounting.json", import.meta.url), "utf8"),
);
const oracleCase = (id: string): OracleNumbers =>
  oracle.cases.find((each) => each.id === id) as unknown as OracleNumbers;
const code = (expected: string) => expect.objectContaining({ code: expected });
const gaussianAt = (sigma: number): Event => ({
  kind: "gaussian",
  version: 1,
  sigma: String(sigma),
  sensitivity: "1",
});

describe("the crossing of a monotone function", () => {
  it("is bracketed to the tolerance in few evaluations, whatever the power", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        fc.double({ min: -8, max: 8, noNaN: true }),
        fc.boolean(),
        (power, place, grows) => {
          let asked = 0;
          const truth = Math.exp(place);
          const result = cross({
            grows,
            start: 1,
            least: 2 ** -40,
            most: 2 ** 40,
            tolerance: 1e-6,
            excess(x) {
              asked += 1;
              const t = Math.log(x / truth) * power;
              // Not a pure power: the slope changes along the way.
              return (grows ? 1 : -1) * (t + 0.2 * Math.tanh(t));
            },
          });
          const [low, high] = grows ? [result.within!, result.beyond!] : [result.beyond!, result.within!];
          expect(low).toBeLessThanOrEqual(truth * (1 + 1e-12));
          expect(high).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
          expect(high / low - 1).toBeLessThan(1.5e-6);
          expect(asked).toBeLessThan(30);
        },
      ),
    );
  });

  it("survives values that are infinite, steps, and crossings beyond the ends", () => {
    const common = { grows: false, start: 1, least: 2 ** -40, most: 2 ** 40, tolerance: 1e-6 };
    const step = cross({ ...common, excess: (x) => (x < 37 ? Number.POSITIVE_INFINITY : -1) });
    expect(step.within).toBeGreaterThanOrEqual(37);
    expect(step.within).toBeLessThan(37.001);
    const free = cross({ ...common, excess: () => Number.NEGATIVE_INFINITY });
    expect(free).toMatchObject({ within: 2 ** -40, beyond: null });
    const never = cross({ ...common, excess: () => Number.POSITIVE_INFINITY });
    expect(never.within).toBeNull();
  });

  it("finds whole numbers exactly", () => {
    for (const truth of [1, 2, 999, 1_234_567]) {
      const result = cross({
        grows: true,
        start: 1000,
        least: 1,
        most: 2 ** 53,
        tolerance: 1e-9,
        round: Math.round,
        excess: (n) => Math.log(n / (truth + 0.5)) / 2,
      });
      expect(result).toMatchObject({ within: truth, beyond: truth + 1 });
    }
  });
});

describe("calibration", () => {
  it.each(["calib-1", "calib-2"])("%s", (id) => {
    const c = oracleCase(id);
    const rate = c.q === undefined ? { units: c.n!, batch: c.batch! } : { rate: c.q };
    const eventAt = (noiseMultiplier: number) => dpSgdEvent({ ...rate, noiseMultiplier, steps: c.steps! });
    const { value, epsilon } = smallestNoise({ eventAt, epsilon: c.epsilon!, delta: c.delta! });
    expect(Math.abs(value / c.value! - 1)).toBeLessThanOrEqual(c.rtol!);
    expect(epsilon.upper).toBeLessThanOrEqual(c.epsilon!);
    // A little less noise certainly costs more.
    const less = account(eventAt(value * (1 - 2e-4))).epsilon(c.delta!);
    expect(less.lower).toBeGreaterThan(c.epsilon! * (1 - 1e-4));
    expect(less.upper).toBeGreaterThan(c.epsilon!);
  });

  it.each(["ag-sigma-1", "ag-sigma-2", "ag-sigma-3"])("%s, in exact arithmetic and by search", (id) => {
    const c = oracleCase(id);
    const target = { epsilon: c.epsilon!, delta: c.delta! };
    const sigma = smallestGaussianSigma(target);
    expect(Math.abs(sigma / c.value! - 1)).toBeLessThanOrEqual(c.rtol!);
    const { value, epsilon } = smallestNoise({ ...target, eventAt: gaussianAt });
    expect(Math.abs(value / c.value! - 1)).toBeLessThanOrEqual(2e-6);
    expect(epsilon.upper).toBeLessThanOrEqual(c.epsilon!);
  });

  it("finds the largest ε of a mechanism that repeats", () => {
    const eventAt = (epsilon: number): Event => ({
      kind: "repeat",
      version: 1,
      count: "10",
      event: { kind: "pure", version: 1, epsilon: String(epsilon) },
    });
    const { value } = largestEpsilon({ eventAt, epsilon: 1, delta: 0, representations: ["pure"] });
    expect(value).toBeGreaterThan(0.1 * (1 - 2e-6));
    expect(value).toBeLessThanOrEqual(0.1);
  });

  it("finds the largest number of steps: one more is not certified", () => {
    const eventAt = (steps: bigint): Event => ({
      kind: "repeat",
      version: 1,
      count: steps.toString(),
      event: gaussianAt(20),
    });
    const target = { epsilon: 1, delta: 1e-6 };
    const { value, epsilon } = largestSteps({ ...target, eventAt });
    expect(epsilon.upper).toBeLessThanOrEqual(1);
    expect(account(eventAt(value + 1n)).epsilon(1e-6).upper).toBeGreaterThan(1);
  });

  it("finds the largest sample rate, and 1 where everything fits", () => {
    const eventAt = (rate: number) => dpSgdEvent({ rate, noiseMultiplier: 2, steps: 100 });
    const target = { epsilon: 1, delta: 1e-5, representations: ["renyi"] as const };
    const { value, epsilon } = largestSampleRate({ ...target, eventAt });
    expect(epsilon.upper).toBeLessThanOrEqual(1);
    expect(
      account(eventAt(value * 1.00001), { representations: ["renyi"] }).epsilon(1e-5).upper,
    ).toBeGreaterThan(1);
    expect(largestSampleRate({ ...target, epsilon: 100, eventAt }).value).toBe(1);
  });

  it("refuses what no value reaches, and targets outside their domain", () => {
    const fixed: Event = { kind: "pure", version: 1, epsilon: "2" };
    const eventAt = (sigma: number): Event => ({
      kind: "compose",
      version: 1,
      events: [fixed, gaussianAt(sigma)],
    });
    expect(() => smallestNoise({ eventAt, epsilon: 1, delta: 1e-6, representations: ["renyi"] })).toThrow(
      code("parameter.invalid"),
    );
    for (const [epsilon, delta] of [
      [0, 0.1],
      [-1, 0.1],
      [Number.NaN, 0.1],
      [Number.POSITIVE_INFINITY, 0.1],
      [1, 1],
      [1, -1],
      [1, Number.NaN],
    ] as const) {
      expect(() => smallestNoise({ eventAt: gaussianAt, epsilon, delta })).toThrow(code("parameter.invalid"));
    }
    expect(() => smallestNoise({ eventAt: gaussianAt, epsilon: 1, delta: 1e-6, start: 0 })).toThrow(
      code("parameter.invalid"),
    );
    expect(() => smallestNoise({ eventAt: gaussianAt, epsilon: 1, delta: 1e-6, tolerance: 0 })).toThrow(
      code("parameter.invalid"),
    );
    expect(() => smallestGaussianSigma({ epsilon: 1, delta: 1e-6, sensitivity: 0 })).toThrow(
      code("parameter.invalid"),
    );
  });
});
