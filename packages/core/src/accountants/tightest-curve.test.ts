import { describe, expect, it } from "vitest";
import { invalidParameter, LetheError } from "../errors/lethe-error.ts";
import type { RepresentationId } from "../losses/loss-algebra.ts";
import { aimOf } from "../losses/measures/aim.ts";
import type { Bounds, PrivacyCurve } from "../losses/measures/privacy-curve.ts";
import { attempt } from "./attempt.ts";
import { provenCurve } from "./proven-curve.ts";
import { type Source, tightestCurve } from "./tightest-curve.ts";

const inf = Number.POSITIVE_INFINITY;
const invalid = expect.objectContaining({ code: "parameter.invalid" });
const bounds = (name: string, lower: number, upper: number): Bounds => ({
  ...{ lower, upper, provenance: { lower: `${name} below`, upper: `${name} above` } },
});
/** A source that answers every question alike, and whether it was asked. */
function sourceOf(id: RepresentationId, lower: number, upper: number): Source & { asked: number } {
  const source = {
    id,
    asked: 0,
    curve(): PrivacyCurve {
      source.asked += 1;
      const answer = (): Bounds => bounds(id, lower, upper);
      return { epsilon: answer, delta: answer, tradeoff: answer };
    },
  };
  return source;
}
const unreached = (id: RepresentationId): Source => ({ id, curve: () => null });
const refusal = new LetheError("account.unprovable", "nothing", { fix: "ask" });
const tightest = (sources: readonly Source[], accuracy?: number): PrivacyCurve =>
  tightestCurve(sources, aimOf(accuracy), () => refusal);

describe("the tightest of several representations", () => {
  it("has the greatest lower and the least upper end, and names who says each", () => {
    const representations = [
      sourceOf("pure", 0.1, 0.9),
      sourceOf("renyi", 0.3, 0.7),
      sourceOf("zcdp", 0.2, 0.8),
    ];
    const curve = tightest(representations);
    const provenance = { lower: "renyi below", upper: "renyi above" };
    expect(curve.epsilon(0.1)).toMatchObject({ lower: 0.3, upper: 0.7, provenance });
    expect(curve.delta(0.1)).toEqual({ lower: 0.3, upper: 0.7, provenance });
    expect(curve.tradeoff(0.1)).toEqual({ lower: 0.3, upper: 0.7, provenance });
    const split = tightest([sourceOf("pure", 0.1, 0.5), sourceOf("renyi", 0.4, 0.9)]);
    expect(split.delta(0)).toEqual({
      ...{ lower: 0.4, upper: 0.5, provenance: { lower: "renyi below", upper: "pure above" } },
    });
  });

  it("names the first of those that say the same", () => {
    const curve = tightest([sourceOf("pure", 0.3, 0.7), sourceOf("renyi", 0.3, 0.7)]);
    expect(curve.delta(0).provenance).toEqual({ lower: "pure below", upper: "pure above" });
  });

  it("asks no further once the interval is narrow: 10⁻³ of a δ, 10⁻⁴ of a trade-off, what is sought of an ε", () => {
    for (const [ask, width, more] of [
      [(curve: PrivacyCurve) => curve.delta(1), 0.5e-3 * 0.999, 1],
      [(curve: PrivacyCurve) => curve.delta(1), 0.5e-3 * 1.01, 2],
      [(curve: PrivacyCurve) => curve.tradeoff(0.1), 0.99e-4, 1],
      [(curve: PrivacyCurve) => curve.tradeoff(0.1), 1.01e-4, 2],
      [(curve: PrivacyCurve) => curve.epsilon(0.1), 0.009, 1],
      [(curve: PrivacyCurve) => curve.epsilon(0.1), 0.05, 2],
    ] as const) {
      const representations = [sourceOf("pure", 0.5 - width, 0.5), sourceOf("renyi", 0, 1)];
      ask(tightest(representations, 0.02));
      expect(
        representations.filter(({ asked }) => asked > 0),
        `${width}`,
      ).toHaveLength(more);
    }
  });

  it("passes over representations that no theorem reaches, and is refused where there is none", () => {
    const curve = tightest([unreached("pure"), sourceOf("renyi", 0.3, 0.7)]);
    expect(curve.delta(0).lower).toBe(0.3);
    for (const sources of [[], [unreached("pure"), unreached("zcdp")]]) {
      const none = tightest(sources);
      expect(() => none.delta(0)).toThrow(refusal);
      expect(() => none.epsilon(0)).toThrow(refusal);
      expect(() => none.tradeoff(0)).toThrow(refusal);
    }
  });

  it("says nothing where a representation says nothing", () => {
    const trivial = { lower: "trivial", upper: "trivial" };
    expect(tightest([sourceOf("pure", -1, inf)], 0.05).epsilon(0)).toEqual({
      ...{ lower: 0, upper: inf, provenance: trivial, missed: 0.05 },
    });
    expect(tightest([sourceOf("pure", -1, 2)]).delta(0)).toEqual({ lower: 0, upper: 1, provenance: trivial });
    expect(tightest([sourceOf("pure", -1, 2)]).tradeoff(0.25)).toEqual({
      ...{ lower: 0, upper: 0.75, provenance: trivial },
    });
  });

  it("says what width it missed, where an ε is wider than asked for", () => {
    expect(tightest([sourceOf("pure", 0.5, 0.52)], 0.05).epsilon(0)).not.toHaveProperty("missed");
    expect(tightest([sourceOf("pure", 0.5, 0.6)], 0.05).epsilon(0)).toMatchObject({ missed: 0.05 });
    expect(tightest([sourceOf("pure", 0.5, 0.6)], 0.1).epsilon(0)).not.toHaveProperty("missed");
    // Two infinite ends leave nothing open.
    expect(tightest([sourceOf("pure", inf, inf)], 0.05).epsilon(0)).not.toHaveProperty("missed");
    expect(tightest([sourceOf("pure", 1, inf)], 0.05).epsilon(0).missed).toBe(0.05);
    // Without an accuracy: a ten-thousandth of the end that is finite, and at least 1e-6.
    expect(tightest([sourceOf("pure", 1, inf)]).epsilon(0).missed).toBe(1e-4);
    expect(tightest([sourceOf("pure", 0, inf)]).epsilon(0).missed).toBe(1e-6);
  });

  it("is an error of its own where two proofs exclude each other, or one itself", () => {
    const broken = expect.objectContaining({ code: "internal.invariant" });
    const apart = tightest([sourceOf("pure", 0.1, 0.2), sourceOf("renyi", 0.3, 0.4)]);
    for (const ask of [() => apart.delta(0), () => apart.epsilon(0), () => apart.tradeoff(0)]) {
      expect(ask).toThrow(broken);
      expect(ask).toThrow("no number is both ≥ 0.3 and ≤ 0.2 (renyi)");
    }
    expect(() => tightest([sourceOf("pure", 0.4, 0.3)]).delta(0)).toThrow(broken);
    expect(() => tightest([sourceOf("pure", Number.NaN, 0.3)]).delta(0)).toThrow(broken);
    expect(tightest([sourceOf("pure", 0.3, 0.3)]).delta(0)).toMatchObject({ lower: 0.3, upper: 0.3 });
  });

  it("is asked within the domains alone", () => {
    const representation = sourceOf("pure", 0.3, 0.7);
    const curve = tightest([representation]);
    for (const delta of [-Number.MIN_VALUE, 1, Number.NaN])
      expect(() => curve.epsilon(delta)).toThrow(invalid);
    for (const epsilon of [-Number.MIN_VALUE, inf, Number.NaN])
      expect(() => curve.delta(epsilon)).toThrow(invalid);
    for (const alpha of [-Number.MIN_VALUE, 1 + 2 ** -52, Number.NaN])
      expect(() => curve.tradeoff(alpha)).toThrow(invalid);
    expect(representation.asked).toBe(0);
  });
});

describe("a curve along a path", () => {
  const curve = sourceOf("renyi", 0.25, 0.5).curve() as PrivacyCurve;
  const half = {
    ...curve,
    delta: () => ({ ...bounds("renyi", 0, 0.5), provenance: { lower: "trivial", upper: "renyi" } }),
  };

  it("names the arrows walked to it, beside what is proven", () => {
    const proven = provenCurve(curve, ["pure → zcdp", "zcdp → renyi"]);
    const provenance = {
      lower: "renyi below (pure → zcdp; zcdp → renyi)",
      upper: "renyi above (pure → zcdp; zcdp → renyi)",
    };
    for (const found of [proven.delta(1), proven.epsilon(0), proven.tradeoff(1)])
      expect(found).toEqual({ lower: 0.25, upper: 0.5, provenance });
    expect(provenCurve(half, ["arrow"]).delta(0).provenance).toEqual({
      lower: "trivial",
      upper: "renyi (arrow)",
    });
    expect(provenCurve(curve, []).delta(0)).toEqual(bounds("renyi", 0.25, 0.5));
  });

  it("says nothing where its loss is beyond doubles, and passes on what is broken", () => {
    const failing = (error: Error): PrivacyCurve => {
      const fail = (): never => {
        throw error;
      };
      return provenCurve({ delta: fail, epsilon: fail, tradeoff: fail }, ["arrow"]);
    };
    const beyond = failing(invalidParameter("mu", 1e300, "smaller"));
    const provenance = { lower: "trivial", upper: "trivial" };
    expect(beyond.epsilon(0.5)).toEqual({ lower: 0, upper: inf, provenance });
    expect(beyond.delta(0.5)).toEqual({ lower: 0, upper: 1, provenance });
    expect(beyond.tradeoff(0.25)).toEqual({ lower: 0, upper: 0.75, provenance });
    const broken = new LetheError("internal.invariant", "broken", { fix: "report" });
    for (const error of [broken, new RangeError("range")]) {
      const curveOf = failing(error);
      for (const ask of [() => curveOf.epsilon(0), () => curveOf.delta(0), () => curveOf.tradeoff(0)])
        expect(ask).toThrow(error);
    }
  });

  it("refuses a wrong question itself", () => {
    const proven = provenCurve(curve, []);
    expect(() => proven.epsilon(1)).toThrow(invalid);
    expect(() => proven.delta(-1)).toThrow(invalid);
    expect(() => proven.tradeoff(2)).toThrow(invalid);
  });

  it("is attempted: null where the numbers do not fit, and nothing else is caught", () => {
    expect(attempt(() => 3)).toBe(3);
    expect(attempt(() => null)).toBeNull();
    expect(
      attempt(() => {
        throw invalidParameter("mu", 1, "less");
      }),
    ).toBeNull();
    const other = new LetheError("account.budget", "spent", { fix: "stop" });
    expect(() =>
      attempt(() => {
        throw other;
      }),
    ).toThrow(other);
  });
});
