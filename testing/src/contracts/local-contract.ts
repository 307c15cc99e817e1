import { parseRational, price, type Rational, ratio } from "@lethe/core";
import type { LocalMechanism } from "@lethe/core/local";
import { compare, divide, equals, expBracket, multiply, one, sum, zero } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { enumerateWords, lowBits } from "./enumerate-words.ts";
import { aligned, pureEitherWay } from "./pure-forms.ts";

export interface LocalCase<Report, Parameters> {
  readonly name: string;
  readonly mechanism: LocalMechanism<Report, Parameters>;
  /** The size of draws: every draw is uniformBelow(n) with n ≤ 2^lowBits, and takes at most `words` words. */
  readonly lowBits: number;
  readonly words: number;
  /** The options that a report supports. */
  readonly supports: (report: Report) => readonly number[];
  /** The chances that a report supports its unit's own option, and another. */
  readonly p: Rational;
  readonly q: Rational;
}

/** Tests the properties that every local mechanism must have: exact laws by enumeration, its price attained, its estimates unbiased. */
export function localContract<Report, Parameters>(each: LocalCase<Report, Parameters>): void {
  const { mechanism, supports } = each;
  const { options, event } = mechanism;
  const values = Array.from({ length: options }, (_, value) => value);
  const texts = new Map<string, Report>();
  const laws = values.map((value) => {
    const { masses, residual } = enumerateWords(
      (bits) => {
        const report = mechanism.respond(value, bits);
        const text = JSON.stringify(report);
        texts.set(text, report);
        return text;
      },
      () => lowBits(each.lowBits),
      each.words,
    );
    return { masses, residual };
  });
  const [p, q] = [event.p, event.q].map((list) => list.map((text) => parseRational(text))) as [
    Rational[],
    Rational[],
  ];
  const growth = p.map((mass, i) => divide(mass, q[i]!)).reduce((a, b) => (compare(a, b) > 0 ? a : b));

  describe(`${each.name}: a local mechanism`, () => {
    it("is enumerated whole", () => {
      for (const { masses, residual } of laws) {
        expect(residual).toEqual(zero);
        expect(sum(masses.values())).toEqual(one);
      }
    });

    it("has on every two values the law of its event, merged by likelihood ratio", () => {
      for (const a of values) {
        for (const b of values) {
          if (a === b) continue;
          const merged = byRatio(...aligned(laws[a]!.masses, laws[b]!.masses));
          expect(merged).toEqual(byRatio(p, q));
        }
      }
    });

    it("is pure at its price by all three forms and at nothing less", () => {
      const less = multiply(growth, ratio(999_999n, 1_000_000n));
      for (const a of values) {
        for (const b of values.slice(0, a)) {
          const [left, right] = merge(...aligned(laws[a]!.masses, laws[b]!.masses));
          expect(pureEitherWay(left, right, growth)).toBe(true);
          expect(pureEitherWay(left, right, less)).toBe(false);
        }
      }
      expect(price(event, { measure: "pure" })).toEqual({ measure: "pure", epsilon: mechanism.epsilon });
      expect(compare(expBracket(mechanism.epsilon, 80).hi, growth)).toBeGreaterThanOrEqual(0);
      // Rounded up by at most 2^−40.
      const smaller = ratio(
        mechanism.epsilon.num * 2n ** 39n - mechanism.epsilon.den,
        mechanism.epsilon.den * 2n ** 39n,
      );
      expect(compare(expBracket(smaller, 80).lo, growth)).toBeLessThan(0);
    });

    it("supports the own option with chance p and every other with q", () => {
      for (const value of values) {
        for (const option of values) {
          const chance = sum(
            [...laws[value]!.masses].flatMap(([text, mass]) =>
              supports(texts.get(text)!).includes(option) ? [mass] : [],
            ),
          );
          expect(equals(chance, option === value ? each.p : each.q)).toBe(true);
        }
      }
    });

    it("aggregates to unbiased shares: the exact mean over all reports of three units is what they hold", () => {
      const held = [0, 0, options - 1];
      const means = new Array<number>(options).fill(0);
      const walk = (reports: readonly Report[], mass: number): void => {
        const next = held[reports.length];
        if (next === undefined) {
          mechanism.aggregate(reports, { confidence: 0.5 }).estimates.forEach((share, option) => {
            means[option]! += mass * share;
          });
          return;
        }
        for (const [text, chance] of laws[next]!.masses) {
          walk([...reports, texts.get(text)!], (mass * Number(chance.num)) / Number(chance.den));
        }
      };
      if (texts.size <= 12) {
        walk([], 1);
        for (const option of values) {
          const share = held.filter((value) => value === option).length / held.length;
          expect(means[option]).toBeCloseTo(share, 10);
        }
      } else expect(texts.size).toBeGreaterThan(12);
    });

    it("asks for the same coins whatever the value", () => {
      const reads = values.map((value) => {
        let words = 0;
        mechanism.respond(value, { word: () => 16_843_009 * words++ });
        return words;
      });
      expect(new Set(reads).size).toBe(1);
    });

    it("refuses values that are not options and counts that cannot be", () => {
      const refusal = expect.objectContaining({ code: "parameter.invalid" });
      for (const value of [-1, options, 0.5, Number.NaN, "0" as unknown as number]) {
        expect(() => mechanism.respond(value, { word: () => 0 })).toThrow(refusal);
      }
      const counts = values.map(() => 1);
      expect(() => mechanism.aggregate([])).toThrow(refusal);
      expect(() => mechanism.aggregateCounts(counts.slice(1), 3)).toThrow(refusal);
      expect(() => mechanism.aggregateCounts([4, ...counts.slice(1)], 3)).toThrow(refusal);
      expect(() => mechanism.aggregateCounts([Number.NaN, ...counts.slice(1)], 3)).toThrow(refusal);
      for (const confidence of [0, 1, 1 - 1e-14, -1, Number.NaN]) {
        expect(() => mechanism.aggregateCounts(counts, 3, { confidence })).toThrow(refusal);
      }
      for (const reports of [0, 1.5, Number.NaN, 2 ** 41, Number.POSITIVE_INFINITY]) {
        expect(() =>
          mechanism.aggregateCounts(
            values.map(() => 0),
            reports,
          ),
        ).toThrow(refusal);
      }
      expect(() => mechanism.aggregateCounts(counts, 3, { about: "units" as "reporters" })).toThrow(refusal);
    });
  });
}

/** Outcomes of the same likelihood ratio become one: nothing that a pair can tell is lost. Ratio as text → masses. */
function byRatio(p: readonly Rational[], q: readonly Rational[]): Map<string, [Rational, Rational]> {
  const merged = new Map<string, [Rational, Rational]>();
  for (const [i, left] of p.entries()) {
    const right = q[i]!;
    const { num, den } = divide(left, right);
    const [a, b] = merged.get(`${num}/${den}`) ?? [zero, zero];
    merged.set(`${num}/${den}`, [sum([a, left]), sum([b, right])]);
  }
  return new Map([...merged].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function merge(p: readonly Rational[], q: readonly Rational[]): [Rational[], Rational[]] {
  const pairs = [...byRatio(p, q).values()];
  return [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
}
