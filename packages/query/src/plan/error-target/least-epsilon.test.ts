import { type Rational, ratio, toDouble } from "@lethe/core";
import { compare } from "@lethe/core/numeric";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { epsilonAt, lastPlace, placeOf } from "./four-digits.ts";
import { leastEpsilon } from "./least-epsilon.ts";

const place = fc.integer({ min: 0, max: lastPlace });

describe("prices of four digits", () => {
  it.each<[number, Rational]>([
    [0, ratio(1n, 1_000_000n)],
    [1, ratio(1001n, 1_000_000_000n)],
    [8999, ratio(9999n, 1_000_000_000n)],
    [9000, ratio(1n, 100_000n)],
    [53_999, ratio(9999n, 10_000n)],
    [54_000, ratio(1n)],
    [54_001, ratio(1001n, 1000n)],
    [80_999, ratio(9999n, 10n)],
    [81_000, ratio(1000n)],
    [81_001, ratio(1001n)],
    [90_001, ratio(10_010n)],
    [lastPlace, ratio(1_000_000n)],
  ])("stand at their places, as at %i", (at, epsilon) => {
    expect(epsilonAt(at)).toEqual(epsilon);
    expect(placeOf(toDouble(epsilon, "down"))).toBe(at);
  });

  it("are found from any number between one and the next", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: lastPlace - 1 }),
        fc.constantFrom(0.001, 0.5, 0.999),
        (at, part) => {
          const [here, next] = [at, at + 1].map((of) => toDouble(epsilonAt(of), "down"));
          expect(placeOf(here! + part * (next! - here!))).toBe(at);
        },
      ),
      { numRuns: 500, seed: 1 },
    );
  });

  it("end where they end, whatever number is asked for", () => {
    for (const x of [Number.NaN, Number.NEGATIVE_INFINITY, -5, 0, 1e-300, 0.999e-6, 1e-6])
      expect(placeOf(x)).toBe(0);
    for (const x of [1e6, 1.001e6, 1e300, Number.POSITIVE_INFINITY]) expect(placeOf(x)).toBe(lastPlace);
    expect(placeOf(999_999)).toBe(lastPlace - 1);
  });
});

describe("the least price that meets a target", () => {
  /** Finds the place from which on an error is met, and how often which price was tried. */
  const search = (
    met: number,
    { high = 2, low = 0.5, target = 1 } = {},
  ): { readonly found: Rational | null; readonly tried: readonly string[] } => {
    const tried: string[] = [];
    const errorAt = (epsilon: Rational): number => {
      tried.push(`${epsilon.num}/${epsilon.den}`);
      return met <= lastPlace && compare(epsilon, epsilonAt(met)) >= 0 ? low : high;
    };
    return { found: leastEpsilon(errorAt, target), tried };
  };

  it("is the very first, wherever it lies and however the error falls", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          place,
          fc.constantFrom(0, 1, 4, 5, 53_996, 54_000, 54_004, lastPlace - 4, lastPlace - 1, lastPlace),
        ),
        fc.constantFrom<object>(
          {},
          { high: Number.POSITIVE_INFINITY, low: 0 },
          { high: 1.001, low: 1 },
          { high: 1e9, low: 1e-9 },
          { high: 1, low: 0, target: 0 },
        ),
        (met, errors) => {
          const { found, tried } = search(met, errors);
          expect(found).toEqual(epsilonAt(met));
          // A plan is slow to price: none is priced twice, and few are.
          expect(new Set(tried).size).toBe(tried.length);
          expect(tried.length).toBeLessThan(60);
        },
      ),
      { numRuns: 400, seed: 2 },
    );
  });

  it("is none where the largest price misses it", () => {
    expect(search(lastPlace + 1).found).toBeNull();
    expect(search(lastPlace + 1, { high: Number.POSITIVE_INFINITY }).found).toBeNull();
  });

  it("is next to nothing where there is no error", () => {
    expect(leastEpsilon(() => 0, 5)).toEqual(ratio(1n, 1_000_000n));
    expect(leastEpsilon(() => 5, 5)).toEqual(ratio(1n, 1_000_000n));
  });

  it("is found at once where the error is in proportion to 1/ε", () => {
    let tries = 0;
    const errorAt = (epsilon: Rational): number => {
      tries += 1;
      return 3 / toDouble(epsilon, "down");
    };
    expect(leastEpsilon(errorAt, 50)).toEqual(ratio(3n, 50n));
    expect(tries).toBeLessThan(10);
  });
});
