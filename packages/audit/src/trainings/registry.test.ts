import { toDouble } from "@lethe/core";
import { SeededSource } from "@lethe/core/tape";
import { describe, expect, test } from "vitest";
import { trainings } from "./registry.ts";

const named = (id: string) => trainings.find((training) => training.id === id)!;
const moments = (xs: readonly number[]): readonly [mean: number, deviation: number] => {
  const mean = xs.reduce((a, b) => a + b, 0) / xs.length;
  return [mean, Math.sqrt(xs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / xs.length)];
};
const scores = (id: string, isIn: boolean): readonly [mean: number, deviation: number] =>
  moments(named(id).train(Array<boolean>(4_000).fill(isIn), new SeededSource(5)));

test("trainings are told apart, and have fewer guesses than canaries", () => {
  expect(new Set(trainings.map(({ id }) => id)).size).toBe(trainings.length);
  for (const { canaries, guesses } of trainings) expect(guesses % 2 === 0 && guesses < canaries).toBe(true);
  expect(trainings.map(({ source }) => source === null)).toEqual([true, true, false, false]);
});

/* Steps, their rate, and the noise of each in clipping norms, at a pace of a thousandth. */
describe.each([
  ["noisy-descent", 8, 1 / 2, 2],
  ["noisy-descent-full", 36, 1, 12],
  ["epochs-uncounted", 64, 1, 3],
  ["noise-of-the-mean", 1, 1, 2 / 100],
])("%s", (id, steps, rate, sigma) => {
  test("draws the noise that it says, and goes as far as it says", () => {
    const [mean, deviation] = scores(id, false);
    const due = (sigma * Math.sqrt(steps)) / 1000;
    // Standard errors of due/√4000 for the mean and due/√8000 for the deviation: eight of each.
    expect(Math.abs(mean)).toBeLessThan((8 * due) / Math.sqrt(4_000));
    expect(Math.abs(deviation / due - 1)).toBeLessThan(8 / Math.sqrt(8_000));
    const [moved] = scores(id, true);
    // A coin more for each step, and gradients that fall by a thousandth a step.
    const far = rate * steps * (1 - (rate * steps) / 2000);
    const spread = Math.sqrt(sigma ** 2 * steps + rate * (1 - rate) * steps) / Math.sqrt(4_000);
    expect(Math.abs(1000 * moved - far)).toBeLessThan(8 * spread + 0.002 * far);
  });
});

test.each([
  // Steps of 1/σ each are one of √steps/σ: 2Φ(μ/2) − 1 for μ = 6/12, 1/3 and 1/2.
  ["noisy-descent-full", 0.1974127],
  ["epochs-uncounted", 0.132368],
  ["noise-of-the-mean", 0.1974127],
])("the claim of %s begins with its total variation and is followed far out", (id, variation) => {
  const { points } = named(id).claim();
  const [first] = points;
  expect(toDouble(first!.epsilon, "up")).toBe(0);
  expect(toDouble(first!.delta, "up")).toBeCloseTo(variation, 4);
  expect(toDouble(first!.delta, "up")).toBeGreaterThan(variation - 1e-6);
  expect(points.map(({ epsilon }) => toDouble(epsilon, "up"))).toEqual(points.map((_, at) => at / 4));
  expect(points.length).toBe(41);
});
