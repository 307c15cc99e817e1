import { describe, expect, it } from "vitest";
import { bestOfRuns } from "./run-law.ts";
import { WorstPlaces } from "./worst-places.ts";

const best = bestOfRuns({ law: "negative-binomial", shape: 1, stop: 0.1 });
// In increasing loss: what is likelier under Q stands above.
const [p, q] = [
  [0.5, 0.3, 0.2],
  [0.6, 0.3, 0.1],
];
const none = { infiniteP: 0, infiniteQ: 0, left: 0 };

/** The Q-mass above a place with so much P-mass above it. */
function above(s: number): number {
  let [left, mass] = [s, 0];
  for (const [i, each] of p!.entries()) {
    const share = Math.min(1, Math.max(0, left / each));
    mass += share * q![i]!;
    left -= each;
  }
  return mass;
}

const places = Array.from({ length: 2001 }, (_, i) => i / 2000);

describe("the worst places", () => {
  it.each([0, 0.2, 0.5, 1, 1.5, 3])(
    "ε = %d: every outcome stands where it adds the most, of all places",
    (epsilon) => {
      const due = p!.reduce((sum, mass, i) => {
        const added = places.map(
          (s) => mass * best.factor(s) - Math.exp(epsilon) * q![i]! * best.factor(above(s)),
        );
        return sum + Math.max(0, ...added);
      }, 0);
      const masses = { p: Float64Array.from(p!), q: Float64Array.from(q!), ...none };
      const found = new WorstPlaces(masses as never, best).delta(epsilon);
      expect(found).toBeGreaterThanOrEqual(Math.min(1, due));
      expect(found).toBeLessThanOrEqual(due * 1.001 + 0.002);
    },
  );
});
