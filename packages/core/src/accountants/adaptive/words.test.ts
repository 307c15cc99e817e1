import { describe, expect, it } from "vitest";
import { one, parseRational, type Rational, ratio, zero } from "../../numeric/rational.ts";
import {
  additiveFilter,
  advancedFilter,
  approximateOdometer,
  concurrentTheorem,
  openSession,
  pureOdometer,
  renyiFilter,
  renyiFilterFor,
  renyiOdometer,
  zcdpOdometer,
} from "./index.ts";

const invalid = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });
const half = ratio(1n, 2n);
const pure = (epsilon: Rational) => ({ measure: "pure", epsilon }) as const;
const approximate = (epsilon: Rational, delta: Rational) =>
  ({ measure: "approximate", epsilon, delta }) as const;
const zcdp = (rho: Rational, delta: Rational) => ({ measure: "zcdp", rho, delta }) as const;

describe("a filter", () => {
  it.each([
    ["pure", additiveFilter(pure(one)), "Rogers, Roth, Ullman & Vadhan 2016, Thm 3.6"],
    ["approximate", additiveFilter(approximate(one, half)), "Rogers, Roth, Ullman & Vadhan 2016, Thm 3.6"],
    [
      "zcdp",
      additiveFilter(zcdp(one, half)),
      "Whitehouse, Ramdas, Rogers & Wu 2023, Thm 1; Feldman & Zrnic 2021, Thm 4.5",
    ],
    [
      "approximate",
      advancedFilter({ epsilon: one, delta: half, own: zero }),
      "Whitehouse, Ramdas, Rogers & Wu 2023, Thm 2",
    ],
    ["renyi", renyiFilter([{ order: 2, budget: one }]), "Feldman & Zrnic 2021, Thm 4.5; Lécuyer 2021, Thm 1"],
    [
      "renyi",
      renyiFilterFor({ epsilon: one, delta: half, orders: [8] }),
      "Feldman & Zrnic 2021, Thm 4.5, at each order; union over orders",
    ],
  ])("of %s says its measure and whose theorem it is", (measure, filter, theorem) => {
    expect(filter).toMatchObject({ measure, theorem });
  });

  it("says in words what is left of every number, and refuses with it", () => {
    const filter = additiveFilter(approximate(one, half));
    filter.spend(approximate(half, ratio(1n, 4n)));
    expect(filter.left()).toEqual(approximate(half, ratio(1n, 4n)));
    expect(() => filter.spend(approximate(one, zero))).toThrow(
      expect.objectContaining({
        code: "account.budget",
        message: "the approximate budget does not cover this loss",
        fix: "run something that costs at most epsilon 1/2, delta 1/4, or stop here",
        fields: { measure: "approximate", left: "epsilon 1/2, delta 1/4" },
      }),
    );
    // What was refused costs nothing.
    expect(filter.left()).toEqual(approximate(half, ratio(1n, 4n)));
    expect(filter.covers(approximate(half, half))).toBe(false);
    filter.spend(approximate(half, ratio(1n, 4n)));
    expect(filter.left()).toEqual(approximate(zero, zero));
    for (const wrong of [approximate(ratio(-1n), zero), approximate(zero, ratio(-1n))])
      expect(() => filter.covers(wrong)).toThrow(invalid(wrong.epsilon.num < 0n ? "epsilon" : "delta"));
    expect(() => additiveFilter(zcdp(one, ratio(-1n)))).toThrow(invalid("delta"));
  });

  it("of Rényi says what is left at each order, rounded down to a millionth, or nothing", () => {
    const filter = renyiFilter([
      { order: 2, budget: one },
      { order: 8, budget: ratio(4n) },
    ]);
    filter.spend({ at: (order) => (order === 2 ? 2 / 3 : 1) });
    expect(() => filter.spend({ at: () => 1 })).toThrow(
      expect.objectContaining({
        code: "account.budget",
        fields: { measure: "renyi", left: "333333/1000000 at order 2, 3 at order 8" },
      }),
    );
    const some = renyiFilterFor({ epsilon: ratio(3n), delta: parseRational("1e-5"), orders: [8, 32] });
    // Infinite at both: nothing is spent, and what is left stays.
    expect(() => some.spend({ at: () => Number.POSITIVE_INFINITY })).toThrow(/budget/);
    expect(some.left()).toHaveLength(2);
    some.spend({ at: (order) => (order === 8 ? Number.POSITIVE_INFINITY : 0) });
    expect(some.left().map(({ order }) => order)).toEqual([32]);
    // Passed once, an order never comes back.
    expect(some.covers({ at: (order) => (order === 8 ? 0 : 100) })).toBe(false);
    expect(some.covers({ at: () => 0 })).toBe(true);
  });

  it("of advanced composition keeps its own δ apart, and takes losses of their own sign alone", () => {
    const filter = advancedFilter({ epsilon: one, delta: half, own: ratio(1n, 4n) });
    expect(filter.left().delta).toEqual(ratio(1n, 4n));
    filter.spend(approximate(ratio(1n, 10n), ratio(1n, 8n)));
    expect(filter.left().delta).toEqual(ratio(1n, 8n));
    expect(filter.covers(approximate(zero, ratio(1n, 8n)))).toBe(true);
    expect(filter.covers(approximate(zero, ratio(1n, 7n)))).toBe(false);
    expect(() => filter.covers(approximate(ratio(-1n), zero))).toThrow(invalid("epsilon"));
    for (const own of [ratio(-1n, 9n), half, one])
      expect(() => advancedFilter({ epsilon: one, delta: half, own })).toThrow(invalid("own"));
    expect(() => advancedFilter({ epsilon: zero, delta: half, own: zero })).toThrow(invalid("epsilon"));
  });

  it("names what it refuses to be made of", () => {
    expect(() => renyiFilter([])).toThrow(invalid("budgets"));
    expect(() => renyiFilter([{ order: 1, budget: one }])).toThrow(invalid("order"));
    expect(() => renyiFilter([{ order: 2, budget: ratio(-1n) }])).toThrow(invalid("budget"));
    expect(() => renyiFilter([{ order: 2, budget: one }]).covers({ at: () => -1 })).toThrow(
      invalid("rényi loss"),
    );
    expect(() => renyiFilterFor({ epsilon: zero, delta: half, orders: [2] })).toThrow(invalid("epsilon"));
    expect(() => renyiFilterFor({ epsilon: one, delta: one, orders: [2] })).toThrow(invalid("delta"));
    expect(() => renyiFilterFor({ epsilon: one, delta: half, orders: [] })).toThrow(invalid("budgets"));
    expect(() => renyiFilterFor({ epsilon: one, delta: half, orders: [1] })).toThrow(invalid("order"));
    const least = { epsilon: ratio(1n, 100n), delta: parseRational("1e-9"), orders: [1.5, 2] };
    expect(() => renyiFilterFor(least)).toThrow(invalid("orders"));
  });
});

describe("a session", () => {
  it("is open until it is closed, and is charged once", () => {
    const filter = additiveFilter(pure(one));
    const session = openSession(filter, pure(half));
    expect(filter.left().epsilon).toEqual(half);
    expect(session.ask(() => 7)).toBe(7);
    expect(filter.left().epsilon).toEqual(half);
    session.close();
    session.close();
    expect(() => session.ask(() => 7)).toThrow(
      expect.objectContaining({
        code: "account.budget",
        message: "this session is closed",
        fix: "open another one, at its own loss",
      }),
    );
    expect(filter.left().epsilon).toEqual(half);
    expect(() => openSession(filter, pure(one))).toThrow(/budget/);
  });
  it("of zCDP has no δ of its own; of approximate privacy it may", () => {
    const concentrated = additiveFilter(zcdp(one, half));
    expect(() => openSession(concentrated, zcdp(zero, half))).toThrow(invalid("delta of the loss"));
    expect(openSession(concentrated, zcdp(half, zero)).ask(() => 1)).toBe(1);
    const filter = additiveFilter(approximate(one, half));
    expect(openSession(filter, approximate(zero, half)).ask(() => 1)).toBe(1);
  });
  it("names a theorem for every measure that has a filter", () => {
    expect(concurrentTheorem).toEqual({
      pure: "Vadhan & Wang 2021 (arXiv 2105.14427)",
      approximate: "Lyu 2022; Vadhan & Zhang 2023 (arXiv 2207.08335)",
      zcdp: "Lyu 2022, Rényi DP at every order",
      renyi: "Lyu 2022, Rényi DP",
    });
  });
});

describe("an odometer", () => {
  it("says with what probability it may fail", () => {
    const delta = parseRational("1e-6");
    expect(pureOdometer().delta).toEqual(zero);
    expect(approximateOdometer(delta).delta).toEqual(delta);
    expect(renyiOdometer(delta, [2]).delta).toEqual(delta);
    expect(zcdpOdometer(delta).delta).toEqual(delta);
  });
  it("names what it refuses", () => {
    expect(() => pureOdometer().ran(pure(ratio(-1n)))).toThrow(invalid("epsilon"));
    expect(() => approximateOdometer(half).ran(approximate(ratio(-1n), zero))).toThrow(invalid("epsilon"));
    expect(() => approximateOdometer(half).ran(approximate(zero, ratio(-1n)))).toThrow(invalid("delta"));
    expect(() => approximateOdometer(ratio(-1n))).toThrow(invalid("delta"));
    expect(() => zcdpOdometer(half).ran(zcdp(ratio(-1n), zero))).toThrow(invalid("rho"));
    expect(() => zcdpOdometer(half).ran(zcdp(zero, half))).toThrow(invalid("delta of a loss"));
    expect(() => renyiOdometer(half, [])).toThrow(invalid("orders"));
    expect(() => renyiOdometer(half, [1])).toThrow(invalid("order"));
    expect(() => renyiOdometer(half, [2]).ran({ at: () => -1 })).toThrow(invalid("rényi loss"));
    expect(() => renyiOdometer(one, [2])).toThrow(invalid("delta"));
  });
  it("of Rényi reads more than nothing once something ran, were it free", () => {
    const odometer = renyiOdometer(half, [2]);
    expect(odometer.reading()).toEqual(zero);
    odometer.ran({ at: () => 0 });
    expect(odometer.reading()!.num).toBeGreaterThan(0n);
  });
});
