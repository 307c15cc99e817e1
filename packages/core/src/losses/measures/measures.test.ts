import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRational, ratio, zero } from "../../numeric/rational.ts";
import {
  composeLosses,
  lossFits,
  lossFromJson,
  lossLeft,
  lossToJson,
  type PrivacyLoss,
  type PrivacyMeasure,
  powerLoss,
  zeroLoss,
} from "./index.ts";

const rational = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.bigInt({ min: 1n, max: 10n ** 9n }))
  .map(([num, den]) => ratio(num, den));
const lossIn: { readonly [M in PrivacyMeasure]: fc.Arbitrary<PrivacyLoss> } = {
  pure: rational.map((epsilon) => ({ measure: "pure", epsilon })),
  approximate: fc
    .tuple(rational, rational)
    .map(([epsilon, delta]) => ({ measure: "approximate", epsilon, delta })),
  zcdp: fc.tuple(rational, rational).map(([rho, delta]) => ({ measure: "zcdp", rho, delta })),
};

describe.each(Object.keys(lossIn) as PrivacyMeasure[])("%s", (measure) => {
  const loss = lossIn[measure];

  it("composes n copies to the n-th power", () => {
    fc.assert(
      fc.property(loss, fc.integer({ min: 0, max: 30 }), (x, n) => {
        const copies = Array.from({ length: n }, () => x);
        expect(composeLosses(measure, copies)).toEqual(powerLoss(x, BigInt(n)));
      }),
    );
  });

  it("is a commutative monoid with zero", () => {
    fc.assert(
      fc.property(loss, loss, (x, y) => {
        expect(composeLosses(measure, [x, y])).toEqual(composeLosses(measure, [y, x]));
        expect(composeLosses(measure, [x, zeroLoss(measure)])).toEqual(x);
      }),
    );
  });

  it("fits a cap exactly when something is left that composes to it", () => {
    fc.assert(
      fc.property(loss, loss, (x, y) => {
        const cap = composeLosses(measure, [x, y]);
        expect(lossFits(x, cap)).toBe(true);
        expect(lossLeft(cap, x)).toEqual(y);
        expect(lossFits(cap, x)).toBe(Object.values(lossToJson(y)).every((v) => v === measure || v === "0"));
      }),
    );
  });

  it("is never left below zero", () => {
    fc.assert(
      fc.property(loss, (x) => {
        expect(lossLeft(zeroLoss(measure), x)).toEqual(zeroLoss(measure));
      }),
    );
  });

  it("reads back what it wrote", () => {
    fc.assert(
      fc.property(loss, (x) => {
        expect(lossFromJson(JSON.parse(JSON.stringify(lossToJson(x))))).toEqual(x);
      }),
    );
  });

  it("refuses a loss of another measure", () => {
    const other = zeroLoss(measure === "pure" ? "zcdp" : "pure");
    expect(() => composeLosses(measure, [other])).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
    expect(() => lossFits(other, zeroLoss(measure))).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
});

describe("losses as texts", () => {
  it("are short fractions", () => {
    expect(lossToJson({ measure: "approximate", epsilon: ratio(1n, 2n), delta: zero })).toEqual({
      measure: "approximate",
      epsilon: "1/2",
      delta: "0",
    });
    expect(lossFromJson({ measure: "pure", epsilon: "0.1" })).toEqual({
      measure: "pure",
      epsilon: parseRational("1/10"),
    });
  });

  it.each([
    null,
    undefined,
    7,
    "pure",
    [],
    {},
    { measure: "renyi", epsilon: "1" },
    { measure: "pure" },
    { measure: "pure", epsilon: 1 },
    { measure: "pure", epsilon: "-1" },
    { measure: "pure", epsilon: "NaN" },
    { measure: "pure", epsilon: "1", delta: "0" },
    { measure: "approximate", epsilon: "1" },
    { measure: "toString", epsilon: "1" },
  ])("refuses %o", (json) => {
    expect(() => lossFromJson(json)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
  });

  it("has no power below zero", () => {
    expect(() => powerLoss(zeroLoss("pure"), -1n)).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
});
