import { toDouble } from "@lethe/core";
import { describe, expect, test } from "vitest";
import { coreSubjects } from "../subjects/registry.ts";
import { verifySubject } from "../verify-subject.ts";
import { quickRequest } from "./audit.ts";
import { verifyAudit } from "./verify-audit.ts";

const rowOf = async (subject: string) =>
  verifyAudit
    .steps(quickRequest)
    .find((step) => step.subject === subject)!
    .make();

describe("a pure claim", () => {
  test("that stands is told with the least ε that holds", async () => {
    const row = await rowOf("bounded-geometric");
    expect(row).toMatchObject({
      audit: "verify",
      subject: "bounded-geometric",
      of: "lethe",
      finding: null,
      claim: "ε = 1",
      measured: "needs ε = 0.9999, where 1 is claimed",
      ceiling: 1,
    });
    expect(row.interval![0]).toBeCloseTo(1, 3);
    expect(row.interval![1]).toBeCloseTo(1, 3);
  });
  test("whose law leaves a residual has no upper end either", async () => {
    const row = await rowOf("discrete-laplace");
    expect(row.measured).toBe("needs ε = 0.9999 or more, where 1 is claimed");
    expect(row.interval![1]).toBe(Number.POSITIVE_INFINITY);
  });
  test("that is false is told with the δ that it would need and the forms that refute it", async () => {
    // P[Z ≥ 0] − e·P[Z ≥ 1] at scale 1/2, and least ε 2.
    const a = Math.exp(-2);
    const due = (1 - Math.E * a) / (1 + a);
    const row = await rowOf("double-epsilon");
    expect(row).toMatchObject({
      of: "control",
      finding: `false on some neighbours: at ε = 1 it needs a δ of ${due.toPrecision(3)}; refuted by a set of outcomes, a single outcome, the loss`,
      claim: "ε = 1",
      measured: "needs ε = 1.9999, where 1 is claimed",
      ceiling: 1,
    });
    expect(row.interval![0]).toBeCloseTo(2, 3);
  });
  test("that no ε makes true has no upper end", async () => {
    // A key that one data set alone has: shown where 1 + Z ≥ 4.
    const a = Math.exp(-1);
    const row = await rowOf("dropped-delta");
    expect(row.measured).toBe("needs ε = 64.0000 or more, where 1 is claimed");
    expect(row.interval).toEqual([64, Number.POSITIVE_INFINITY]);
    expect(row.finding).toContain(`needs a δ of ${(a ** 3 / (1 + a)).toPrecision(3)};`);
  });
});

test.each(["rounded-gaussian", "sparse-histogram"])(
  "the curve of %s is told at the point that has the least room below its claim",
  async (id) => {
    const { deltas } = verifySubject(coreSubjects.find((each) => each.id === id)!.subject())!;
    const points = deltas.map(({ point, delta }) => ({
      epsilon: toDouble(point.epsilon, "up"),
      claimed: toDouble(point.delta, "up"),
      lo: toDouble(delta.lo, "down"),
      hi: toDouble(delta.hi, "up"),
    }));
    const least = points.reduce((a, b) => (b.claimed - b.lo < a.claimed - a.lo ? b : a));
    const row = await rowOf(id);
    expect(row).toMatchObject({ finding: null, interval: [least.lo, least.hi], ceiling: least.claimed });
    expect(row.measured).toBe(
      `δ = ${least.lo.toPrecision(3)} at ε = ${least.epsilon}, where ${least.claimed.toPrecision(3)} is claimed`,
    );
  },
);
