import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compare,
  fromDouble,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  toDouble,
  zero,
} from "../numeric/rational.ts";
import {
  approximateFromMixed,
  approximateFromPure,
  approximateFromZcdp,
  deltaFromGaussian,
  deltaFromRho,
  epsilonFromGaussian,
  epsilonFromRho,
  epsilonFromRhoTextbook,
  gaussianDeltaBracket,
  gaussianFromEpsilon,
  rhoFromEpsilon,
  zcdpFromApproximate,
  zcdpFromPure,
} from "./index.ts";
import { greatestTrue, leastTrue } from "./search/search.ts";

interface OracleCase {
  readonly id: string;
  readonly rtol: number;
  readonly [field: string]: number | string;
}
const oracle: { readonly cases: readonly OracleCase[] } = JSON.parse(
  readFileSync(new URL("../../../../testing/oracles/accounting.json", import.meta.url), "utf8"),
);
const casesOf = (prefix: string): (readonly [string, OracleCase])[] =>
  oracle.cases.filter(({ id }) => id.startsWith(prefix)).map((each) => [each.id, each] as const);
/** The decimal that the oracle file writes, not the double next to it. */
const exact = (x: unknown): Rational => parseRational(String(x));

function expectClose(value: Rational, target: unknown, rtol: number): void {
  const error = Math.abs(toDouble(value, "up") / Number(target) - 1);
  expect(error, `${toDouble(value, "up")} against ${target}`).toBeLessThanOrEqual(rtol);
}

describe("oracles", () => {
  it.each(casesOf("ag-sigma-"))("%s", (_id, c) => {
    const muSquared = gaussianFromEpsilon(exact(c.epsilon), exact(c.delta));
    const sigma = 1 / Math.sqrt(toDouble(muSquared, "down"));
    expect(Math.abs(sigma / Number(c.value) - 1)).toBeLessThanOrEqual(c.rtol);
  });
  it.each(casesOf("ag-eps-"))("%s", (_id, c) => {
    const sigma = exact(c.sigma);
    const muSquared = ratio(sigma.den ** 2n, sigma.num ** 2n);
    expectClose(epsilonFromGaussian(muSquared, exact(c.delta)), c.value, c.rtol);
  });
  it.each(casesOf("ag-delta-"))("%s", (_id, c) => {
    const sigma = exact(c.sigma);
    const muSquared = ratio(sigma.den ** 2n, sigma.num ** 2n);
    expectClose(deltaFromGaussian(muSquared, exact(c.epsilon)), c.value, c.rtol);
  });
  it.each(casesOf("zcdp-").filter(([, c]) => "cks" in c))("%s", (_id, c) => {
    const rho = exact(c.rho);
    expectClose(epsilonFromRho(rho, exact(c.delta)), c.cks, c.rtol);
    expectClose(epsilonFromRhoTextbook(rho, exact(c.delta)), c.bun_steinke, c.rtol);
    expectClose(epsilonFromGaussian(multiply(ratio(2n), rho), exact(c.delta)), c.exact_gaussian, c.rtol);
  });
  it.each(casesOf("zcdp-").filter(([, c]) => "epsilon" in c))("%s", (_id, c) => {
    expectClose(deltaFromRho(exact(c.rho), exact(c.epsilon)), c.value, c.rtol);
  });
  it("covers every case of these families", () => {
    expect(casesOf("ag-").length).toBe(8);
    expect(casesOf("zcdp-").length).toBe(3);
  });
});

const anyMuSquared = fc.double({ min: 1e-6, max: 100, noNaN: true }).map(fromDouble);
const anyRho = fc.double({ min: 1e-6, max: 50, noNaN: true }).map(fromDouble);
const anyEpsilon = fc.double({ min: 1e-3, max: 20, noNaN: true }).map(fromDouble);
const anyDelta = fc.integer({ min: 1, max: 14 }).map((places) => ratio(1n, 10n ** BigInt(places)));

describe("the analytic Gaussian", () => {
  it("is certified: δ at the ε it reports is at most δ, and above δ one step of the grid earlier", () => {
    fc.assert(
      fc.property(anyMuSquared, anyDelta, (muSquared, delta) => {
        const epsilon = epsilonFromGaussian(muSquared, delta);
        const bits = 120 + delta.den.toString(2).length;
        expect(compare(gaussianDeltaBracket(muSquared, epsilon, bits).hi, delta)).toBeLessThanOrEqual(0);
        if (epsilon.num > 0n) {
          const before = subtract(epsilon, ratio(1n, 1n << 40n));
          expect(compare(gaussianDeltaBracket(muSquared, before, bits).lo, delta)).toBe(1);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("is bracketed at any precision: coarse ends lie outside fine ones", () => {
    fc.assert(
      fc.property(anyMuSquared, anyEpsilon, fc.integer({ min: 1, max: 24 }), (muSquared, epsilon, bits) => {
        const coarse = gaussianDeltaBracket(muSquared, epsilon, bits);
        const fine = gaussianDeltaBracket(muSquared, epsilon, 160);
        expect(compare(coarse.lo, fine.lo)).toBeLessThanOrEqual(0);
        expect(compare(coarse.hi, fine.hi)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 500 },
    );
  });

  it("grows with μ and shrinks with δ", () => {
    fc.assert(
      fc.property(anyMuSquared, anyMuSquared, anyDelta, anyDelta, (a, b, c, d) => {
        const [less, more] = compare(a, b) <= 0 ? [a, b] : [b, a];
        const [small, large] = compare(c, d) <= 0 ? [c, d] : [d, c];
        const cheapest = epsilonFromGaussian(less, large);
        expect(compare(cheapest, epsilonFromGaussian(more, large))).toBeLessThanOrEqual(0);
        expect(compare(cheapest, epsilonFromGaussian(less, small))).toBeLessThanOrEqual(0);
      }),
      { numRuns: 40 },
    );
  });

  it("inverts within a relative 1e-9, never above what was asked", () => {
    fc.assert(
      fc.property(anyEpsilon, anyDelta, (epsilon, delta) => {
        const muSquared = gaussianFromEpsilon(epsilon, delta);
        expect(compare(epsilonFromGaussian(muSquared, delta), epsilon)).toBeLessThanOrEqual(0);
        const larger = multiply(muSquared, ratio(1_000_000_001n, 1_000_000_000n));
        expect(compare(epsilonFromGaussian(larger, delta), epsilon)).toBe(1);
      }),
      { numRuns: 30 },
    );
  });

  it("passes to zCDP beyond μ² = 256 without a step down", () => {
    const delta = parseRational("1e-6");
    const inside = epsilonFromGaussian(ratio(256n), delta);
    const outside = epsilonFromGaussian(parseRational("256.0000001"), delta);
    expect(compare(inside, outside)).toBe(-1);
  });

  it.each(["0", "1", "-0.1", "2"])("refuses δ = %s", (delta) => {
    expect(() => epsilonFromGaussian(one, parseRational(delta))).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
});

describe("zCDP to approximate DP", () => {
  it("never lies above the textbook form, nor below the exact Gaussian", () => {
    fc.assert(
      fc.property(anyRho, anyDelta, (rho, delta) => {
        const tight = epsilonFromRho(rho, delta);
        expect(compare(tight, epsilonFromRhoTextbook(rho, delta))).toBeLessThanOrEqual(0);
        expect(compare(tight, epsilonFromGaussian(multiply(ratio(2n), rho), delta))).toBeGreaterThanOrEqual(
          0,
        );
      }),
      { numRuns: 60 },
    );
  });

  it("says the same as δ of ε and as ε of δ, to 1e-6", () => {
    fc.assert(
      fc.property(anyRho, anyDelta, (rho, delta) => {
        const epsilon = epsilonFromRho(rho, delta);
        if (epsilon.num === 0n) return;
        const back = toDouble(deltaFromRho(rho, epsilon), "up") / toDouble(delta, "up");
        expect(Math.abs(back - 1)).toBeLessThan(1e-6);
      }),
      { numRuns: 60 },
    );
  });

  it("gives the largest ρ that an (ε, δ) budget covers", () => {
    fc.assert(
      fc.property(anyEpsilon, anyDelta, (epsilon, delta) => {
        const rho = rhoFromEpsilon(epsilon, delta);
        expect(compare(epsilonFromRho(rho, delta), epsilon)).toBeLessThanOrEqual(0);
        const more = multiply(rho, ratio(1_000_001n, 1_000_000n));
        expect(compare(epsilonFromRho(more, delta), epsilon)).toBe(1);
      }),
      { numRuns: 20 },
    );
  });

  it("prices what an approximate zCDP loss leaves of δ, and refuses when it leaves nothing", () => {
    const loss = { measure: "zcdp", rho: ratio(1n, 2n), delta: parseRational("1e-6") } as const;
    const priced = approximateFromZcdp(loss, parseRational("2e-6"));
    expect(priced).toEqual({
      measure: "approximate",
      epsilon: epsilonFromRho(loss.rho, parseRational("1e-6")),
      delta: parseRational("2e-6"),
    });
    expect(() => approximateFromZcdp(loss, loss.delta)).toThrow(
      expect.objectContaining({ code: "query.missing-delta" }),
    );
    expect(approximateFromZcdp({ ...loss, rho: zero }, loss.delta).epsilon).toEqual(zero);
  });
});

describe("exact conversions", () => {
  const epsilon = ratio(1n, 3n);
  it("pure to approximate", () => {
    expect(approximateFromPure({ measure: "pure", epsilon })).toEqual({
      measure: "approximate",
      epsilon,
      delta: zero,
    });
  });
  it("pure and approximate to zCDP: ε²/2", () => {
    expect(zcdpFromPure({ measure: "pure", epsilon })).toEqual({
      measure: "zcdp",
      rho: ratio(1n, 18n),
      delta: zero,
    });
    expect(zcdpFromApproximate({ measure: "approximate", epsilon, delta: ratio(1n, 9n) })).toEqual({
      measure: "zcdp",
      rho: ratio(1n, 18n),
      delta: ratio(1n, 9n),
    });
  });
});

describe("a mixed loss", () => {
  const delta = parseRational("1e-6");
  const part = { measure: "mixed", epsilon: ratio(1n, 4n), delta: zero, muSquared: zero, rho: zero } as const;
  it("keeps its own δ when nothing needs the target", () => {
    expect(approximateFromMixed({ ...part, delta }, ratio(1n, 2n))).toEqual({
      measure: "approximate",
      epsilon: part.epsilon,
      delta,
    });
    expect(() => approximateFromMixed({ ...part, delta }, zero)).toThrow(
      expect.objectContaining({ code: "query.missing-delta" }),
    );
  });
  it("prices Gaussians at what the selections leave of δ", () => {
    const priced = approximateFromMixed({ ...part, delta, muSquared: one }, multiply(ratio(2n), delta));
    expect(subtract(priced.epsilon, part.epsilon)).toEqual(epsilonFromGaussian(one, delta));
    expect(() => approximateFromMixed({ ...part, delta, muSquared: one }, delta)).toThrow(
      expect.objectContaining({ code: "query.missing-delta" }),
    );
  });
  it("prices discrete Gaussians by ρ, together with the others", () => {
    const priced = approximateFromMixed({ ...part, rho: one, muSquared: one }, delta);
    expect(subtract(priced.epsilon, part.epsilon)).toEqual(epsilonFromRho(ratio(3n, 2n), delta));
  });
});

describe("searches on integers", () => {
  it("find the border from any guess", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 6n }),
        fc.bigInt({ min: -5n, max: 2n * 10n ** 6n }),
        (border, guess) => {
          expect(leastTrue(guess, (k) => k >= border)).toBe(border);
          expect(greatestTrue(guess < 0n ? 0n : guess, (k) => k <= border)).toBe(border);
        },
      ),
    );
  });
});
