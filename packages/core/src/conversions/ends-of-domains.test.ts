import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, compare, multiply, one, type Rational, ratio, zero } from "../numeric/rational.ts";
import { epsilonFromRhoTextbook } from "./bun-steinke.ts";
import { deltaFromRho, epsilonFromRho, rhoFromEpsilon } from "./canonne-kamath-steinke.ts";
import { groupApproximate, groupPure } from "./composition/group-privacy.ts";
import { heterogeneousComposition } from "./composition/heterogeneous-composition.ts";
import { pureFromRepeatAndSelect, type RunCount } from "./composition/repeat-and-select.ts";
import { gaussianMu } from "./gaussian/gaussian-mu.ts";
import { gaussianDelta } from "./gaussian/gaussian-profile.ts";
import { deltaFromGaussian, epsilonFromGaussian } from "./gaussian/gaussian-to-approximate.ts";
import { deltaFromTcdp, epsilonFromTcdp } from "./tcdp-to-approximate.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const million = ratio(1n, 1_000_000n);
const geometric: RunCount = { law: "negative-binomial", shape: one, stop: ratio(1n, 1000n) };
const poisson: RunCount = { law: "poisson", mean: ratio(10n) };

describe("what loses nothing", () => {
  it("is worth nothing in every other measure", () => {
    expect(epsilonFromRhoTextbook(zero, million)).toEqual(zero);
    expect(epsilonFromRho(zero, million)).toEqual(zero);
    expect(deltaFromRho(zero, zero)).toEqual(zero);
    expect(epsilonFromGaussian(zero, million)).toEqual(zero);
    expect(deltaFromGaussian(zero, zero)).toEqual(zero);
    expect(epsilonFromTcdp(0, Number.POSITIVE_INFINITY, 1e-6)).toBe(0);
    expect(deltaFromTcdp(0, Number.POSITIVE_INFINITY, 0)).toBe(0);
  });

  it("loses nothing however often it is run, or by however many", () => {
    expect(pureFromRepeatAndSelect(geometric, zero)).toEqual(zero);
    expect(pureFromRepeatAndSelect(poisson, zero)).toEqual(zero);
    expect(groupApproximate({ epsilon: 0, delta: 0 }, 1000n)).toEqual({ epsilon: 0, delta: 0 });
  });

  it("changes no composition that it is a part of, but for its δ", () => {
    const some = { epsilon: 0.3, delta: 0, count: 20 };
    const nothing = { epsilon: 0, delta: 0, count: 500 };
    const alone = heterogeneousComposition([some])!;
    const beside = heterogeneousComposition([nothing, some])!;
    for (const epsilon of [0, 0.5, 2, 5]) expect(beside.delta(epsilon)).toEqual(alone.delta(epsilon));
    const idle = heterogeneousComposition([{ ...nothing, delta: 1e-9 }])!;
    expect(idle.delta(0).lower).toBeLessThanOrEqual(5e-7);
    expect(idle.delta(0).upper).toBeGreaterThanOrEqual(4.999e-7);
  });
});

describe("a group of a pure loss", () => {
  it("has no δ, and what its members lose together", () => {
    const size = fc.bigInt({ min: 1n, max: 10n ** 6n });
    fc.assert(
      fc.property(fc.double({ min: 0, max: 50, noNaN: true }), size, (epsilon, members) => {
        const group = groupApproximate({ epsilon, delta: 0 }, members);
        expect(group).toEqual({ epsilon: groupPure(epsilon, members), delta: 0 });
      }),
    );
  });
});

describe("the best of a random number of runs", () => {
  const epsilons = fc.integer({ min: 1, max: 3_000_000 }).map((milli) => ratio(BigInt(milli), 1000n));

  it("loses what one run loses, at least, and (2 + η)·ε at the most, more where a run loses more", () => {
    const laws = fc.record({
      shape: fc.integer({ min: -9, max: 50 }),
      stop: fc.integer({ min: 1, max: 999 }),
    });
    fc.assert(
      fc.property(epsilons, epsilons, laws, (a, b, { shape, stop }) => {
        const tenths = ratio(BigInt(shape), 10n);
        const runs: RunCount = { law: "negative-binomial", shape: tenths, stop: ratio(BigInt(stop), 1000n) };
        const [less, more] = compare(a, b) <= 0 ? [a, b] : [b, a];
        const of = (epsilon: Rational): Rational => pureFromRepeatAndSelect(runs, epsilon);
        expect(compare(of(less), less)).toBeGreaterThanOrEqual(0);
        expect(compare(of(less), multiply(add(ratio(2n), tenths), less))).toBeLessThanOrEqual(0);
        // Up to the grid that each is rounded up to.
        expect(compare(of(less), add(of(more), ratio(1n, 1n << 39n)))).toBeLessThanOrEqual(0);
      }),
      { numRuns: 60 },
    );
  });

  it("loses at most what each run that is expected adds: half of a run's ε a run, where their number is Poisson", () => {
    fc.assert(
      fc.property(epsilons, fc.integer({ min: 1, max: 1000 }), (epsilon, mean) => {
        const of = pureFromRepeatAndSelect({ law: "poisson", mean: ratio(BigInt(mean)) }, epsilon);
        const most = multiply(epsilon, add(one, ratio(BigInt(mean), 2n)));
        expect(compare(of, epsilon)).toBeGreaterThan(0);
        expect(compare(of, add(most, ratio(1n, 1n << 40n)))).toBeLessThanOrEqual(0);
        expect(compare(of, add(epsilon, ratio(BigInt(mean + 1))))).toBeLessThanOrEqual(0);
      }),
      { numRuns: 60 },
    );
  });

  it.each<[string, RunCount, Rational]>([
    ["ε below 0", geometric, ratio(-1n)],
    ["no run on average", { law: "poisson", mean: zero }, one],
    ["a shape of −1", { ...geometric, shape: ratio(-1n) } as RunCount, one],
    ["never stopping", { ...geometric, stop: zero } as RunCount, one],
    ["always stopping", { ...geometric, stop: one } as RunCount, one],
  ])("is not priced with %s", (_, runs, epsilon) => {
    expect(() => pureFromRepeatAndSelect(runs, epsilon)).toThrow(invalid);
  });
});

describe("too little to be told", () => {
  it("is refused: no ρ on the grid, no σ among doubles, no δ that is a probability", () => {
    const least = ratio(1n, 1n << 256n);
    expect(() => rhoFromEpsilon(ratio(1n, 1n << 50n), least)).toThrow(invalid);
    expect(() => gaussianMu(0, 1e-310)).toThrow(invalid);
    const mu = gaussianMu(0, 1e-290);
    expect(gaussianDelta(mu, 0).upper).toBeLessThanOrEqual(1e-290);
    for (const delta of [-1e-9, 1.5, Number.NaN])
      expect(() => groupApproximate({ epsilon: 1, delta }, 2n)).toThrow(invalid);
  });

  it("or too many to be summed: no composition is claimed", () => {
    const runs = { epsilon: 0.1, delta: 0, count: 1e10 };
    expect(heterogeneousComposition([runs, runs])).toBeNull();
  });
});
