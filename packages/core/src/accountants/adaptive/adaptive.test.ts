import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rhoFromEpsilon } from "../../conversions/canonne-kamath-steinke.ts";
import { epsilonFromRho } from "../../conversions/index.ts";
import {
  add,
  compare,
  fromDouble,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  sum,
  toDouble,
  zero,
} from "../../numeric/rational.ts";
import {
  additiveFilter,
  advancedFilter,
  approximateOdometer,
  concurrentTheorem,
  type Filter,
  openSession,
  pureOdometer,
  renyiFilter,
  renyiFilterFor,
  renyiOdometer,
  zcdpOdometer,
} from "./index.ts";

const code = (expected: string) => expect.objectContaining({ code: expected });
const third = ratio(1n, 3n);
const gaussian = (rho: number) => ({ at: (order: number) => order * rho });

/**
 * An adversary that picks each loss from what is left: sometimes all of it, sometimes a hair more, sometimes a share. Returns what was
 * admitted.
 */
function adversary(
  moves: readonly number[],
  filter: Filter<unknown>,
  scale: (share: Rational) => unknown,
): unknown[] {
  const admitted: unknown[] = [];
  for (const move of moves) {
    const loss = scale(ratio(BigInt(move), 64n));
    const covered = filter.covers(loss);
    try {
      filter.spend(loss);
      expect(covered).toBe(true);
      admitted.push(loss);
    } catch (error) {
      expect(error).toEqual(code("account.budget"));
      expect(covered).toBe(false);
    }
  }
  return admitted;
}

const anyMoves = fc.array(fc.integer({ min: 0, max: 70 }), { maxLength: 40 });

describe("a filter", () => {
  it("never overspends a pure budget, to the last bit, however the losses are chosen from what is left", () => {
    fc.assert(
      fc.property(anyMoves, (moves) => {
        const filter = additiveFilter({ measure: "pure", epsilon: third });
        const spent = adversary(moves, filter as Filter<unknown>, (share) => ({
          measure: "pure",
          epsilon: multiply(filter.left().epsilon, share),
        })) as { epsilon: Rational }[];
        const total = sum(spent.map(({ epsilon }) => epsilon));
        expect(compare(total, third)).toBeLessThanOrEqual(0);
        expect(filter.left().epsilon).toEqual(subtract(third, total));
      }),
    );
  });

  it("never overspends ε, δ or ρ", () => {
    fc.assert(
      fc.property(anyMoves, (moves) => {
        const granted = { measure: "approximate", epsilon: one, delta: parseRational("1e-6") } as const;
        const filter = additiveFilter<"approximate">(granted);
        const spent = adversary(moves, filter as Filter<unknown>, (share) => ({
          measure: "approximate",
          epsilon: multiply(filter.left().epsilon, share),
          delta: multiply(filter.left().delta, multiply(share, share)),
        })) as { epsilon: Rational; delta: Rational }[];
        expect(compare(sum(spent.map(({ epsilon }) => epsilon)), granted.epsilon)).toBeLessThanOrEqual(0);
        expect(compare(sum(spent.map(({ delta }) => delta)), granted.delta)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it("admits to the last bit and refuses one bit more, saying what is left", () => {
    const filter = additiveFilter({ measure: "zcdp", rho: third, delta: zero });
    filter.spend({ measure: "zcdp", rho: ratio(1n, 4n), delta: zero });
    const hair = ratio(1n, 1n << 200n);
    const more = { measure: "zcdp", rho: add(ratio(1n, 12n), hair), delta: zero } as const;
    expect(() => filter.spend(more)).toThrow(/budget does not cover/);
    expect(() => filter.spend(more)).toThrow(
      expect.objectContaining({ code: "account.budget", fix: expect.stringContaining("rho 1/12") }),
    );
    filter.spend({ measure: "zcdp", rho: ratio(1n, 12n), delta: zero });
    expect(filter.left().rho).toEqual(zero);
    expect(filter.covers({ measure: "zcdp", rho: zero, delta: zero })).toBe(true);
  });

  it("gives no refund for a negative loss", () => {
    const filter = additiveFilter({ measure: "pure", epsilon: one });
    const negative = { measure: "pure", epsilon: ratio(-1n) } as const;
    expect(() => filter.spend(negative)).toThrow(code("parameter.invalid"));
    expect(() => additiveFilter(negative)).toThrow(code("parameter.invalid"));
    const advanced = advancedFilter({ epsilon: one, delta: parseRational("1e-6"), own: zero });
    expect(() => advanced.spend({ measure: "approximate", epsilon: ratio(-1n), delta: zero })).toThrow(
      code("parameter.invalid"),
    );
  });

  it("keeps its grant, whatever becomes of the object it was given", () => {
    const grant = { measure: "pure" as const, epsilon: ratio(1n) };
    const filter = additiveFilter(grant);
    grant.epsilon = ratio(100n);
    expect(filter.covers({ measure: "pure", epsilon: ratio(2n) })).toBe(false);
    const budget = { order: 2, budget: ratio(1n) };
    const renyi = renyiFilter([budget]);
    budget.budget = ratio(100n);
    expect(renyi.covers({ at: () => 2 })).toBe(false);
  });

  it("refuses a loss of another measure", () => {
    const filter = additiveFilter({ measure: "pure", epsilon: one });
    expect(() => filter.spend({ measure: "zcdp", rho: zero, delta: zero } as never)).toThrow(
      code("parameter.invalid"),
    );
  });

  it("admits advanced composition's many small losses, and what it admits is worth no more than the grant", () => {
    const delta = parseRational("1e-6");
    const own = parseRational("5e-7");
    const filter = advancedFilter({ epsilon: one, delta, own });
    const each = { measure: "approximate", epsilon: ratio(1n, 100n), delta: parseRational("1e-10") } as const;
    let count = 0n;
    while (filter.covers(each)) {
      filter.spend(each);
      count += 1n;
    }
    // Basic composition would stop at 100.
    expect(count).toBeGreaterThan(400n);
    const rho = ratio(count, 20_000n);
    expect(compare(epsilonFromRho(rho, subtract(delta, own)), one)).toBeLessThanOrEqual(0);
    expect(compare(rho, rhoFromEpsilon(one, subtract(delta, own)))).toBeLessThanOrEqual(0);
    expect(() => filter.spend(each)).toThrow(code("account.budget"));
    expect(() => advancedFilter({ epsilon: one, delta, own: delta })).toThrow(code("parameter.invalid"));
  });

  it("of Rényi: every order's budget holds under any adversary", () => {
    const orders = [1.5, 2, 8, 64];
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 0.2, noNaN: true }), { maxLength: 40 }), (rhos) => {
        const filter = renyiFilter(orders.map((order) => ({ order, budget: one })));
        const spent = orders.map(() => zero);
        for (const rho of rhos) {
          const loss = { at: (order: number) => Math.min(order * rho, 3 * Math.sqrt(rho)) };
          if (!filter.covers(loss)) {
            expect(() => filter.spend(loss)).toThrow(code("account.budget"));
            continue;
          }
          filter.spend(loss);
          orders.forEach((order, i) => {
            spent[i] = add(spent[i]!, fromDouble(loss.at(order)));
          });
        }
        for (const total of spent) expect(compare(total, one)).toBeLessThanOrEqual(0);
        expect(filter.left().map(({ budget }) => budget)).toEqual(spent.map((total) => subtract(one, total)));
      }),
    );
  });

  it("of Rényi for (ε, δ): some order stays affordable, one passed never comes back", () => {
    const delta = parseRational("1e-6");
    const filter = renyiFilterFor({ epsilon: one, delta, orders: [1.5, 8, 16, 32, 64, 256] });
    let count = 0;
    while (filter.covers(gaussian(0.001))) {
      filter.spend(gaussian(0.001));
      count += 1;
    }
    // (ε, δ/k) is worth about ρ = 0.022 at the best order.
    expect(count).toBeGreaterThan(15);
    expect(count / 1000).toBeLessThan(toDouble(rhoFromEpsilon(one, delta), "up"));
    const orders = filter.left().map(({ order }) => order);
    expect(orders.length).toBeGreaterThan(0);
    expect(orders.length).toBeLessThan(6);
    const other = { at: (order: number) => (orders.includes(order) ? 100 : 0) };
    expect(() => filter.spend(other)).toThrow(code("account.budget"));
  });

  it.each([
    ["no orders", () => renyiFilter([])],
    ["order 1", () => renyiFilter([{ order: 1, budget: one }])],
    ["order NaN", () => renyiFilter([{ order: Number.NaN, budget: one }])],
    ["a negative budget", () => renyiFilter([{ order: 2, budget: ratio(-1n) }])],
    ["a NaN loss", () => renyiFilter([{ order: 2, budget: one }]).spend({ at: () => Number.NaN })],
    ["a negative loss", () => renyiFilter([{ order: 2, budget: one }]).spend({ at: () => -1 })],
    ["δ = 0", () => renyiFilterFor({ epsilon: one, delta: zero, orders: [2] })],
    ["ε = 0", () => renyiFilterFor({ epsilon: zero, delta: third, orders: [2] })],
    [
      "worthless orders",
      () => renyiFilterFor({ epsilon: third, delta: parseRational("1e-9"), orders: [1.5] }),
    ],
  ])("refuses %s", (_name, run) => {
    expect(run).toThrow(code("parameter.invalid"));
  });

  it("is not to be had from a PLD, by type", () => {
    const pld = { measure: "pld", distribution: [] } as const;
    // @ts-expect-error privacy loss distributions do not add up adaptively, so no filter takes one
    expect(() => additiveFilter(pld)).toThrow(code("parameter.invalid"));
    // @ts-expect-error and none is declared for them
    const measure: Filter<unknown>["measure"] = "pld";
    expect(Object.keys(concurrentTheorem)).not.toContain(measure);
  });
});

describe("sessions", () => {
  it("are charged when opened, may interleave, and give nothing back", () => {
    const filter = additiveFilter({ measure: "pure", epsilon: one });
    const loss = { measure: "pure", epsilon: ratio(1n, 2n) } as const;
    const first = openSession(filter, loss);
    const second = openSession(filter, loss);
    expect([second.ask(() => 1), first.ask(() => 2), second.ask(() => 3)]).toEqual([1, 2, 3]);
    first.close();
    expect(() => first.ask(() => 4)).toThrow(code("account.budget"));
    expect(() => openSession(filter, loss)).toThrow(code("account.budget"));
  });
  it("of approximate zCDP are refused", () => {
    const filter = additiveFilter({ measure: "zcdp", rho: one, delta: third });
    expect(() => openSession(filter, { measure: "zcdp", rho: zero, delta: third })).toThrow(
      code("parameter.invalid"),
    );
    expect(filter.left().delta).toEqual(third);
  });
});

describe("an odometer", () => {
  it("adds up ε, and says nothing when the δs exceed its own", () => {
    const exact = pureOdometer();
    exact.ran({ measure: "pure", epsilon: third });
    exact.ran({ measure: "pure", epsilon: third });
    expect(exact.reading()).toEqual(ratio(2n, 3n));
    const odometer = approximateOdometer(parseRational("1e-6"));
    const loss = { measure: "approximate", epsilon: third, delta: parseRational("6e-7") } as const;
    odometer.ran(loss);
    expect(odometer.reading()).toEqual(third);
    odometer.ran(loss);
    expect(odometer.reading()).toBeNull();
  });

  it("of zCDP reads within a quarter of what a ρ fixed in advance costs by the same inequality, and never less", () => {
    const delta = parseRational("1e-6");
    for (const text of ["0.0001", "0.01", "0.37", "1", "40"]) {
      const odometer = zcdpOdometer(delta);
      const rho = parseRational(text);
      for (let i = 0; i < 4; i += 1) {
        odometer.ran({ measure: "zcdp", rho: multiply(rho, ratio(1n, 4n)), delta: zero });
      }
      const reading = toDouble(odometer.reading()!, "up");
      const fixed = toDouble(rho, "up") + 2 * Math.sqrt(toDouble(rho, "up") * Math.log(1e6));
      expect(reading).toBeGreaterThan(fixed);
      expect(reading).toBeLessThan(fixed * 1.25);
    }
    expect(zcdpOdometer(delta).reading()).toEqual(zero);
  });

  it("holds along paths: Gaussian losses of adaptive size stay below the reading", () => {
    // 2,000 paths at δ = 0.05: a sound odometer fails at most 100 times in expectation, and 150 only with probability < 1e-6.
    let state = 12345;
    const uniform = (): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return ((state >>> 8) + 0.5) / 2 ** 24;
    };
    const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const failures = (blind: boolean): number => {
      let failed = 0;
      for (let path = 0; path < 2000; path += 1) {
        let loss = 0;
        let rho = 0;
        let bad = false;
        for (let i = 0; i < 12 && !bad; i += 1) {
          // Larger steps when the loss has grown: what an adversary would do.
          const next = loss > 0 ? 0.08 : 0.02;
          rho += next;
          loss += next + Math.sqrt(2 * next) * normal();
          const reading = blind ? rho + Math.sqrt(2 * rho) * 1.2 : readings(rho);
          bad = loss > reading;
        }
        if (bad) failed += 1;
      }
      return failed;
    };
    const cache = new Map<number, number>();
    const readings = (rho: number): number => {
      const key = Math.round(rho * 1000);
      const known = cache.get(key);
      if (known !== undefined) return known;
      const odometer = zcdpOdometer(ratio(1n, 20n));
      odometer.ran({ measure: "zcdp", rho: ratio(BigInt(key), 1000n), delta: zero });
      const reading = toDouble(odometer.reading()!, "up");
      cache.set(key, reading);
      return reading;
    };
    expect(failures(false)).toBeLessThan(150);
    // A reading made for one moment only fails far more often than 5 %: the paths do tell the difference.
    expect(failures(true)).toBeGreaterThan(150);
  });

  it("of Rényi reads the least over its orders", () => {
    const odometer = renyiOdometer(parseRational("1e-6"), [2, 16, 64]);
    expect(odometer.reading()).toEqual(zero);
    odometer.ran(gaussian(0.05));
    const expected = Math.min(...[2, 16, 64].map((a) => 0.05 * a + Math.log(3e6) / (a - 1)));
    expect(toDouble(odometer.reading()!, "up")).toBeCloseTo(expected, 9);
    odometer.ran({ at: () => Number.POSITIVE_INFINITY });
    expect(odometer.reading()).toBeNull();
    expect(() => renyiOdometer(one, [2])).toThrow(code("parameter.invalid"));
    expect(() => renyiOdometer(third, [1])).toThrow(code("parameter.invalid"));
  });
});
