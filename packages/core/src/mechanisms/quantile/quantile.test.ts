import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import type { Enclosure, Neighbours } from "../../../../../testing/src/contracts/mechanism-hockey-stick.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import { expBracket } from "../../numeric/bracket.ts";
import {
  compare,
  divide,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  sum,
  toDouble,
  zero,
} from "../../numeric/rational.ts";
import { SeededSource } from "../../tape.ts";
import {
  type QuantileSetting,
  quantileEvent,
  quantilePieces,
  quantileRankErrorBound,
  quantileSensitivity,
  releaseQuantile,
} from "./quantile.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const range = { lo: -1n, hi: 3n };
const numbers = [-1n, 0n, 1n, 2n, 3n];
const setting = (over: Partial<QuantileSetting> = {}): QuantileSetting => ({
  range,
  q: "1/2",
  epsilon: "1",
  adjacency: "add-or-remove-one",
  ...over,
});

/** The distance of the proof, by definition. */
function distance(q: Rational, values: readonly bigint[], y: bigint): bigint {
  const below = BigInt(values.filter((x) => x < y).length);
  const atOrBelow = BigInt(values.filter((x) => x <= y).length);
  const target = q.num * BigInt(values.length);
  return [q.den * below - target, target - q.den * atOrBelow].reduce((a, b) => (a > b ? a : b), 0n);
}

/** All data sets of at most `most` rows, as sorted lists. */
function dataSets(most: number, from = 0): bigint[][] {
  if (most === 0) return [[]];
  return [
    [],
    ...numbers.slice(from).flatMap((x, i) => dataSets(most - 1, from + i).map((rest) => [x, ...rest])),
  ];
}

/** Numbers on both sides of its 9/10-quantile that one row at an end moves apart. */
const skewed = [...Array<bigint>(15).fill(-1n), ...Array<bigint>(5).fill(1n)];

const neighboursOf: { readonly [A in Adjacency]: (values: readonly bigint[]) => bigint[][] } = {
  "add-or-remove-one": (values) => numbers.map((x) => [...values, x]),
  "replace-one": (values) => values.flatMap((_, i) => numbers.map((x) => values.with(i, x))),
};
const adjacencies = Object.keys(neighboursOf) as Adjacency[];
const quantiles = ["0", "1/4", "1/3", "1/2", "9/10", "1"];

/** P[y] ∝ e^(−rate·distance), for the rate that the event's ε gives. */
function law(q: Rational, rate: Rational, values: readonly bigint[]): Enclosure[] {
  const weights = numbers.map((y) => expBracket(multiply(rate, ratio(-distance(q, values, y))), 160));
  const [lo, hi] = [sum(weights.map((w) => w.lo)), sum(weights.map((w) => w.hi))];
  return weights.map((w) => ({ lo: divide(w.lo, hi), hi: divide(w.hi, lo) }));
}

describe("the score", () => {
  it("is the distance of the definition, number by number", () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(-3n, 5n), { maxLength: 9 }),
        fc.constantFrom(...quantiles),
        (values, q) => {
          const clamped = values.map((x) => (x < -1n ? -1n : x > 3n ? 3n : x));
          const spelled = quantilePieces(setting({ q }), values).flatMap(({ cells, score }) =>
            Array<bigint>(Number(cells)).fill(score),
          );
          expect(spelled).toEqual(numbers.map((y) => 0n - distance(parseRational(q), clamped, y)));
          expect(spelled.some((score) => score === 0n)).toBe(true);
        },
      ),
    );
  });

  it.each(adjacencies)(
    "moves by at most the sensitivity, and two scores apart by at most twice that: %s",
    (adjacency) => {
      for (const text of quantiles) {
        const q = parseRational(text);
        let [single, apart] = [0n, 0n];
        for (const values of [...dataSets(4), skewed]) {
          for (const other of neighboursOf[adjacency](values)) {
            const moved = numbers.map((y) => distance(q, other, y) - distance(q, values, y));
            const [least, most] = [
              moved.reduce((a, b) => (a < b ? a : b)),
              moved.reduce((a, b) => (a > b ? a : b)),
            ];
            for (const each of [most, -least]) if (each > single) single = each;
            if (most - least > apart) apart = most - least;
          }
        }
        const claimed = quantileSensitivity({ q: text, adjacency });
        expect(single).toBe(claimed);
        expect(apart <= 2n * claimed).toBe(true);
        if (q.num > 0n && q.num < q.den && claimed > 1n) expect(apart).toBe(2n * claimed);
      }
    },
  );
});

describe("the price", () => {
  const pairs = (adjacency: Adjacency, q: Rational, rate: Rational, rows: number): Neighbours[] =>
    dataSets(rows).flatMap((values) =>
      neighboursOf[adjacency](values).map((other) => {
        const [p, r] = [law(q, rate, values), law(q, rate, other)];
        return { outcomes: p.map((each, i) => ({ p: each, q: r[i]! })), rest: zero };
      }),
    );

  it.each(adjacencies)("holds on all data sets of two rows and their neighbours: %s", (adjacency) => {
    for (const q of ["1/2", "9/10"]) {
      const each = setting({ q, adjacency, epsilon: "2" });
      expect(quantileEvent(each)).toEqual({
        kind: "bounded-range",
        version: 1,
        epsilon: "2",
        of: "quantile",
      });
      const rate = divide(ratio(2n), ratio(2n * quantileSensitivity(each)));
      for (const pair of pairs(adjacency, parseRational(q), rate, 2)) {
        expect(refuted(pair, ratio(2n), zero)).toBe(false);
        // Bounded range: the log-ratios of two outcomes differ by at most ε.
        const ratios = pair.outcomes.map(({ p, q: r }) => [divide(p.lo, r.hi), divide(p.hi, r.lo)] as const);
        const growth = expBracket(ratio(2n), 160).hi;
        for (const [high] of ratios) {
          for (const [, low] of ratios) expect(compare(high, multiply(low, growth))).toBeLessThanOrEqual(0);
        }
      }
    }
  });

  it("is refuted at half a row for every q, and at the median's add-or-remove rate under replace-one", () => {
    // A gap of 10^12 numbers comes nearer to the quantile and takes the probability, while the number 1 moves away.
    const far = 10n ** 12n;
    const wide = { range: { lo: 0n, hi: far }, epsilon: "6" };
    const rows = (...parts: readonly (readonly [number, bigint])[]): bigint[] =>
      parts.flatMap(([times, value]) => Array<bigint>(times).fill(value));
    const atOne = (q: string, values: readonly bigint[], rate: Rational): Enclosure => {
      const pieces = quantilePieces(setting({ ...wide, q }), values);
      const weights = pieces.map(({ cells, score }) => {
        const { lo, hi } = expBracket(multiply(rate, ratio(score)), 200);
        return { lo: multiply(ratio(cells), lo), hi: multiply(ratio(cells), hi) };
      });
      const { lo, hi } = expBracket(multiply(rate, ratio(-distance(parseRational(q), values, 1n))), 200);
      return { lo: divide(lo, sum(weights.map((w) => w.hi))), hi: divide(hi, sum(weights.map((w) => w.lo))) };
    };
    const cases = [
      // Δ = b/2 = 5 where 9 is due.
      {
        q: "9/10",
        adjacency: "add-or-remove-one",
        wrong: 5n,
        d: rows([15, 0n], [5, 5n]),
        e: rows([15, 0n], [5, 5n], [1, far]),
      },
      {
        q: "1/2",
        adjacency: "replace-one",
        wrong: 1n,
        d: rows([1, 0n], [11, 5n], [9, far]),
        e: rows([11, 5n], [10, far]),
      },
    ] as const;
    for (const { q, adjacency, wrong, d, e } of cases) {
      const claimedAt = (sensitivity: bigint): boolean => {
        const rate = divide(ratio(6n), ratio(2n * sensitivity));
        const outcomes = [{ p: atOne(q, d, rate), q: atOne(q, e, rate) }];
        return refuted({ outcomes, rest: zero }, ratio(6n), zero);
      };
      expect(claimedAt(wrong)).toBe(true);
      expect(claimedAt(quantileSensitivity({ q, adjacency }))).toBe(false);
    }
  });

  it("grows with the rows of a unit", () => {
    expect(quantileSensitivity({ q: "1/4", adjacency: "add-or-remove-one", rows: 5n })).toBe(15n);
    expect(quantileSensitivity({ q: "1/4", adjacency: "replace-one", rows: 5n })).toBe(20n);
  });
});

describe("the release", () => {
  it("follows the law (false alarm below 1e-8, a rate 20 % off would be seen)", () => {
    const each = setting({ epsilon: "3" });
    const values = [0n, 2n, 2n, 3n, 3n];
    const bits = new SeededSource(42);
    const draws = 40_000;
    const counts = new Map<bigint, number>();
    for (let i = 0; i < draws; i += 1) {
      const y = releaseQuantile(each, values, bits);
      counts.set(y, (counts.get(y) ?? 0) + 1);
    }
    const chiSquare = (rate: Rational): number =>
      law(parseRational("1/2"), rate, values).reduce((total, { lo }, i) => {
        const expected = draws * toDouble(lo, "up");
        return total + ((counts.get(numbers[i]!) ?? 0) - expected) ** 2 / expected;
      }, 0);
    // Four degrees of freedom: P[χ² > 45] < 5e-9.
    expect(chiSquare(ratio(3n, 2n))).toBeLessThan(45);
    expect(chiSquare(ratio(6n, 5n))).toBeGreaterThan(45);
  });

  it("is uniform where there are no rows, and clamps what comes", () => {
    const bits = new SeededSource(1);
    const seen = new Set(Array.from({ length: 200 }, () => releaseQuantile(setting(), [], bits)));
    expect([...seen].sort()).toEqual([...numbers].sort());
    const far = Array<bigint>(100).fill(10n ** 20n);
    expect(releaseQuantile(setting({ epsilon: "100" }), far, bits)).toBe(3n);
    expect(releaseQuantile(setting({ range: { lo: 7n, hi: 7n } }), far, bits)).toBe(7n);
    const wide = setting({ range: { lo: -(10n ** 30n), hi: 10n ** 30n }, epsilon: "10" });
    const near = releaseQuantile(wide, Array<bigint>(400).fill(12345n), bits);
    expect(near).toBe(12345n);
  });

  it("misses its rank reach as rarely as stated, over the whole law, and the reach is not idle", () => {
    for (const adjacency of adjacencies) {
      const each = setting({ adjacency, epsilon: "4" });
      const beta = ratio(1n, 10n);
      const reach = quantileRankErrorBound(each, beta);
      const rate = divide(ratio(4n), ratio(2n * quantileSensitivity(each)));
      const [q, b] = [parseRational("1/2"), 2n];
      for (const values of [...dataSets(3), skewed]) {
        const masses = law(q, rate, values);
        const beyond = sum(
          masses.map(({ hi }, i) =>
            compare(ratio(distance(q, values, numbers[i]!), b), reach) > 0 ? hi : zero,
          ),
        );
        expect(compare(beyond, beta)).toBeLessThanOrEqual(0);
      }
      expect(compare(reach, ratio(6n))).toBe(-1);
    }
    expect(
      quantileRankErrorBound(
        setting({ range: { lo: 0n, hi: 99n }, adjacency: "replace-one" }),
        ratio(1n, 20n),
      ),
    ).toEqual(ratio(15n));
  });
});

describe("the rank reach", () => {
  // Steps d with cells·e^(−rate·d) ≤ beta, rate = ε/(2Δ); the reach is one step less, each 1/b of a rank.
  it.each([
    // Δ = 1 in halves of ranks, rate 1/2: 2·ln(4·20) = 8.8, 2·ln(5·20) = 9.2.
    [setting({ range: { lo: 0n, hi: 3n } }), ratio(1n, 20n), ratio(4n)],
    [setting({ range: { lo: 0n, hi: 4n } }), ratio(1n, 20n), ratio(9n, 2n)],
    [setting({ range: { lo: -4n, hi: 0n } }), ratio(1n, 20n), ratio(9n, 2n)],
    // Δ = 3 in quarters, rate 1/6: 6·ln 100 = 27.6.
    [setting({ range: { lo: 1n, hi: 5n }, q: "1/4" }), ratio(1n, 20n), ratio(27n, 4n)],
    // Δ = 4 in quarters, rate 1/4 at ε = 2: 4·ln 50 = 15.6.
    [
      setting({ range: { lo: 1n, hi: 5n }, q: "1/4", adjacency: "replace-one", epsilon: "2" }),
      ratio(1n, 10n),
      ratio(15n, 4n),
    ],
  ])("of %o at %o is %o", (each, beta, due) => {
    expect(quantileRankErrorBound(each, beta)).toEqual(due);
  });
});

describe("refusals", () => {
  it.each([
    { range: { lo: 1n, hi: 0n } },
    { q: "-1/2" },
    { q: "1.01" },
    { q: "NaN" },
    { epsilon: "0" },
    { epsilon: "-1" },
    { rows: 0n },
    { adjacency: "any" as Adjacency },
  ])("%o", (wrong) => {
    expect(() => releaseQuantile(setting(wrong), [1n], new SeededSource(1))).toThrow(invalid);
    expect(() => quantileEvent(setting(wrong))).toThrow(invalid);
  });
  it("of a beta", () => {
    for (const beta of [zero, one]) expect(() => quantileRankErrorBound(setting(), beta)).toThrow(invalid);
  });
});
