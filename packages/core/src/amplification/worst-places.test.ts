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

const of = (ends: Partial<typeof none> = {}): WorstPlaces =>
  new WorstPlaces(
    { p: Float64Array.from(p!), q: Float64Array.from(q!), edges: new Float64Array(6), ...none, ...ends },
    best,
  );

const plain = of();

/** The most that an outcome of these masses adds to δ(ε), of all places, where Q alone has `first` above all. */
const most = (mass: number, other: number, epsilon: number, first = 0): number =>
  Math.max(
    0,
    ...places.map(
      (s) => mass * best.factor(s) - Math.exp(epsilon) * other * best.factor(Math.min(1, first + above(s))),
    ),
  );

describe("the worst places", () => {
  it.each([0, 1e-10, 1e-6, 1e-5, 1e-3])("an outcome adds as long as the law may err by %d", (slack) => {
    const many = bestOfRuns({ law: "poisson", mean: 100 });
    /** The greatest ε at which anything adds to δ. */
    const last = (error: number): number => {
      // All places are worth the same, so that the line that is best beyond the last gain is as good as any.
      const masses = { p: Float64Array.of(1), q: Float64Array.of(1), edges: new Float64Array(2), ...none };
      const subject = new WorstPlaces(masses, { ...many, slack: error });
      let [low, high] = [0, 10];
      for (let halved = 0; halved < 60; halved += 1) {
        const middle = (low + high) / 2;
        if (subject.delta(middle) > 0) low = middle;
        else high = middle;
      }
      return low;
    };
    expect(last(slack) - last(0)).toBeCloseTo(Math.log((1 + slack) / (1 - slack)), 8);
  });

  it.each([0, 0.2, 0.5, 1, 1.5, 3])(
    "ε = %d: every outcome stands where it adds the most, of all places",
    (epsilon) => {
      const due = p!.reduce((sum, mass, i) => sum + most(mass, q![i]!, epsilon), 0);
      const found = plain.delta(epsilon);
      expect(found).toBeGreaterThanOrEqual(Math.min(1, due));
      expect(found).toBeLessThanOrEqual(due * 1.001 + 0.002);
    },
  );

  it.each([0, 0.5, 1.5, 3])("ε = %d: what Q alone has stands above all others", (epsilon) => {
    const due = p!.reduce((sum, mass, i) => sum + most(mass, q![i]!, epsilon, 0.2), 0);
    const found = of({ infiniteQ: 0.2 }).delta(epsilon);
    expect(found).toBeGreaterThanOrEqual(Math.min(1, due));
    expect(found).toBeLessThanOrEqual(due * 1.001 + 0.002);
  });

  it("what was left out is counted on both sides: twice with P, once above Q", () => {
    const left = of({ left: 0.001 }).delta(3);
    expect(left).toBeGreaterThanOrEqual(plain.delta(3) + 2 * 0.001 * best.factor(0));
    expect(left).toBeLessThan(plain.delta(3) + 3 * 0.001 * best.factor(0));
  });

  it("what P alone has is counted in full, ten times for ten runs expected", () => {
    const lone = new WorstPlaces(
      {
        ...none,
        p: Float64Array.of(0.99),
        q: Float64Array.of(1),
        edges: Float64Array.of(0, 0),
        infiniteP: 0.01,
      },
      best,
    );
    // Places differ by a factor of at most (1/stop)², not by e^20.
    expect(lone.delta(20)).toBeCloseTo(0.1, 9);
    expect(lone.delta(20)).toBeGreaterThanOrEqual(0.1);
    expect(lone.delta(0)).toBeLessThan(0.11);
  });

  it("are given where asked for, and none where nothing is added", () => {
    for (const epsilon of [0, 0.2, 0.5, 1, 1.5]) {
      for (const [i, mass] of p!.entries()) {
        const [due, s] = [most(mass, q![i]!, epsilon), plain.place(mass, q![i]!, epsilon)];
        if (s === null) expect(due).toBeLessThan(1e-3);
        else {
          const there = mass * best.factor(s) - Math.exp(epsilon) * q![i]! * best.factor(above(s));
          expect(there).toBeGreaterThanOrEqual(due - 2e-3);
        }
      }
    }
    expect(plain.place(0, 0.1, 0)).toBeNull();
    expect(plain.place(0.2, 0.1, 20)).toBeNull();
    expect(plain.place(0.2, 0, 20)).toBe(0);
  });

  it("have an ε for a δ: where it is met, and 0 where it is met already", () => {
    for (const delta of [0.5, 0.1, 0.01]) {
      const epsilon = plain.epsilon(delta);
      expect(plain.delta(epsilon - 1e-6)).toBeGreaterThan(delta);
      expect(plain.delta(epsilon + 1e-6)).toBeLessThanOrEqual(delta);
    }
    expect(plain.epsilon(1)).toBeLessThan(1e-8);
    // At ε far out only what is told in full is left, which no ε makes less.
    expect(of({ infiniteP: 0.01 }).epsilon(0.05)).toBeGreaterThan(500);
  });
});
