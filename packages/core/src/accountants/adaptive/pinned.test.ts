import { describe, expect, it } from "vitest";
import {
  fromDouble,
  one,
  parseRational,
  type Rational,
  ratio,
  toDouble,
  zero,
} from "../../numeric/rational.ts";
import { approximateOdometer, renyiFilter, renyiFilterFor, renyiOdometer, zcdpOdometer } from "./index.ts";

/* Values from the theorems as they are printed, in plain doubles, by code that shares nothing with what it checks. */

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const up = (x: Rational | null): number => toDouble(x!, "up");

/** Level f: ρ·(1 + t) + ln((f + 1)(f + 2)/δ)/t at t = √(ln((f + 1)(f + 2)/δ)/ρ_f), ρ_f = 2^(f − 20). */
function level(f: number, rho: number, delta: number): number {
  const cost = Math.log(((f + 1) * (f + 2)) / delta);
  const excess = Math.sqrt(cost / 2 ** (f - 20));
  return rho * (1 + excess) + cost / excess;
}

describe("a zCDP odometer", () => {
  it.each([
    [2 ** -22, 1e-6, 0],
    [2 ** -20, 1e-6, 0],
    [0.01, 1e-6, 14],
    [0.5, 1e-6, 19],
    [1, 1e-6, 20],
    [1.5, 1e-6, 21],
    [40, 1e-9, 26],
  ])("reads at ρ %s and δ %s what its two levels about it give", (rho, delta, f) => {
    const odometer = zcdpOdometer(fromDouble(delta));
    odometer.ran({ measure: "zcdp", rho: fromDouble(rho), delta: zero });
    const expected = Math.min(
      level(f, rho, delta),
      f === 0 ? Number.POSITIVE_INFINITY : level(f - 1, rho, delta),
    );
    const reading = up(odometer.reading());
    expect(reading / expected - 1).toBeLessThan(1e-6);
    // The order is rounded, which costs of second order at its own ρ and of first order beside it.
    expect(reading / expected - 1).toBeGreaterThan(-1e-6);
  });

  it("gives all levels together δ and no more: 1/((f + 1)(f + 2)) sums to 1", () => {
    // The share of a level, read back from the reading: solve level(f, ρ, δ) for δ, at ρ = ρ_f.
    let shares = 0;
    for (let f = 0; f < 40; f += 1) {
      const odometer = zcdpOdometer(parseRational("1e-6"));
      const rho = 2 ** (f - 20);
      odometer.ran({ measure: "zcdp", rho: fromDouble(rho), delta: zero });
      // ρ + 2·√(ρ·cost) = reading.
      const cost = ((up(odometer.reading()) - rho) / 2) ** 2 / rho;
      shares += Math.exp(-cost) / 1e-6;
    }
    expect(shares).toBeGreaterThan(0.97);
    expect(shares).toBeLessThan(1 + 1e-4);
  });

  it.each([ratio(-1n), zero, one, ratio(3n)])("refuses δ %s", (delta) => {
    expect(() => zcdpOdometer(delta)).toThrow(invalid);
    expect(() => renyiOdometer(delta, [2])).toThrow(invalid);
  });

  it("refuses what is no loss of its kind, and takes the smallest that is", () => {
    const odometer = zcdpOdometer(parseRational("1e-6"));
    const loss = { measure: "zcdp", rho: one, delta: zero } as const;
    expect(() => odometer.ran({ ...loss, rho: ratio(-1n, 1n << 100n) })).toThrow(invalid);
    expect(() => odometer.ran({ ...loss, delta: ratio(1n, 1n << 100n) })).toThrow(invalid);
    odometer.ran({ ...loss, rho: zero });
    expect(odometer.reading()).toEqual(zero);
  });
});

describe("a Rényi odometer", () => {
  it("adds ln(k/δ)/(α − 1) to what was spent at each of k orders, and reads the least", () => {
    const odometer = renyiOdometer(parseRational("0.01"), [2, 3]);
    expect(odometer.reading()).toEqual(zero);
    odometer.ran({ at: (order) => order / 10 });
    expect(up(odometer.reading())).toBeCloseTo(0.3 + Math.log(200) / 2, 12);
    odometer.ran({ at: (order) => (order === 2 ? 0.1 : 10) });
    expect(up(odometer.reading())).toBeCloseTo(0.3 + Math.log(200), 12);
    odometer.ran({ at: (order) => (order === 2 ? Number.POSITIVE_INFINITY : 0) });
    expect(up(odometer.reading())).toBeCloseTo(10.3 + Math.log(200) / 2, 12);
    odometer.ran({ at: () => Number.POSITIVE_INFINITY });
    expect(odometer.reading()).toBeNull();
    expect(() => odometer.ran({ at: () => -1e-300 })).toThrow(invalid);
    expect(() => odometer.ran({ at: () => Number.NaN })).toThrow(invalid);
  });

  it.each([[[]], [[1]], [[2, 0.5]], [[Number.POSITIVE_INFINITY]], [[Number.NaN]]])(
    "refuses orders %j",
    (orders) => {
      expect(() => renyiOdometer(parseRational("0.01"), orders)).toThrow(invalid);
      expect(() => renyiFilter(orders.map((order) => ({ order, budget: one })))).toThrow(invalid);
    },
  );

  it("takes orders that are hardly above 1", () => {
    expect(() => renyiOdometer(parseRational("0.01"), [1 + 2 ** -52])).not.toThrow();
  });
});

describe("an odometer of (ε, δ)", () => {
  it("reads the sum of ε up to the last bit of δ, and nothing beyond", () => {
    const odometer = approximateOdometer(ratio(1n, 4n));
    const loss = { measure: "approximate", epsilon: one, delta: ratio(1n, 8n) } as const;
    odometer.ran(loss);
    odometer.ran(loss);
    expect(odometer.reading()).toEqual(ratio(2n));
    odometer.ran({ ...loss, delta: ratio(1n, 1n << 100n) });
    expect(odometer.reading()).toBeNull();
    expect(() => approximateOdometer(ratio(-1n, 9n))).toThrow(invalid);
    expect(approximateOdometer(zero).reading()).toEqual(zero);
    for (const wrong of [{ epsilon: ratio(-1n) }, { delta: ratio(-1n) }])
      expect(() => approximateOdometer(one).ran({ ...loss, ...wrong })).toThrow(invalid);
  });
});

describe("a Rényi filter for (ε, δ)", () => {
  const orders = [2, 8, 32];
  it.each([ratio(-1n), zero, one, ratio(3n)])("refuses δ %s", (delta) => {
    expect(() => renyiFilterFor({ epsilon: ratio(10n), delta, orders })).toThrow(invalid);
  });
  it.each([ratio(-1n), zero])("refuses ε %s", (epsilon) => {
    expect(() => renyiFilterFor({ epsilon, delta: ratio(1n, 100n), orders })).toThrow(invalid);
  });
  it("takes a δ just below 1, and an ε that is worth something", () => {
    const below = ratio((1n << 60n) - 1n, 1n << 60n);
    expect(renyiFilterFor({ epsilon: one, delta: below, orders }).left().length).toBe(3);
  });

  it("is worth ε − ln(1 − 1/α) + (ln(δ/k) + ln α)/(α − 1) at an order, rounded down", () => {
    const filter = renyiFilterFor({ epsilon: ratio(3n), delta: parseRational("1e-5"), orders: [8, 32, 1.5] });
    const worth = (order: number): number =>
      3 - Math.log(1 - 1 / order) + (Math.log(1e-5 / 3) + Math.log(order)) / (order - 1);
    const left = filter.left();
    // At 1.5 it is worth less than nothing.
    expect(left.map(({ order }) => order)).toEqual([8, 32]);
    for (const { order, budget } of left) expect(toDouble(budget, "down")).toBeCloseTo(worth(order), 12);
    expect(worth(1.5)).toBeLessThan(0);
  });

  it("admits a budget to its last bit", () => {
    const filter = renyiFilter([{ order: 2, budget: ratio(1n, 2n) }]);
    expect(filter.covers({ at: () => 0.5 })).toBe(true);
    expect(filter.covers({ at: () => 0.5 + 2 ** -53 })).toBe(false);
    expect(() => filter.covers({ at: () => -1 })).toThrow(invalid);
    expect(() => renyiFilter([{ order: 2, budget: ratio(-1n) }])).toThrow(invalid);
    expect(renyiFilter([{ order: 2, budget: zero }]).covers({ at: () => 0 })).toBe(true);
  });
});
