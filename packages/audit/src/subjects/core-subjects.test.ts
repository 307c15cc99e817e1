import { describe, expect, test } from "vitest";
import { estimate } from "../estimate/estimate.ts";
import { countImpossible } from "../estimate/impossible.ts";
import { coreSubjects } from "./registry.ts";

/* False alarm of the whole file below 1e-6; `lethe audit --soak` runs a thousand seeds of many more samples. */

test("ids are told apart", () => {
  expect(new Set(coreSubjects.map(({ id }) => id)).size).toBe(coreSubjects.length);
});

describe.each(coreSubjects)("$id", ({ subject }) => {
  test("is not flagged, and gives nothing that its neighbour cannot", () => {
    const made = subject();
    const found = estimate(made, { seed: 11, samples: 1500, falseAlarm: 1e-6 / coreSubjects.length });
    expect(found.broken).toBe(false);
    expect(countImpossible(made, { seed: 12, samples: 400 })?.impossible ?? 0).toBe(0);
  });
});
