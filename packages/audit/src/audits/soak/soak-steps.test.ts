import { describe, expect, test } from "vitest";
import { impossibleMass } from "../../estimate/impossible.ts";
import { doubleEpsilon } from "../../known-bad/double-epsilon.ts";
import { seenInSamples } from "../../known-bad/known-bad.ts";
import { naiveLaplace } from "../../known-bad/naive-laplace.ts";
import { knownBad } from "../../known-bad/registry.ts";
import { coreSubjects } from "../../subjects/registry.ts";
import { trainings } from "../../trainings/registry.ts";
import { isWrong } from "../audit-row.ts";
import { powerOf } from "./control-step.ts";
import { soakControl } from "./soak-control.ts";
import { soakImpossible } from "./soak-impossible.ts";
import { soakMechanism } from "./soak-mechanism.ts";
import type { SoakRequest } from "./soak-request.ts";
import { soakSteps } from "./soak-steps.ts";
import { soakTraining } from "./soak-training.ts";

const request: SoakRequest = { first: 900, seeds: 3, draws: 200, falseAlarm: 1e-6, spent: () => 0 };
const mechanism = (id: string) => coreSubjects.find((each) => each.id === id)!;
const laplace = mechanism("discrete-laplace");

test("every subject has its row: mechanisms, controls that samples can see, and trainings", () => {
  const rows = soakSteps(request).map(({ audit, subject }) => `${audit}: ${subject}`);
  expect(rows).toEqual([
    ...coreSubjects.map(({ id }) => `impossible: ${id}`),
    `impossible: ${naiveLaplace.id}`,
    ...coreSubjects.map(({ id }) => `estimate: ${id}`),
    ...knownBad.filter(seenInSamples).map(({ id }) => `estimate: ${id}`),
    ...trainings.map(({ id }) => `one-run: ${id}`),
  ]);
});

describe("a mechanism", () => {
  test("that is right stands, and progress is told", async () => {
    const told: number[] = [];
    const row = await soakMechanism(laplace, request).make((seeds) => told.push(seeds));
    expect(row).toMatchObject({ of: "lethe", finding: null, ceiling: 1 });
    expect(row.measured).toMatch(
      /^flagged on 0 of 3 seeds, on [01] at a false alarm of 5 %; at most ε ≥ 0\.\d+/,
    );
    expect(told).toEqual([0, 1, 2]);
  });
  test("that is wrong is a finding, with the seed that shows it", async () => {
    const row = await soakMechanism(doubleEpsilon, request).make();
    expect(row.finding).toMatch(/^seed 900 says that it loses more than it claims/);
    expect(isWrong(row)).toBe(true);
  });
});

describe("outputs that a neighbour cannot give", () => {
  test("are none of pure DP", async () => {
    const row = await soakImpossible(laplace, { ...request, draws: 9_000 }).make();
    expect(row).toMatchObject({ of: "lethe", finding: null, ceiling: 0 });
    expect(row.measured).toMatch(/; 0 of 9,000 in all$/);
  });
  test("are as many as a δ pays for", async () => {
    const paid = coreSubjects.filter(({ subject }) => impossibleMass(subject()) > 0);
    for (const each of paid) {
      const row = await soakImpossible(each, request).make();
      expect(row.finding).toBe(null);
      expect(row.measured).toMatch(/, where [1-9]\d* are covered by δ$/);
    }
    expect(paid.length).toBeGreaterThan(0);
  });
  test("are a finding where there are more", async () => {
    const row = await soakImpossible({ ...naiveLaplace, id: "naive" }, request).make();
    expect(row.finding).toBe("seed 900 says that it gives outputs that its neighbour cannot give");
  });
});

describe("a control", () => {
  test("that rounds catch is caught, with the power that so many seeds show", async () => {
    const row = await soakControl(doubleEpsilon, request).make();
    expect(isWrong(row)).toBe(false);
    expect(row.measured).toMatch(/^caught in 3 of 3 rounds; of 5 rounds one catches with chance ≥ /);
  });
  test("that they do not catch is missed", async () => {
    const innocent = { ...doubleEpsilon, subject: laplace.subject };
    const row = await soakControl(innocent, { ...request, seeds: 30 }).make();
    expect(row).toMatchObject({ of: "control", finding: null });
    expect(isWrong(row)).toBe(true);
  });
});

describe("a training", () => {
  const [right, wrong] = [null, "elsewhere"].map((source) =>
    trainings.filter((each) => (each.source === null) === (source === null)),
  );
  test.each(right!)("$id stands", async (training) => {
    const row = await soakTraining(training, request).make();
    expect(row).toMatchObject({ audit: "one-run", of: "lethe", finding: null });
    expect(row.measured).toMatch(/^flagged on 0 of 3 seeds, on 0 at a false alarm of 5 %; at most ε ≥ /);
  });
  test.each(wrong!)("$id is caught in one run, and is a finding were it ours", async (training) => {
    const row = await soakTraining(training, request).make();
    expect(row.measured).toMatch(/^caught in 3 of 3 rounds; of 2 rounds one catches with chance ≥ /);
    expect(isWrong(row)).toBe(false);
    expect(isWrong(await soakTraining({ ...training, source: null }, request).make())).toBe(true);
  });
});

test("power: of a thousand rounds without a miss, and of two thirds that catch", () => {
  const controls = knownBad.length + trainings.length;
  expect(powerOf(1000, 1000, 1).lo).toBeCloseTo((0.01 / controls) ** (1 / 1000), 9);
  expect(powerOf(1000, 1000, 2).lo).toBeGreaterThan(0.9999);
  expect(powerOf(600, 900, 5).hi).toBeLessThan(0.9999);
  expect(powerOf(3, 3, 5).hi).toBe(1);
});
