import { describe, expect, it } from "vitest";
import { refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import { compare, one, parseRational, type Rational, ratio, toDouble, zero } from "../../numeric/rational.ts";
import { price } from "../../price.ts";
import { SeededSource } from "../../tape.ts";
import { quantileRankErrorBound } from "../quantile/index.ts";
import {
  choosePrivateBounds,
  geometricCandidates,
  type PrivateBoundsSetting,
  privateBoundsErrorBound,
  privateBoundsEvent,
} from "./private-bounds.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const setting = (over: Partial<PrivateBoundsSetting> = {}): PrivateBoundsSetting => ({
  candidates: geometricCandidates({ largest: 1024n, signed: true }),
  below: "1/50",
  above: "1/50",
  epsilon: "1",
  adjacency: "add-or-remove-one",
  ...over,
});
const pureOf = (each: PrivateBoundsSetting): Rational =>
  (price(privateBoundsEvent(each), { measure: "pure" }) as { epsilon: Rational }).epsilon;

describe("geometricCandidates", () => {
  it("ends at the largest, whatever the base", () => {
    expect(geometricCandidates({ largest: 1000n, base: 10n, signed: false })).toEqual([
      0n,
      1n,
      10n,
      100n,
      1000n,
    ]);
    expect(geometricCandidates({ largest: 6n, signed: true })).toEqual([
      -6n,
      -4n,
      -2n,
      -1n,
      0n,
      1n,
      2n,
      4n,
      6n,
    ]);
    expect(geometricCandidates({ largest: 1n, signed: false })).toEqual([0n, 1n]);
  });
  it.each([{ largest: 0n }, { base: 1n }, { base: Number.NaN as unknown as bigint }])(
    "refuses %o",
    (wrong) => {
      expect(() => geometricCandidates({ largest: 9n, signed: false, ...wrong })).toThrow(invalid);
    },
  );
});

describe("the choice", () => {
  const sure = { epsilon: "100000", below: "0", above: "0" };

  it("costs ε in all, and says so", () => {
    for (const below of ["1/50", null]) {
      const each = setting({ below });
      expect(pureOf(each)).toEqual(one);
      const chosen = choosePrivateBounds(each, [1n, 2n], new SeededSource(1));
      expect(chosen.event).toEqual(privateBoundsEvent(each));
      expect(chosen.event.events).toHaveLength(below === null ? 1 : 2);
    }
  });

  it("holds every row within the candidates where ε is huge and no share may be lost", () => {
    const bits = new SeededSource(2);
    for (let round = 0; round < 200; round += 1) {
      const values = [-700n, -3n, 5n, BigInt(round * 5)];
      const { lo, hi } = choosePrivateBounds(setting(sure), values, bits);
      expect(values.every((x) => x >= lo && x <= hi)).toBe(true);
      expect(lo < hi).toBe(true);
    }
    const odd = choosePrivateBounds(setting(sure), [10n ** 20n, -(10n ** 20n)], bits);
    expect(odd).toMatchObject({ lo: -1024n, hi: 1024n });
    expect(choosePrivateBounds(setting({ ...sure, below: null }), [3n], bits).lo).toBe(-1024n);
  });

  it("is near the quantiles", () => {
    const values = Array.from({ length: 2001 }, (_, i) => BigInt(i % 101)); // 0 … 100
    const { lo, hi } = choosePrivateBounds(setting({ epsilon: "2" }), values, new SeededSource(3));
    expect([0n, 1n, 2n]).toContain(lo);
    expect(hi).toBe(128n);
  });

  it("is the greatest candidate below and the least above where ε is huge, widened where they meet", () => {
    // One row of two, and a tenth of it at each end: its own index is the only quantile.
    const exact = setting({ epsilon: "100000", below: "1/10", above: "1/10" });
    const bits = new SeededSource(9);
    for (const [values, lo, hi] of [
      [[5n, 6n], 4n, 8n],
      [[4n, 8n], 4n, 8n],
      [[-3n, 3n], -4n, 4n],
      [[0n, 1n], 0n, 1n],
      // All alike: the next candidate up, or down at the end.
      [[4n, 4n], 4n, 8n],
      [[1024n, 1024n], 512n, 1024n],
      [[-1024n, -1024n], -1024n, -512n],
      // Beyond the candidates.
      [[10n ** 9n, 10n ** 9n], 512n, 1024n],
      [[-(10n ** 9n), -(10n ** 9n)], -1024n, -512n],
      [[-(10n ** 9n), 10n ** 9n], -1024n, 1024n],
    ] as const) {
      expect(choosePrivateBounds(exact, values, bits), `${values}`).toMatchObject({ lo, hi });
    }
    expect(choosePrivateBounds({ ...exact, below: null }, [5n], bits)).toMatchObject({ lo: -1024n, hi: 8n });
  });

  it("gives lo < hi always, also from no rows and from rows that are all alike", () => {
    const bits = new SeededSource(4);
    const two = setting({ candidates: [0n, 1n], epsilon: "1/10" });
    for (let round = 0; round < 200; round += 1) {
      const bounds = choosePrivateBounds(two, round % 2 ? [] : [1n, 1n, 1n], bits);
      expect(bounds).toMatchObject({ lo: 0n, hi: 1n });
      const alike = choosePrivateBounds(setting({ epsilon: "100" }), Array<bigint>(50).fill(1024n), bits);
      expect(alike.lo < alike.hi).toBe(true);
    }
  });
});

describe("the price", () => {
  // Each end is a quantile, whose law is enumerated there; here the two together, as they come out.
  it("holds for the pair of bounds on neighbours, measured (false alarm below 1e-6), and is refuted at a third of it", () => {
    const each = setting({
      candidates: [0n, 1n, 4n],
      epsilon: "2",
      below: "1/4",
      above: "1/4",
      adjacency: "replace-one",
    });
    const draws = 25_000;
    const law = (values: readonly bigint[], seed: number): Map<string, number> => {
      const bits = new SeededSource(seed);
      const found = new Map<string, number>();
      for (let i = 0; i < draws; i += 1) {
        const { lo, hi } = choosePrivateBounds(each, values, bits);
        found.set(`${lo} ${hi}`, (found.get(`${lo} ${hi}`) ?? 0) + 1);
      }
      return found;
    };
    const [p, q] = [law([0n, 4n], 5), law([0n, 0n], 6)];
    // Six deviations of a frequency: a false alarm of any of the three outcomes has probability below 1e-8.
    const slack = 6 * Math.sqrt(0.25 / draws);
    const pair = (widened: number) => ({
      outcomes: [...new Set([...p.keys(), ...q.keys()])].map((name) => {
        const at = (counts: Map<string, number>) => {
          const share = (counts.get(name) ?? 0) / draws;
          const [lo, hi] = [Math.max(0, share - widened), share + widened];
          return {
            lo: ratio(BigInt(Math.round(lo * 1e9)), 10n ** 9n),
            hi: ratio(BigInt(Math.round(hi * 1e9)), 10n ** 9n),
          };
        };
        return { p: at(p), q: at(q) };
      }),
      rest: zero,
    });
    expect(refuted(pair(slack), ratio(2n), zero)).toBe(false);
    expect(refuted(pair(slack), ratio(1n, 5n), zero)).toBe(true);
  });

  it("leaves out as many rows as stated, at both ends (false alarm below 1e-9)", () => {
    const each = setting({ epsilon: "1/2" });
    const values = Array.from({ length: 300 }, (_, i) => 2n * BigInt(i) - 300n);
    const reach = toDouble(privateBoundsErrorBound(each, ratio(1n, 5n)), "up");
    const bits = new SeededSource(8);
    const rounds = 400;
    let wrong = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { lo, hi } = choosePrivateBounds(each, values, bits);
      const [below, above] = [values.filter((x) => x < lo).length, values.filter((x) => x > hi).length];
      wrong += Number(below > 6 + reach || above > 6 + reach);
    }
    // ≤ 0.2 of 400: above 0.365 has probability below e^(−2·400·0.165²) = 4e-10.
    expect(wrong / rounds).toBeLessThan(0.365);
    expect(reach).toBeLessThan(60);
    expect(reach).toBeGreaterThan(5);
    expect(
      toDouble(privateBoundsErrorBound(setting({ below: null, epsilon: "1/2" }), ratio(1n, 5n)), "up"),
    ).toBeLessThan(reach);
  });
});

describe("the reach", () => {
  const beta = ratio(1n, 5n);
  const end = (q: string, epsilon: string, rows = 1n) => ({
    range: { lo: 0n, hi: 22n },
    q,
    epsilon,
    rows,
    adjacency: "add-or-remove-one" as const,
  });
  it("is that of the upper quantile alone at the whole ε and beta, or the larger of both at half of each", () => {
    expect(privateBoundsErrorBound(setting({ below: null }), beta)).toEqual(
      quantileRankErrorBound(end("49/50", "1"), beta),
    );
    const tenth = ratio(1n, 10n);
    const [coarse, fine] = [
      quantileRankErrorBound(end("1/4", "1/2"), tenth),
      quantileRankErrorBound(end("1/50", "1/2"), tenth),
    ];
    expect(fine).not.toEqual(coarse);
    expect([privateBoundsErrorBound(setting({ below: "1/4", above: "1/4" }), beta)]).toEqual([coarse]);
    const both = compare(coarse, fine) > 0 ? coarse : fine;
    expect(privateBoundsErrorBound(setting({ below: "1/4" }), beta)).toEqual(both);
    expect(privateBoundsErrorBound(setting({ above: "1/4" }), beta)).toEqual(both);
  });
  it("grows with the rows of a unit", () => {
    expect(privateBoundsErrorBound(setting({ below: null, rows: 5n }), beta)).toEqual(
      quantileRankErrorBound(end("49/50", "1", 5n), beta),
    );
  });
});

describe("candidates", () => {
  it("are 2 to 2^16", () => {
    const many = Array.from({ length: 2 ** 16 }, (_, i) => BigInt(i));
    expect(() => privateBoundsEvent(setting({ candidates: many }))).not.toThrow();
    expect(() => privateBoundsEvent(setting({ candidates: [...many, 1n << 20n] }))).toThrow(invalid);
  });
  it("of an interval reach its end once, whatever the power beside it", () => {
    expect(geometricCandidates({ largest: 8n, signed: false })).toEqual([0n, 1n, 2n, 4n, 8n]);
    expect(geometricCandidates({ largest: 9n, base: 3n, signed: true })).toEqual(
      [-9, -3, -1, 0, 1, 3, 9].map(BigInt),
    );
    expect(() => geometricCandidates({ largest: 1.5 as never, signed: false })).toThrow(invalid);
  });
});

describe("refusals", () => {
  it.each([
    { candidates: [] },
    { candidates: [1n] },
    { candidates: [1n, 1n] },
    { candidates: [2n, 1n] },
    { candidates: [0n, Number.NaN as unknown as bigint] },
    { below: "1/2" },
    { below: "-1/9" },
    { above: "NaN" },
    { above: "1" },
    { epsilon: "0" },
    { epsilon: "-1" },
    { rows: 0n },
    { adjacency: "x" as Adjacency },
  ])("%o", (wrong) => {
    expect(() => privateBoundsEvent(setting(wrong))).toThrow(invalid);
    expect(() => choosePrivateBounds(setting(wrong), [1n], new SeededSource(1))).toThrow(invalid);
  });
  it("of a beta", () => {
    expect(() => privateBoundsErrorBound(setting(), parseRational("1"))).toThrow(invalid);
  });
});
