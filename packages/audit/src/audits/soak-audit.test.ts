import { describe, expect, test } from "vitest";
import { doubleEpsilon } from "../known-bad/double-epsilon.ts";
import { seenInSamples } from "../known-bad/known-bad.ts";
import { knownBad } from "../known-bad/registry.ts";
import { coreSubjects } from "../subjects/registry.ts";
import { isWrong } from "./audit-row.ts";
import { controlStep, mechanismStep, powerOf, type SoakRequest, soakSteps } from "./soak-audit.ts";

const request: SoakRequest = { first: 900, seeds: 3, draws: 200, falseAlarm: 1e-6, spent: () => 0 };
const laplace = coreSubjects.find(({ id }) => id === "discrete-laplace")!;

test("every mechanism and every control that samples can see has its row", () => {
  const steps = soakSteps(request)
    .filter(({ audit }) => audit === "estimate")
    .map(({ subject }) => subject);
  expect(steps).toEqual([
    ...coreSubjects.map(({ id }) => id),
    ...knownBad.filter(seenInSamples).map(({ id }) => id),
  ]);
});

describe("a mechanism", () => {
  test("that is right stands, and progress is told", async () => {
    const told: number[] = [];
    const row = await mechanismStep(laplace, request).make((seeds) => told.push(seeds));
    expect(row).toMatchObject({ of: "lethe", finding: null, ceiling: 1 });
    expect(row.measured).toMatch(
      /^flagged on 0 of 3 seeds, on [01] at a false alarm of 5 %; at most ε ≥ 0\.\d+/,
    );
    expect(told).toEqual([0, 1, 2]);
  });
  test("that is wrong is a finding, with the seed that shows it", async () => {
    const row = await mechanismStep(doubleEpsilon, request).make();
    expect(row.finding).toMatch(/^seed 900 says/);
    expect(isWrong(row)).toBe(true);
  });
});

describe("a control", () => {
  test("that rounds catch is caught, with the power that so many seeds show", async () => {
    const row = await controlStep(doubleEpsilon, request).make();
    expect(isWrong(row)).toBe(false);
    expect(row.measured).toMatch(/^caught in 3 of 3 rounds; of 5 rounds one catches with chance ≥ /);
  });
  test("that they do not catch is missed", async () => {
    const innocent = { ...doubleEpsilon, subject: laplace.subject };
    const row = await controlStep(innocent, { ...request, seeds: 30 }).make();
    expect(row).toMatchObject({ of: "control", finding: null });
    expect(isWrong(row)).toBe(true);
  });
});

test("power: of a thousand rounds without a miss, and of two thirds that catch", () => {
  // 1 − (0.01/19)^(1/1000) is missed at most in a round.
  expect(powerOf(1000, 1000, 1).lo).toBeCloseTo((0.01 / knownBad.length) ** (1 / 1000), 9);
  expect(powerOf(1000, 1000, 2).lo).toBeGreaterThan(0.9999);
  expect(powerOf(600, 900, 5).hi).toBeLessThan(0.9999);
  expect(powerOf(3, 3, 5).hi).toBe(1);
});
