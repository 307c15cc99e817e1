import { ratio, toDouble } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import { describe, expect, test } from "vitest";
import { quickRequest } from "../audits/audit.ts";
import { isWrong } from "../audits/audit-row.ts";
import { oneRunAudit } from "../audits/one-run-audit.ts";
import { noisyDescent } from "./noisy-descent.ts";
import { trainings } from "./registry.ts";

describe.each(oneRunAudit.steps({ ...quickRequest, seed: 5 }))("one run of $subject", ({ subject, make }) => {
  test("is as its registry line says", async () => {
    const row = await make();
    expect(isWrong(row), JSON.stringify(row)).toBe(false);
    expect(row.of).toBe(trainings.find(({ id }) => id === subject)!.source === null ? "lethe" : "control");
    // What is right is not only not flagged: it is seen to leave a trace.
    expect(row.interval![0]).toBeGreaterThan(0.1);
  });
});

/** Mean and variance of the weights that all, or none, of so many canaries leave. */
function weightsOf(isIn: boolean, options: Parameters<typeof noisyDescent>[0]) {
  const canaries = 20_000;
  const weights = noisyDescent(options)(
    Array.from({ length: canaries }, () => isIn),
    new SeededSource(11),
  );
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / canaries;
  const variance = weights.reduce((sum, weight) => sum + (weight - mean) ** 2, 0) / canaries;
  return { mean, variance };
}

// What is claimed of training hangs on its noise and its rate, and one run shows a fifth of it: these would show a tenth.
test.each([
  { steps: 8, rate: ratio(1n, 2n), sigma: ratio(2n) },
  { steps: 36, rate: one, sigma: ratio(12n) },
])("descent of $steps steps draws the noise that is claimed, whoever is in", (options) => {
  const pace = 0.001;
  const due = options.steps * (pace * toDouble(options.sigma, "up")) ** 2;
  // A standard deviation of 1 %; a scale off by 4 % is 8 %. Beyond 6 % with chance 2e-9.
  expect(Math.abs(weightsOf(false, { ...options, pace }).variance / due - 1)).toBeLessThan(0.06);
});

test("descent takes each example at its rate, clipped to its norm", () => {
  const options = { steps: 8, rate: ratio(1n, 2n), sigma: ratio(1n, 100n), pace: 0.001 };
  // Four steps of eight, each by pace: a standard deviation of 0.25 % of that.
  expect(Math.abs(weightsOf(true, options).mean / 0.004 - 1)).toBeLessThan(0.02);
  expect(Math.abs(weightsOf(false, options).mean)).toBeLessThan(1e-5);
});
