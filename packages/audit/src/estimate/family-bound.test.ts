import { SeededSource } from "@lethe/core/tape";
import { describe, expect, test } from "vitest";
import { boxMullerDouble } from "../known-bad/doubles.ts";
import { claimOf } from "../verify/claim.ts";
import { familyBound } from "./family-bound.ts";

const epsilons = Array.from({ length: 25 }, (_, i) => i / 8);
const claimAt = (sigma: number) =>
  claimOf(
    { kind: "gaussian", version: 1, sigma: sigma.toFixed(9), sensitivity: "1" },
    "add-or-remove-one",
    epsilons,
  );

/** The scores of a Gaussian of this σ whose mean the canary moves by one. */
function scored(sigma: number, runs: number, seed: number) {
  const bits = new SeededSource(seed);
  const draw = (mean: number): Float64Array =>
    Float64Array.from({ length: runs }, () => mean + sigma * boxMullerDouble(bits));
  return { present: draw(1), absent: draw(0), claimAt, range: [0.5, 4] as const, falseAlarm: 1e-6 };
}

describe("the dearest claim of a family that scores refute", () => {
  test("lies a little beyond the noise that was drawn, the closer the more runs there are", () => {
    const few = familyBound(scored(1, 3_000, 1)).refuted!;
    const many = familyBound(scored(1, 60_000, 2)).refuted!;
    expect(few).toBeGreaterThan(many);
    expect(many).toBeGreaterThan(1);
    expect(many).toBeLessThan(1.12);
  });
  test("refutes a claim of a fifth more noise than was drawn", () => {
    expect(familyBound(scored(0.8, 60_000, 3)).refuted).toBeLessThan(1);
  });
  test("is none where runs tell nothing", () => {
    const still = { ...scored(1, 300, 4), present: new Float64Array(300), absent: new Float64Array(300) };
    expect(familyBound(still).refuted).toBeNull();
    expect(() => familyBound({ ...still, present: new Float64Array(2) })).toThrow(/runs/);
  });
});
