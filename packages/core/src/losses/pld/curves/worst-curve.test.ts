import { describe, expect, it } from "vitest";
import type { Bounds, PrivacyCurve } from "../../measures/privacy-curve.ts";
import { worstCurve } from "./worst-curve.ts";

const bounds = (name: string, [lower, upper]: readonly [number, number]): Bounds => ({
  ...{ lower, upper, provenance: { lower: `${name} from below`, upper: `${name} from above` } },
});
/** A curve that answers every question with the same ends, and counts the questions after ε. */
function curveOf(name: string, ends: readonly [number, number]): PrivacyCurve & { readonly asked: number[] } {
  const asked: number[] = [];
  return {
    asked,
    delta: () => bounds(name, ends),
    epsilon: (delta) => {
      asked.push(delta);
      return bounds(name, ends);
    },
    tradeoff: () => bounds(name, ends),
  };
}
const always = (curve: PrivacyCurve) => ({ curve, rough: curve });

describe("the worst of several curves", () => {
  const [wide, high] = [curveOf("wide", [0.1, 0.9]), curveOf("high", [0.3, 0.5])];

  it.each([
    ["in this order", [wide, high]],
    ["in the other", [high, wide]],
  ])("has the greater of either end of δ and ε, and who proves it, %s", (_name, curves) => {
    const worst = worstCurve(curves.map(always));
    const due = {
      lower: 0.3,
      upper: 0.9,
      provenance: { lower: "high from below", upper: "wide from above" },
    };
    expect(worst.delta(1)).toEqual(due);
    // A rough δ of 0.5 or 0.9 does not prove that δ = 0.01 is covered.
    expect(worst.epsilon(0.01)).toEqual(due);
  });

  it.each([
    ["in this order", [wide, high]],
    ["in the other", [high, wide]],
  ])("has the lesser of either end of the trade-off, %s", (_name, curves) => {
    expect(worstCurve(curves.map(always)).tradeoff(0.5)).toEqual({
      ...{ lower: 0.1, upper: 0.5, provenance: { lower: "wide from below", upper: "high from above" } },
    });
  });

  it("does not seek the ε of a curve whose rough δ proves that it is covered, and of no other", () => {
    const first = curveOf("first", [1, 2]);
    const asks: number[] = [];
    const rough = (upper: number): PrivacyCurve => ({
      ...curveOf("rough", [0, 1]),
      delta: (epsilon) => {
        asks.push(epsilon);
        return bounds("rough", [0, upper]);
      },
    });
    const [covered, open] = [curveOf("covered", [5, 6]), curveOf("open", [3, 4])];
    const worst = worstCurve([
      { curve: first, rough: first },
      { curve: covered, rough: rough(0.01) },
      { curve: open, rough: rough(0.0101) },
    ]);
    expect(worst.epsilon(0.01)).toMatchObject({ lower: 3, upper: 4 });
    expect([first.asked, covered.asked, open.asked]).toEqual([[0.01], [], [0.01]]);
    // Both were asked about the upper end of the worst so far.
    expect(asks).toEqual([2, 2]);
  });

  it("that knows no finite ε asks no other", () => {
    const [first, second] = [curveOf("first", [1, Number.POSITIVE_INFINITY]), curveOf("second", [5, 6])];
    expect(worstCurve([first, second].map(always)).epsilon(0.01)).toMatchObject({ lower: 1 });
    expect(second.asked).toEqual([]);
  });

  it("of one is that one, and of none there is none", () => {
    expect(worstCurve([always(wide)])).toBe(wide);
    expect(() => worstCurve([])).toThrow(RangeError);
  });
});
