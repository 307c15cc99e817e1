import { type Rational, ratio, toDouble } from "@lethe/core";
import { compare, divide, expBracket, multiply, subtract, sum, zero } from "@lethe/core/numeric";
import { describe, expect, test } from "vitest";
import { enclosed, minus, over, smaller, times } from "./enclosures.ts";
import {
  exactly,
  exceeding,
  hockeyStick,
  type Neighbours,
  product,
  renyiMoment,
  reversed,
} from "./hockey-stick.ts";

const pairOf = (p: readonly Rational[], q: readonly Rational[], rest = zero): Neighbours => ({
  outcomes: p.map((each, at) => ({ p: exactly(each), q: exactly(q[at]!) })),
  rest,
});
const parts = (of: bigint, ...numerators: readonly bigint[]): Rational[] =>
  numerators.map((num) => ratio(num, of));
const total = (xs: readonly Rational[]): Rational => sum(xs);

describe("the hockey stick", () => {
  // Denominators with and without common factors.
  const p = [...parts(12n, 5n, 1n, 3n), ...parts(35n, 3n, 5n, 1n)];
  const q = [...parts(18n, 1n, 5n, 4n), ...parts(10n, 1n, 2n, 1n)];
  test("at ε = 0 is the most by which one side exceeds the other on any set, exactly", () => {
    const sets = Array.from({ length: 64 }, (_, mask) =>
      p.flatMap((__, at) => ((mask >> at) & 1 ? [at] : [])),
    );
    const over = sets.map((set) => total(set.map((at) => subtract(p[at]!, q[at]!))));
    const most = over.reduce((a, b) => (compare(a, b) > 0 ? a : b));
    expect(hockeyStick(pairOf(p, q), zero)).toEqual(exactly(most));
    const least = over.reduce((a, b) => (compare(a, b) < 0 ? a : b));
    expect(hockeyStick(reversed(pairOf(p, q)), zero)).toEqual(exactly(subtract(zero, least)));
  });
  test.each([1, 2, 3])("at ε = ln %d encloses Σ max(0, p − e^ε·q)", (growth) => {
    const epsilon = Math.log(growth);
    const { lo, hi } = hockeyStick(pairOf(p, q), ratio(BigInt(Math.round(epsilon * 1e15)), 10n ** 15n));
    const due = p.reduce(
      (whole, each, at) => whole + Math.max(0, toDouble(each, "up") - growth * toDouble(q[at]!, "up")),
      0,
    );
    expect(toDouble(lo, "down")).toBeCloseTo(due, 12);
    expect(toDouble(hi, "up")).toBeCloseTo(due, 12);
    expect(compare(lo, hi)).toBeLessThanOrEqual(0);
  });
  test("of enclosed masses is enclosed by the best and the worst that they may be, and the rest", () => {
    const open: Neighbours = {
      outcomes: [
        { p: { lo: ratio(1n, 2n), hi: ratio(3n, 4n) }, q: { lo: ratio(1n, 8n), hi: ratio(1n, 4n) } },
        { p: { lo: ratio(1n, 8n), hi: ratio(1n, 4n) }, q: { lo: ratio(1n, 5n), hi: ratio(3n, 4n) } },
      ],
      rest: ratio(1n, 100n),
    };
    const { lo, hi } = hockeyStick(open, zero);
    expect(lo).toEqual(ratio(1n, 4n));
    // 3/4 − 1/8 and 1/4 − 1/5.
    expect(hi).toEqual(sum([ratio(5n, 8n), ratio(1n, 20n), ratio(1n, 100n)]));
    expect(reversed(open).rest).toEqual(open.rest);
    expect(reversed(reversed(open))).toEqual(open);
  });
  test("at an ε whose e^ε is no rational has ends on either side", () => {
    const pair = pairOf(parts(2n, 1n, 1n), parts(100n, 1n, 99n));
    const { lo, hi } = hockeyStick(pair, ratio(1n), 40);
    const { lo: least, hi: most } = expBracket(ratio(1n), 40);
    expect(lo).toEqual(subtract(ratio(1n, 2n), divide(most, ratio(100n))));
    expect(hi).toEqual(subtract(ratio(1n, 2n), divide(least, ratio(100n))));
  });
});

test("outcomes that exceed e^ε times the other side's are counted by mass and by the most that one exceeds by", () => {
  const pair = pairOf(parts(20n, 10n, 6n, 2n, 2n), parts(20n, 3n, 3n, 2n, 12n));
  // At e^ε = 1: the first two, by 7/20 and 3/20.
  expect(exceeding(pair, zero)).toEqual({ mass: ratio(16n, 20n), most: ratio(7n, 20n) });
  // A little below ln 2, where the second exceeds by next to nothing; a little above, where it does not.
  const [below, above] = [ratio(6931n, 10_000n), ratio(6932n, 10_000n)];
  expect(exceeding(pair, below).mass).toEqual(ratio(16n, 20n));
  expect(exceeding(pair, above).mass).toEqual(ratio(10n, 20n));
  expect(toDouble(exceeding(pair, above).most, "up")).toBeCloseTo(0.2, 4);
  expect(exceeding(pair, ratio(5n))).toEqual({ mass: zero, most: zero });
  // Only what certainly exceeds counts.
  const open = {
    outcomes: [{ p: { lo: ratio(1n, 4n), hi: ratio(1n) }, q: { lo: zero, hi: ratio(1n, 2n) } }],
    rest: zero,
  };
  expect(exceeding(open, zero)).toEqual({ mass: zero, most: zero });
  expect(
    exceeding({ ...open, outcomes: [{ p: exactly(ratio(1n, 4n)), q: exactly(ratio(1n, 4n)) }] }, zero).mass,
  ).toEqual(zero);
});

test("mechanisms side by side have every combination of outcomes, and the rests of all", () => {
  const a = pairOf(parts(2n, 1n, 1n), parts(3n, 1n, 2n), ratio(1n, 100n));
  const b = pairOf(parts(5n, 1n, 4n), parts(7n, 3n, 4n), ratio(1n, 50n));
  const { outcomes, rest } = product([a, b]);
  expect(outcomes).toEqual([
    { p: exactly(ratio(1n, 10n)), q: exactly(ratio(3n, 21n)) },
    { p: exactly(ratio(4n, 10n)), q: exactly(ratio(4n, 21n)) },
    { p: exactly(ratio(1n, 10n)), q: exactly(ratio(6n, 21n)) },
    { p: exactly(ratio(4n, 10n)), q: exactly(ratio(8n, 21n)) },
  ]);
  expect(rest).toEqual(ratio(3n, 100n));
});

test("a Rényi moment is Σ p^α·q^(1−α), from below, over outcomes that both sides have", () => {
  const pair = pairOf(parts(4n, 2n, 1n, 1n, 0n), parts(4n, 1n, 1n, 0n, 2n));
  const two = renyiMoment(pair, 2);
  // (1/2)²/(1/4) + (1/4)²/(1/4), which are dyadic.
  expect(two).toEqual(ratio(5n, 4n));
  expect(renyiMoment(pair, 3)).toEqual(ratio(9n, 4n));
  const thirds = pairOf(parts(3n, 1n, 2n), parts(3n, 2n, 1n));
  const moment = renyiMoment(thirds, 2);
  expect(compare(moment, ratio(3n, 2n))).toBe(-1);
  expect(toDouble(moment, "down")).toBeCloseTo(1.5, 14);
  const open = {
    outcomes: [{ p: { lo: ratio(1n, 4n), hi: ratio(1n) }, q: { lo: zero, hi: ratio(1n, 2n) } }],
    rest: zero,
  };
  expect(renyiMoment(open, 2)).toEqual(ratio(1n, 8n));
});

describe("enclosed chances", () => {
  const [a, b] = [
    { lo: ratio(1n, 3n), hi: ratio(1n, 2n) },
    { lo: ratio(1n, 5n), hi: ratio(3n, 7n) },
  ];
  const holds = (found: { lo: Rational; hi: Rational }, lo: Rational, hi: Rational): void => {
    const step = ratio(1n, 1n << 200n);
    for (const [outer, inner] of [
      [found.lo, lo],
      [subtract(zero, found.hi), subtract(zero, hi)],
    ] as const) {
      expect(compare(outer, inner)).toBeLessThanOrEqual(0);
      expect(compare(subtract(inner, outer), step)).toBe(-1);
    }
    expect([found.lo, found.hi].every(({ den }) => (1n << 200n) % den === 0n)).toBe(true);
  };
  test("are rounded outward by less than 2^−200", () => {
    holds(enclosed(a.lo, b.hi), a.lo, b.hi);
    holds(times(a, b), multiply(a.lo, b.lo), multiply(a.hi, b.hi));
    holds(over(a, b), divide(a.lo, b.hi), divide(a.hi, b.lo));
  });
  test("are taken off each other from the far ends, and never below 0", () => {
    expect(minus(a, b)).toEqual({ lo: zero, hi: ratio(3n, 10n) });
    expect(minus(exactly(ratio(1n)), b)).toEqual({ lo: ratio(4n, 7n), hi: ratio(4n, 5n) });
    expect(minus(b, exactly(ratio(1n)))).toEqual({ lo: zero, hi: zero });
  });
  test("have the smaller of both ends", () => {
    expect(smaller(a, b)).toEqual(b);
    expect(smaller({ lo: zero, hi: ratio(1n) }, a)).toEqual({ lo: zero, hi: a.hi });
  });
});
