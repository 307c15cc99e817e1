import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problems } from "../testing/samples.ts";
import { type LossDescription, lossOf } from "./loss-of.ts";

const reach = 2;
const bound = 1.5;
const z = fc.double({ min: -reach, max: reach, noNaN: true });
const anyLabel = fc.double({ min: -3, max: 3, noNaN: true });

describe.each(problems.map(({ loss }) => loss))("the loss $name", (description) => {
  const loss = lossOf(description);

  it("is convex, and its slope is a subgradient that stays within the steepest", () => {
    fc.assert(
      fc.property(z, z, anyLabel, (a, b, raw) => {
        const y = loss.label(raw, bound);
        expect(loss.value(b, y)).toBeGreaterThanOrEqual(
          loss.value(a, y) + loss.slope(a, y) * (b - a) - 1e-12,
        );
        expect(Math.abs(loss.slope(a, y))).toBeLessThanOrEqual(loss.steepest(reach, bound) + 1e-12);
      }),
    );
  });

  it("has slopes that change by at most its curvature, which some reach; without one, they jump", () => {
    let steepest = 0;
    const step = 1e-6;
    for (let a = -reach; a < reach; a += 1e-3)
      for (const y of [-1, -0.3, 1].map((raw) => loss.label(raw, bound)))
        steepest = Math.max(steepest, Math.abs(loss.slope(a + step, y) - loss.slope(a, y)) / step);
    if (loss.curvature === null) expect(steepest).toBeGreaterThan(1e5);
    else {
      expect(steepest).toBeLessThanOrEqual(loss.curvature + 1e-6);
      expect(steepest).toBeGreaterThanOrEqual(loss.curvature * 0.999 - 1e-9);
    }
  });

  it("has a worst excess of the prediction 0 that is reached and never passed", () => {
    for (const within of [0.3, 1, reach, 5]) {
      let worst = 0;
      for (let i = 0; i <= 200; i += 1)
        for (let k = 0; k <= 60; k += 1) {
          const y = loss.label(-bound + (k * bound) / 30, bound);
          worst = Math.max(worst, loss.value(0, y) - loss.value(-within + (i * within) / 100, y));
        }
      expect(worst).toBeLessThanOrEqual(loss.worstExcess(within, bound) + 1e-12);
      expect(worst).toBeGreaterThanOrEqual(loss.worstExcess(within, bound) * 0.999);
    }
  });

  it("turns every double into a label within the bound", () => {
    for (const raw of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 7, -7, 0.5])
      expect(Math.abs(loss.label(raw, bound))).toBeLessThanOrEqual(bound);
  });
});

it.each<LossDescription>([
  { name: "sigmoid" } as never,
  { name: "toString" } as never,
  null as never,
  { name: "huber", corner: 0 },
  { name: "smooth-hinge", width: Number.NaN },
])("refuses %o", (description) => {
  expect(() => lossOf(description)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
});
