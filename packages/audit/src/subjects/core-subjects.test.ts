import { describe, expect, test } from "vitest";
import { estimate } from "../estimate/estimate.ts";
import { countImpossible } from "../estimate/impossible.ts";
import { verifySubject } from "../verify-subject.ts";
import { coreSubjects } from "./registry.ts";

/* False alarm of the whole file below 1e-6; `lethe audit --soak` runs a thousand seeds of many more samples. */

test("ids are told apart", () => {
  expect(new Set(coreSubjects.map(({ id }) => id)).size).toBe(coreSubjects.length);
});

test("laws that can be enumerated are not refuted, and the discrete Laplace attains its ε", () => {
  const found = coreSubjects.flatMap(({ id, subject }) => {
    const verification = verifySubject(subject());
    return verification ? [{ id, ...verification }] : [];
  });
  expect(found.length).toBeGreaterThanOrEqual(5);
  for (const { id, refuted } of found) expect(refuted, id).toEqual([]);
  expect(found.find(({ id }) => id === "discrete-laplace")!.epsilon.lo).toBeGreaterThan(0.999);
});

describe.each(coreSubjects)("$id", ({ subject }) => {
  test("is not flagged, and gives nothing that its neighbour cannot", () => {
    const made = subject();
    const found = estimate(made, { seed: 11, samples: 1500, falseAlarm: 1e-6 / coreSubjects.length });
    expect(found.broken).toBe(false);
    expect(countImpossible(made, { seed: 12, samples: 400 })?.impossible ?? 0).toBe(0);
  });
});
