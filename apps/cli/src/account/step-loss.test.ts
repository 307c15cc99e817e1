import type { Event, EventOf } from "@lethe/core";
import { expect, it } from "vitest";
import { type Calibration, gaussianEpsilon, stepLoss } from "./step-loss.ts";

const gaussian = (sigma: string, sensitivity = "1"): EventOf<"gaussian"> => ({
  kind: "gaussian",
  version: 1,
  sigma,
  sensitivity,
});
const laplace: Event = { kind: "continuous-laplace", version: 1, scale: "2", sensitivity: "1" };
const sampled = (rate: string, event: Event): Event => ({ kind: "poisson-sample", version: 1, rate, event });
const delta = 1e-5;
/** √(2·ln(1.25/δ)), to which σ = 1 and a sensitivity of 1 amount. */
const classical = (at: number): number => Math.sqrt(2 * Math.log(1.25 / at));
const closeTo = (value: number): unknown => expect.closeTo(value, 12);

it("Gaussian noise costs the classical formula's ε at the δ that a step is given", () => {
  expect(stepLoss(gaussian("10"), delta, true)).toEqual({ epsilon: closeTo(classical(delta) / 10), delta });
  expect(stepLoss(gaussian("10", "2"), 1e-3, false)).toEqual({
    epsilon: closeTo(classical(1e-3) / 5),
    delta: 1e-3,
  });
  expect(stepLoss(gaussian("10", "0"), delta, true)).toEqual({ epsilon: 0, delta });
});

it("the classical formula is read up to ε = 1 and refused beyond, by the ε that it would give", () => {
  const constant =
    (value: number): Calibration =>
    () =>
      value;
  // An ε is rounded up, so that just below 1 is the most that passes.
  expect(gaussianEpsilon(gaussian("2"), delta, constant(2 - 2 ** -48))).toBeLessThanOrEqual(1);
  expect(() => gaussianEpsilon(gaussian("2"), delta, constant(2))).toThrow(/holds for ε ≤ 1/);
  expect(() => stepLoss(gaussian("1"), delta, true)).toThrowError(
    expect.objectContaining({
      code: "parameter.invalid",
      message: "the classical Gaussian formula holds for ε ≤ 1, and one step has 4.84",
    }),
  );
});

it("a calibration is asked at the sensitivity, at ε = 1 and at the step's δ, and its σ divided by the noise, rounded up", () => {
  const asked: number[][] = [];
  const epsilon = gaussianEpsilon(gaussian("8", "3"), 0.25, (...of) => {
    asked.push(of);
    return 2;
  });
  expect(asked).toEqual([[3, 1, 0.25]]);
  expect(epsilon).toBeGreaterThan(0.25);
  expect(epsilon).toBeLessThan(0.25 * (1 + 2 ** -50));
});

it("a pure mechanism costs its ε and no δ, and an approximate one what it says", () => {
  expect(stepLoss(laplace, delta, true)).toEqual({ epsilon: closeTo(0.5), delta: 0 });
  expect(stepLoss({ kind: "approximate", version: 1, epsilon: "1/2", delta: "1/8" }, delta, false)).toEqual({
    epsilon: 0.5,
    delta: 0.125,
  });
});

it("a Poisson sample costs ln(1 + q(e^ε − 1)) and q times its δ, of a step that may use δ/q, at most a half", () => {
  expect(stepLoss(sampled("1/4", laplace), delta, true)).toEqual({
    epsilon: closeTo(Math.log(1 + 0.25 * (Math.exp(0.5) - 1))),
    delta: 0,
  });
  const inner = classical(4e-5) / 10;
  expect(stepLoss(sampled("1/4", gaussian("10")), delta, true)).toEqual({
    epsilon: closeTo(Math.log(1 + 0.25 * (Math.exp(inner) - 1))),
    delta: closeTo(delta),
  });
  const capped = classical(0.5) / 10;
  expect(stepLoss(sampled("1/4", gaussian("10")), 0.25, true)).toEqual({
    epsilon: closeTo(Math.log(1 + 0.25 * (Math.exp(capped) - 1))),
    delta: closeTo(0.125),
  });
  expect(stepLoss(sampled("0", gaussian("0.001")), delta, true)).toEqual({ epsilon: 0, delta: 0 });
});

it("a Poisson sample has no textbook's price where units are replaced", () => {
  expect(() => stepLoss(sampled("1/4", laplace), delta, false)).toThrow(/of add-or-remove-one/);
});

it("what no textbook prices is refused by its kind", () => {
  const zcdp: Event = { kind: "zcdp", version: 1, rho: "1/2" };
  expect(() => stepLoss(zcdp, delta, true)).toThrowError(
    expect.objectContaining({
      code: "parameter.invalid",
      message: "no textbook prices one zcdp as (ε, δ)",
      fix: "use the answer above: it has no such condition",
    }),
  );
});
