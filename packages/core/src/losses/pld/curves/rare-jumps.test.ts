import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { account } from "../../../account.ts";
import { dpSgdEvent } from "../../../events/index.ts";

interface Known {
  readonly id: string;
  readonly rate: number;
  readonly sigma: number;
  readonly steps: number;
  readonly epsilon: number;
  readonly delta: string;
}
const { cases } = JSON.parse(
  readFileSync(new URL("../../../../../../testing/oracles/dp-sgd.json", import.meta.url), "utf8"),
) as { cases: Known[] };

const sgd = (rate: number, noiseMultiplier: number, steps: number) =>
  account(dpSgdEvent({ rate, noiseMultiplier, steps }), { representations: ["pld"] });

describe("δ and ε of sampled Gaussians whose truth is known to many digits", () => {
  it.each(cases)("$id", ({ rate, sigma, steps, epsilon, delta }) => {
    // A double holds it to 1e-16; the rates and parameters are doubles too.
    const truth = Number(delta);
    const found = sgd(rate, sigma, steps).delta(epsilon);
    expect(found.lower).toBeLessThanOrEqual(truth * (1 + 1e-13));
    expect(found.upper).toBeGreaterThanOrEqual(truth * (1 - 1e-13));
    expect(found.upper - found.lower).toBeLessThanOrEqual(1e-3 * found.upper);
    const back = sgd(rate, sigma, steps).epsilon(truth);
    expect(back.lower).toBeLessThanOrEqual(epsilon * (1 + 1e-12));
    expect(back.upper).toBeGreaterThanOrEqual(epsilon * (1 - 1e-12));
    expect(back.upper - back.lower).toBeLessThanOrEqual(Math.max(1e-4 * epsilon, 1e-6));
    expect(back.missed).toBeUndefined();
  });
});

describe("jumps that are rare and huge", () => {
  it("of 1,574 steps, one of 7,000 units each, at a δ of 3.2e-13", () => {
    // Between what two others state (0.183, 0.193), and where positive convolutions without any transform extrapolate to.
    const found = sgd(1.41e-4, 0.988, 1574).epsilon(3.2e-13);
    expect(found.lower).toBeGreaterThan(0.1874);
    expect(found.upper).toBeLessThan(0.1876);
    expect(found.upper - found.lower).toBeLessThanOrEqual(2e-5);
  });

  it("δ of the same, at the ε where it is 1.95e-13 and where it is 2.9e-11", () => {
    const curve = sgd(1.41e-4, 0.988, 1574);
    const found = curve.delta(0.2);
    // Grids of 4e-4, 2e-4 and 1e-4 give 2.0119e-13, 1.9695e-13, 1.95358e-13 as upper ends.
    expect(found.upper).toBeLessThan(1.9536e-13);
    expect(found.lower).toBeGreaterThan(1.94e-13);
    expect(found.lower).toBeGreaterThan(0.98 * found.upper);
    const nearer = curve.delta(0.1);
    expect(nearer.lower).toBeGreaterThan(0.98 * nearer.upper);
    expect(nearer.lower).toBeGreaterThan(2.8e-11);
    expect(nearer.upper).toBeLessThan(3e-11);
  });

  it.each([
    [0.0000495071, 1.94093, 31, 1.484e-26],
    [0.000268725, 0.844012, 2, 3.462e-19],
    [0.0187449, 3.42687, 89, 1.756e-27],
    [0.0000556785, 1.97864, 1800, 5.715e-23],
    [0.0000162999, 0.758697, 5548, 2.552e-24],
    [0.000157278, 7.73005, 8, 5.37e-22],
    [0.0000217151, 0.451976, 258, 1.858e-12],
    // One tilt that seemed to serve had its mean between two humps.
    [0.0000838417, 1.32985, 6, 2.888e-23],
    [0.000015468, 1.43755, 5, 9.694e-22],
    [0.0000177339, 0.798741, 81, 5.81e-27],
    // Wide cells move masses beyond the cap by more than a pitch.
    [0.0000135555, 10.0305, 1766, 1.755e-15],
    [0.785007, 0.908228, 2879, 4.991e-18],
    // Sums read off the transform are too noisy beside what is asked.
    [0.000026166, 19.882, 734_870, 2.492e-30],
  ])("rate %d, σ %d, %d steps, δ %d: ε and δ agree, both narrow", (rate, sigma, steps, delta) => {
    const curve = sgd(rate, sigma, steps);
    const { lower, upper, missed } = curve.epsilon(delta);
    expect(upper - lower).toBeLessThanOrEqual(Math.max(1e-4 * upper, 1e-6));
    expect(missed).toBeUndefined();
    expect(curve.delta(upper * (1 + 1e-12)).lower).toBeLessThanOrEqual(delta);
    expect(curve.delta(lower * (1 - 1e-12)).upper).toBeGreaterThanOrEqual(delta);
    const back = curve.delta(upper);
    expect(back.lower).toBeGreaterThan(0.98 * back.upper);
  });
});

describe("random settings of DP-SGD", () => {
  const between = (low: number, high: number) =>
    fc.double({ min: Math.log(low), max: Math.log(high), noNaN: true }).map(Math.exp);

  it("have narrow intervals or say that they are missed, and ε and δ agree", () => {
    // A hundredth of what `npm run bench -- random-dpsgd` asks, of fewer steps.
    fc.assert(
      fc.property(
        between(1e-5, 1),
        between(0.4, 20),
        between(1, 3e4).map(Math.round),
        between(1e-30, 1e-3),
        (rate, sigma, steps, delta) => {
          const curve = account(dpSgdEvent({ rate, noiseMultiplier: sigma, steps }));
          const { lower, upper, missed } = curve.epsilon(delta);
          expect(missed === undefined).toBe(upper - lower <= Math.max(1e-4 * upper, 1e-6));
          expect(upper - lower).toBeLessThan(Math.max(1e-3 * upper, 1e-5));
          expect(curve.delta(upper * (1 + 1e-12)).lower).toBeLessThanOrEqual(delta);
          expect(curve.delta(lower * (1 - 1e-12)).upper).toBeGreaterThanOrEqual(delta);
        },
      ),
      { numRuns: 10, seed: 11 },
    );
  });
});

describe("an accuracy that is missed", () => {
  it("is said, with the width that was asked for", () => {
    const curve = account(dpSgdEvent({ rate: 0.5, noiseMultiplier: 0.45, steps: 160418 }), {
      accuracy: 1e-3,
      representations: ["pld"],
    });
    const found = curve.epsilon(1e-5);
    expect(found.upper - found.lower).toBeGreaterThan(1e-3);
    expect(found.missed).toBe(1e-3);
  });

  it("is never said of an interval that is narrow enough", () => {
    expect(sgd(0.01, 1, 100).epsilon(1e-5).missed).toBeUndefined();
    expect(sgd(0.01, 1, 100).epsilon(0)).toMatchObject({ lower: Number.POSITIVE_INFINITY });
    expect(sgd(0.01, 1, 100).epsilon(0).missed).toBeUndefined();
  });

  it("is said of an upper end without a lower one", () => {
    const found = account(dpSgdEvent({ rate: 0.01, noiseMultiplier: 1, steps: 100 }), {
      representations: ["renyi"],
    }).epsilon(1e-5);
    expect(found.lower).toBe(0);
    expect(found.missed).toBeCloseTo(1e-4 * found.upper, 12);
  });
});
