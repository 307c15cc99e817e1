import { parseRational, type Rational, ratio } from "@lethe/core";
import { randomizedResponse } from "@lethe/core/local";
import { expect, test } from "vitest";
import { formsOf, pureEitherWay } from "./contracts/pure-forms.ts";

/*
 * B, Claim 1.1: for pure DP, bounding every set of outcomes, every single outcome or the privacy loss is one and the same.
 * The mechanisms' own tests hold all three against their exact laws; here, random laws, and how the forms part for δ > 0.
 */

const laws = (text: string): Rational[] => text.split(" ").map((mass) => parseRational(mass));

test("on 2,000 random pairs of laws the three forms of pure DP agree, sometimes true and sometimes false", () => {
  let state = 12345;
  const next = (n: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % n;
  };
  const random = (): Rational[] => {
    const weights = Array.from({ length: 4 }, () => BigInt(next(6)));
    const total = weights.reduce((a, b) => a + b, 0n);
    return total === 0n ? random() : weights.map((weight) => ratio(weight, total));
  };
  const seen = { true: 0, false: 0 };
  for (let i = 0; i < 2000; i++) {
    // pureEitherWay throws where they do not agree.
    const holds = pureEitherWay(random(), random(), ratio(BigInt(1 + next(8)), 2n));
    seen[`${holds}`] += 1;
  }
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(20);
});

test("for δ > 0 the form of single outcomes promises less: each of many outcomes is over by δ alone", () => {
  // ε = 0, δ = 1/8: eight outcomes each over by 1/16, together by 1/2.
  const p = laws("1/8 1/8 1/8 1/8 1/8 1/8 1/8 1/8 0 0 0 0 0 0 0 0");
  const q = laws("1/16 1/16 1/16 1/16 1/16 1/16 1/16 1/16 1/16 1/16 1/16 1/16 1/16 1/16 1/16 1/16");
  expect(formsOf(p, q, ratio(1n), ratio(1n, 8n))).toEqual({ sets: false, outcomes: true, losses: false });
});

test("for δ > 0 the form of the loss promises more (B, Claim 1.2): it implies the sets, not the other way round", () => {
  // The loss exceeds ε = ln 2 with probability 1/2, but only by so little that δ = 1/10 covers every set.
  const p = laws("1/2 1/2");
  const q = laws("1/5 4/5");
  expect(formsOf(p, q, ratio(2n), ratio(1n, 10n))).toEqual({ sets: true, outcomes: true, losses: false });
  // Where the loss form holds, so do the sets.
  let state = 99;
  const next = (): bigint => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return BigInt((state >>> 8) % 5);
  };
  let held = 0;
  for (let i = 0; i < 500; i++) {
    const [a, b] = [0, 1].map(() => {
      const weights = [next(), next(), next(), 1n];
      const total = weights.reduce((x, y) => x + y, 0n);
      return weights.map((weight) => ratio(weight, total));
    }) as [Rational[], Rational[]];
    const forms = formsOf(a, b, ratio(3n, 2n), ratio(1n, 4n));
    if (forms.losses) {
      held += 1;
      expect(forms.sets).toBe(true);
    }
  }
  expect(held).toBeGreaterThan(20);
});

test("the forms hold for randomized response at its price, and for nothing less", () => {
  const { event } = randomizedResponse({ options: 4, truth: ratio(1n, 2n) });
  const [p, q] = [event.p, event.q].map((list) => list.map((mass) => parseRational(mass))) as [
    Rational[],
    Rational[],
  ];
  expect(pureEitherWay(p, q, ratio(3n))).toBe(true);
  expect(pureEitherWay(p, q, ratio(299n, 100n))).toBe(false);
});
