import { describe, expect, test } from "vitest";
import { controlRounds } from "../audits/control-rounds.ts";
import { estimateInRounds } from "../estimate/estimate-in-rounds.ts";
import { countImpossible } from "../estimate/impossible.ts";
import { audit } from "../replay/audit.ts";
import { verifySubject } from "../verify-subject.ts";
import { naiveLaplace } from "./naive-laplace.ts";
import { knownBad } from "./registry.ts";

describe.each(knownBad)("the known-bad subject $id", ({ id, fault, caughtBy, subject, program }) => {
  const made = subject();
  test("is what its registry line says", () => {
    expect(made.id).toBe(id);
    expect(fault).not.toMatch(/\.$/);
    expect(caughtBy.length).toBeGreaterThan(0);
  });
  test.runIf(caughtBy.includes("verify"))("is refuted by its exact law", () => {
    expect(verifySubject(made)!.refuted).not.toEqual([]);
  });
  test.runIf(caughtBy.includes("replay"))("is caught between neighbours with outputs frozen", async () => {
    const { findings } = await audit(program!.run, program!.neighbours);
    expect(findings.map(({ what }) => what)).toContainEqual(expect.stringMatching(/ℓ1 .* > /));
  });
  test.runIf(caughtBy.includes("estimate"))(
    "is caught by samples alone (a miss with chance below 1e-4: `lethe audit --soak` shows it)",
    () => {
      expect(estimateInRounds(made, { ...controlRounds, seed: 7, falseAlarm: 3e-8 }).broken).toBe(true);
    },
  );
});

test("of sums in doubles at least half are impossible for the neighbour", () => {
  const found = countImpossible(naiveLaplace.subject(), { seed: 3, samples: 4000 })!;
  expect(found.drawn).toBe(4000);
  expect(found.impossible / found.drawn).toBeGreaterThan(0.5);
});
