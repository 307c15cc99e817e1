import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Event, SelectionRule } from "../../events/event.ts";
import { lossFits } from "../../losses/measures/losses.ts";
import { one, parseRational, type Rational, ratio, zero } from "../../numeric/rational.ts";
import { price } from "../../price.ts";
import { halfwayUnits, keepProbability } from "./group-selection.ts";
import { type SelectionRequest, selectionFor } from "./selection-for.ts";

const event = (rule: SelectionRule, groups: bigint): Event => ({
  kind: "select-groups",
  version: 1,
  rule,
  groups: groups.toString(),
});
const approximate = (
  epsilon: Rational,
  delta: Rational,
  groups: bigint,
  minUnits = 1n,
): SelectionRequest => ({
  measure: "approximate",
  epsilon,
  delta,
  groups,
  minUnits,
});
const zcdp = (rho: Rational, delta: Rational, groups: bigint): SelectionRequest => ({
  measure: "zcdp",
  rho,
  delta,
  groups,
});

const small = fc.integer({ min: 1, max: 400 }).map((n) => ratio(BigInt(n), 100n));
const anyDelta = fc.integer({ min: 2, max: 14 }).map((places) => ratio(1n, 10n ** BigInt(places)));
const anyGroups = fc.bigInt({ min: 1n, max: 60n });

describe("selectionFor", () => {
  it("never costs more than it was given, in approximate DP", () => {
    fc.assert(
      fc.property(small, anyDelta, anyGroups, (epsilon, delta, groups) => {
        const rule = selectionFor(approximate(epsilon, delta, groups));
        const loss = price(event(rule, groups), { measure: "approximate", delta });
        expect(lossFits(loss, { measure: "approximate", epsilon, delta })).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("never costs more than it was given, in zCDP", () => {
    fc.assert(
      fc.property(small, anyDelta, anyGroups, (rho, delta, groups) => {
        const rule = selectionFor(zcdp(rho, delta, groups));
        const loss = price(event(rule, groups), { measure: "zcdp" });
        expect(lossFits(loss, { measure: "zcdp", rho, delta })).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it.each(["1e-75", "1e-77", "1e-288", "1e-290", "1e-340"])(
    "has a rule for δ %s, which costs no more than that",
    (text) => {
      const delta = parseRational(text);
      for (const groups of [1n, 3n]) {
        const rule = selectionFor(approximate(one, delta, groups));
        const loss = price(event(rule, groups), { measure: "approximate", delta });
        expect(lossFits(loss, { measure: "approximate", epsilon: one, delta })).toBe(true);
        const other = selectionFor(zcdp(one, delta, groups));
        expect(
          lossFits(price(event(other, groups), { measure: "zcdp" }), { measure: "zcdp", rho: one, delta }),
        ).toBe(true);
      }
    },
  );

  it("takes the optimal rule for one group, and a Gaussian threshold where a unit is in many", () => {
    const delta = parseRational("1e-6");
    expect(selectionFor(approximate(one, delta, 1n))).toEqual({
      rule: "truncated-geometric",
      epsilon: "1",
      delta: "1/1000000",
    });
    expect(selectionFor(approximate(one, delta, 40n)).rule).toBe("gaussian-threshold");
    expect(selectionFor(zcdp(ratio(1n, 10n), delta, 40n)).rule).toBe("gaussian-threshold");
  });

  it("shows half of the groups at a size near the best known", () => {
    // Truncated geometric at (1, 1e-6): π(n) passes 1/2 at n = 14.
    expect(halfwayUnits(selectionFor(approximate(one, parseRational("1e-6"), 1n)))).toBe(14n);
    // 40 groups: the truncated-geometric rule at (1/40, δ/40) would need this many units.
    const split: SelectionRule = { rule: "truncated-geometric", epsilon: "1/40", delta: "1/40000000" };
    const chosen = selectionFor(approximate(one, parseRational("1e-6"), 40n));
    expect(halfwayUnits(chosen)).toBeLessThan(halfwayUnits(split) / 2n);
  });

  it("shifts by the floor", () => {
    const delta = parseRational("1e-6");
    const free = selectionFor(approximate(one, delta, 2n));
    const floored = selectionFor(approximate(one, delta, 2n, 10n));
    expect(halfwayUnits(floored)).toBe(halfwayUnits(free) + 9n);
    expect(keepProbability(floored, 9n)).toBe(0);
    expect(price(event(floored, 2n), { measure: "approximate", delta })).toEqual(
      price(event(free, 2n), { measure: "approximate", delta }),
    );
  });

  it("falls back to a threshold where the optimal table would have no end", () => {
    const rule = selectionFor(approximate(parseRational("1e-5"), parseRational("1e-12"), 1n));
    expect(rule.rule).toBe("laplace-threshold");
  });

  it.each([
    ["pure DP", { measure: "pure", epsilon: one, groups: 1n }, "query.missing-delta"],
    ["δ = 0", approximate(one, zero, 1n), "query.missing-delta"],
    ["δ = 1", approximate(one, one, 1n), "parameter.invalid"],
    ["ε = 0", approximate(zero, ratio(1n, 9n), 1n), "parameter.invalid"],
    ["ρ = 0", zcdp(zero, ratio(1n, 9n), 1n), "parameter.invalid"],
    ["no groups", approximate(one, ratio(1n, 9n), 0n), "parameter.invalid"],
    ["no floor", approximate(one, ratio(1n, 9n), 1n, 0n), "parameter.invalid"],
  ])("refuses %s", (_name, request, code) => {
    expect(() => selectionFor(request as SelectionRequest)).toThrow(expect.objectContaining({ code }));
  });
});

it("finds the same rule again, whatever was asked between", () => {
  const asked = (delta: string) =>
    selectionFor({ measure: "zcdp", rho: parseRational("0.1"), delta: parseRational(delta), groups: 3n });
  const first = asked("1e-6");
  const others = Array.from({ length: 70 }, (_, at) => asked(`${at + 2}e-7`));
  expect(new Set(others.map((rule) => JSON.stringify(rule))).size).toBeGreaterThan(1);
  expect(asked("1e-6")).toEqual(first);
  expect(asked("2e-7")).toEqual(others[0]);
});
