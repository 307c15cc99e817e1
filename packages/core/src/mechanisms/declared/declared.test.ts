import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gaussianFromBoundedRange } from "../../conversions/gaussian/bounded-range-to-gaussian.ts";
import type { Event, LeafKind } from "../../events/event.ts";
import { pureRenyi } from "../../losses/renyi/curves/pure-renyi.ts";
import { one, parseRational, ratio, toDouble, zero } from "../../numeric/rational.ts";
import { ndtri } from "../../numeric/special/ndtri.ts";
import { price } from "../../price.ts";
import { proveLosses } from "../registry.ts";
import { boundedRange } from "./bounded-range.ts";
import { boundedRangeDelta } from "./bounded-range-pair.ts";
import { gaussianDp } from "./gaussian-dp.ts";

const code = (expected: string) => expect.objectContaining({ code: expected });
const losses = (event: Event) =>
  (proveLosses[event.kind as LeafKind] as (leaf: Event) => ReturnType<(typeof proveLosses)["pure"]>)(event);
const half = ratio(1n, 2n);

describe("declared losses", () => {
  it("of ε-DP are ε, (ε, 0), ε²/2, and randomized response", () => {
    const declared = losses({ kind: "pure", version: 1, epsilon: "1/2", of: "subset-response" });
    expect(declared.pure).toEqual({ measure: "pure", epsilon: half });
    expect(declared.zcdp).toEqual({ measure: "zcdp", rho: ratio(1n, 8n), delta: zero });
    expect(declared.renyi?.at(3)).toBe(pureRenyi(0.5).at(3));
    expect(declared.pair).toMatchObject({ infiniteP: 0, tight: true });
    expect(declared.pair?.maxLoss).toBeCloseTo(0.5, 12);
  });

  it("of (ε, δ)-DP tell all with probability δ", () => {
    const declared = losses({ kind: "approximate", version: 1, epsilon: "1/2", delta: "1/1000" });
    expect(declared.pure).toBeNull();
    expect(declared.renyi).toBeNull();
    expect(declared.zcdp).toEqual({ measure: "zcdp", rho: ratio(1n, 8n), delta: ratio(1n, 1000n) });
    expect(declared.pair?.infiniteP).toBeGreaterThanOrEqual(0.001);
    expect(losses({ kind: "approximate", version: 1, epsilon: "1", delta: "0" }).pure).toEqual({
      measure: "pure",
      epsilon: one,
    });
  });

  it("of ρ-zCDP are never those of a Gaussian", () => {
    const declared = losses({ kind: "zcdp", version: 1, rho: "1/2" });
    expect(declared.pure).toBeNull();
    expect(declared.mixed?.muSquared).toEqual(zero);
    expect(declared.pair).toBeNull();
    expect(declared.renyi?.muSquared).toBeUndefined();
    expect(losses({ kind: "zcdp", version: 1, rho: "0" }).pure?.epsilon).toEqual(zero);
  });

  it("of bounded range: every two-point mechanism of that range has at most this δ and this ρ", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 8, noNaN: true }),
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (epsilon, share, place) => {
          const t = epsilon * share;
          const q = (Math.exp(-t) - Math.exp(-epsilon)) / (1 - Math.exp(-epsilon));
          const at = epsilon * place;
          const delta = Math.max(0, q * (Math.exp(t) - Math.exp(at)));
          expect(delta).toBeLessThanOrEqual(boundedRangeDelta(epsilon, at) * (1 + 1e-9) + 1e-15);
          const order = 1.5 + 6 * share;
          const moment = q * Math.exp(order * t) + (1 - q) * Math.exp(order * (t - epsilon));
          expect(Math.log(moment) / (order - 1)).toBeLessThanOrEqual((order * epsilon * epsilon) / 8 + 1e-9);
        },
      ),
    );
  });

  it("of bounded range: the profile is reached at t = (ε + ε′)/2", () => {
    for (const [epsilon, at] of [
      [1, 0],
      [1, 0.3],
      [4, 2],
    ] as const) {
      const t = (epsilon + at) / 2;
      const q = (Math.exp(-t) - Math.exp(-epsilon)) / (1 - Math.exp(-epsilon));
      expect(boundedRangeDelta(epsilon, at)).toBeCloseTo(q * (Math.exp(t) - Math.exp(at)), 13);
    }
    expect(boundedRangeDelta(1, 0)).toBeCloseTo(Math.tanh(0.25), 13);
    expect(boundedRangeDelta(1, 1)).toBe(0);
    expect(boundedRange.losses({ kind: "bounded-range", version: 1, epsilon: "2" }).zcdp?.rho).toEqual(half);
  });

  it("of bounded range are Gaussian: coins whose log-odds differ by ε are no further apart than N(0, 1) and N(√(π/8)·ε, 1)", () => {
    /** Φ⁻¹(p) − Φ⁻¹(q) of the two-point mechanism at t, from whichever tail is small. */
    const mu = (epsilon: number, t: number): number => {
      const [q, missed] = [
        (Math.exp(-t) - Math.exp(-epsilon)) / (1 - Math.exp(-epsilon)),
        -Math.expm1(-t) / -Math.expm1(-epsilon),
      ];
      const [p, missedP] = [q * Math.exp(t), missed * Math.exp(t - epsilon)];
      const score = (chance: number, other: number) => (chance < other ? ndtri(chance) : -ndtri(other));
      return score(p, missedP) - score(q, missed);
    };
    const claimed = (epsilon: number) =>
      Math.sqrt(
        toDouble(gaussianFromBoundedRange(ratio(BigInt(Math.round(epsilon * 2 ** 40)), 2n ** 40n)), "up"),
      );
    fc.assert(
      fc.property(
        fc.double({ min: 1e-3, max: 20, noNaN: true }),
        fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }),
        (epsilon, share) => {
          expect(mu(epsilon, epsilon * share)).toBeLessThanOrEqual(claimed(epsilon) * (1 + 1e-9) + 1e-9);
        },
      ),
    );
    // Nearly attained by small ε at t = ε/2, so that a μ one in a thousand smaller would be refuted.
    expect(mu(0.05, 0.025)).toBeGreaterThan(claimed(0.05) * 0.999);
  });

  it("of Gaussian DP are those of the Gaussian, also where a composition holds exponential mechanisms", () => {
    const delta = parseRational("1e-6");
    const alone: Event = { kind: "gaussian", version: 1, sigma: "3", sensitivity: "1" };
    const declared: Event = { kind: "gaussian-dp", version: 1, muSquared: "1/9" };
    const target = { measure: "approximate", delta } as const;
    expect(price(declared, target)).toEqual(price(alone, target));
    expect(price({ kind: "compose", version: 1, events: [alone, declared] }, target)).toEqual(
      price({ kind: "gaussian-dp", version: 1, muSquared: "2/9" }, target),
    );
    expect(() => gaussianDp.losses({ kind: "gaussian-dp", version: 1, muSquared: "-1" })).toThrow(
      code("parameter.invalid"),
    );
    expect(() => gaussianFromBoundedRange(ratio(-1n))).toThrow(code("parameter.invalid"));
  });

  it("of shuffles and allocations are for calculators: an exact account refuses them", () => {
    const shuffle: Event = { kind: "shuffle", version: 1, reports: "1000", epsilon: "1" };
    const allocation: Event = {
      kind: "random-allocation",
      version: 1,
      steps: "10",
      selected: "1",
      sigma: "1",
      sensitivity: "1",
    };
    const mixture: Event = {
      kind: "gaussian-mixture",
      version: 1,
      sigma: "2",
      moves: [{ weight: "1", move: "1" }],
    };
    for (const event of [shuffle, allocation, mixture]) {
      expect(() => price(event, { measure: "zcdp" })).toThrow(code("query.missing-delta"));
    }
    expect(() => losses({ ...shuffle, reports: "0" } as Event)).toThrow(code("parameter.invalid"));
    expect(() => losses({ ...allocation, selected: "11" } as Event)).toThrow(code("parameter.invalid"));
  });

  it.each<Event>([
    { kind: "pure", version: 1, epsilon: "-1" },
    { kind: "approximate", version: 1, epsilon: "1", delta: "2" },
    { kind: "zcdp", version: 1, rho: "-1/2" },
    { kind: "bounded-range", version: 1, epsilon: "x" },
  ])("are refused outside their domain: %j", (event) => {
    expect(() => losses(event)).toThrow(code("parameter.invalid"));
  });

  it("of an ε beyond every double say nothing to the PLD, and what is exact to the ledger", () => {
    const declared = losses({ kind: "pure", version: 1, epsilon: "1e400" });
    expect(declared.pair).toBeNull();
    expect(declared.renyi).toBeNull();
    expect(declared.pure?.epsilon).toEqual(parseRational("1e400"));
  });

  it("combinations are refused by an exact account, by name", () => {
    const event: Event = { kind: "pure", version: 1, epsilon: "1" };
    for (const combined of [
      { kind: "group", version: 1, size: "2", event },
      { kind: "poisson-sample", version: 1, rate: "1/2", event },
      { kind: "mix", version: 1, parts: [{ weight: "1", event }] },
    ] as const) {
      expect(() => price(combined, { measure: "pure" })).toThrow(
        expect.objectContaining({
          code: "query.missing-delta",
          fields: { kind: combined.kind, measure: "pure" },
        }),
      );
    }
  });
});
