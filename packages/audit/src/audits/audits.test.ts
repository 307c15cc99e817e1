import { describe, expect, test } from "vitest";
import { knownBad } from "../known-bad/registry.ts";
import { coreSubjects } from "../subjects/registry.ts";
import { fullRequest, quickRequest } from "./audit.ts";
import { isWrong, verdictOf } from "./audit-row.ts";
import { audits } from "./registry.ts";

test("ids are told apart", () => {
  expect(new Set(audits.map(({ id }) => id)).size).toBe(audits.length);
});

test("every control and every mechanism is looked at, each control by each method of its line", () => {
  const steps = new Map(
    audits.map(({ id, steps }) => [id, steps(quickRequest).map(({ subject }) => subject)]),
  );
  for (const { id, caughtBy } of knownBad)
    for (const method of caughtBy) expect(steps.get(method), id).toContain(id);
  for (const { id } of coreSubjects)
    for (const audit of ["verify", "impossible", "estimate"]) expect(steps.get(audit)).toContain(id);
  expect(fullRequest.draws).toBe(100_000);
});

describe("rows", () => {
  test.each(audits.filter(({ id }) => id !== "estimate"))(
    "of $id: first and last step are as they should be",
    async (each) => {
      const steps = each.steps({ ...quickRequest, draws: 200 });
      for (const step of [steps[0]!, steps.at(-1)!]) {
        const row = await step.make();
        expect(row).toMatchObject({ audit: each.id, subject: step.subject });
        expect(isWrong(row), JSON.stringify(row)).toBe(false);
      }
    },
  );
  test("a control that slips through is as wrong as a finding", () => {
    expect(verdictOf({ of: "control", finding: null })).toBe("missed");
    expect(verdictOf({ of: "control", finding: "x" })).toBe("caught");
    expect(verdictOf({ of: "lethe", finding: "x" })).toBe("finding");
    expect(verdictOf({ of: "user", finding: null })).toBe("stands");
  });
});
