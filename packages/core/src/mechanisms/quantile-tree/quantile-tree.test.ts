import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import { product } from "../../../../../testing/src/contracts/mechanism-hockey-stick.ts";
import { discreteLaplaceMass, shifted } from "../../../../../testing/src/contracts/mechanism-masses.ts";
import type { Event } from "../../events/event.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import { one, parseRational, type Rational, ratio, zero } from "../../numeric/rational.ts";
import { price } from "../../price.ts";
import { SeededSource } from "../../tape.ts";
import type { Noise } from "../noise.ts";
import { consistentCounts, heightWeights } from "./consistent-counts.ts";
import { readQuantileTree, releaseQuantileTree } from "./quantile-tree.ts";
import { rankErrorBound, rankNoise } from "./rank-noise.ts";
import { type QuantileTreeSetting, quantileTreeEvent, quantileTreeFor, treeShape } from "./tree-shape.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
/** Noise that is 0 but for a chance of e^(−1000). */
const still: Noise = { mechanism: "discrete-laplace@1", scale: "1/1000" };
const setting = (over: Partial<QuantileTreeSetting> = {}): QuantileTreeSetting => ({
  range: { lo: 0n, hi: 7n },
  branching: 2,
  height: 3,
  adjacency: "add-or-remove-one",
  noise: still,
  ...over,
});
const pureOf = (event: Event): Rational =>
  (price(event, { measure: "pure" }) as { epsilon: Rational }).epsilon;

describe("the price", () => {
  const counts = (each: QuantileTreeSetting, values: readonly bigint[]): bigint[] =>
    releaseQuantileTree(each, values, new SeededSource(1)).flat();

  it.each([
    ["add-or-remove-one", undefined, 4n, 4n],
    ["replace-one", undefined, 8n, 8n],
    ["replace-one", 2n, 6n, 6n],
  ] as const)(
    "is that of the brute-force sensitivity, %s, known rows %s",
    (adjacency, knownRows, l1, l2Squared) => {
      const each = setting({ adjacency, ...(knownRows === undefined ? {} : { knownRows }) });
      expect(treeShape(each).sensitivity).toEqual({ l1, l2Squared });
      let [most1, most2] = [0n, 0n];
      const numbers = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n];
      for (const x of numbers) {
        for (const y of adjacency === "replace-one" ? numbers : [null]) {
          const after = counts(each, y === null ? [5n] : [5n, y]);
          const moved = counts(each, [5n, x]).map((count, i) => count - after[i]!);
          const [a, b] = [
            moved.reduce((t, d) => t + (d < 0n ? -d : d), 0n),
            moved.reduce((t, d) => t + d * d, 0n),
          ];
          if (a > most1) most1 = a;
          if (b > most2) most2 = b;
        }
      }
      // Under replace-one the root does not move in one row; it is priced as if it could, as other units have fewer rows.
      const root = adjacency === "replace-one" && knownRows === undefined ? 2n : 0n;
      expect([most1, most2]).toEqual([l1 - root, l2Squared - root]);
    },
  );

  it("grows with the rows of a unit: m in ℓ1, m² in ℓ2²", () => {
    expect(treeShape(setting({ rows: 3n })).sensitivity).toEqual({ l1: 12n, l2Squared: 36n });
    expect(treeShape(setting({ rows: 3n, adjacency: "replace-one" })).sensitivity).toEqual({
      l1: 24n,
      l2Squared: 72n,
    });
  });

  it("spends the budget it was made for", () => {
    const { noise: _noise, ...rest } = setting();
    const each = quantileTreeFor({ ...rest, budget: { epsilon: ratio(1n, 2n) } });
    expect(each.noise).toEqual({ mechanism: "discrete-laplace@1", scale: "8" });
    expect(pureOf(quantileTreeEvent(each))).toEqual(ratio(1n, 2n));
    const gaussian = quantileTreeFor({ ...rest, budget: { rho: ratio(1n, 2n) } });
    expect(gaussian.noise).toEqual({ mechanism: "rounded-gaussian@1", sigma: "2" });
  });

  it("holds on the law of a tree of two leaves, and is refuted where the root is not priced", () => {
    const count = shifted(discreteLaplaceMass(ratio(2n)), 1n, 18n);
    const added = product([count, count]); // the root and one leaf; the other does not move
    const each = setting({ height: 1, noise: { mechanism: "discrete-laplace@1", scale: "2" } });
    const paid = pureOf(quantileTreeEvent(each));
    expect(paid).toEqual(one);
    expect(refuted(added, paid, zero)).toBe(false);
    expect(refuted(added, ratio(1n, 2n), zero)).toBe(true);
  });

  it("has no release without noise", () => {
    const bare = setting({ noise: { mechanism: "constant@1" } });
    expect(() => releaseQuantileTree(bare, [1n], new SeededSource(1))).toThrow(
      expect.objectContaining({ code: "internal.invariant" }),
    );
  });
});

/** Solves a square system by elimination. */
function solve(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  for (let c = 0; c < rows.length; c += 1) {
    const best = rows
      .slice(c)
      .reduce((at, row, i) => (Math.abs(row[c]!) > Math.abs(rows[at]![c]!) ? i + c : at), c);
    [rows[c], rows[best]] = [rows[best]!, rows[c]!];
    for (let r = 0; r < rows.length; r += 1) {
      if (r === c) continue;
      const by = rows[r]![c]! / rows[c]![c]!;
      rows[r] = rows[r]!.map((x, k) => x - by * rows[c]![k]!);
    }
  }
  return rows.map((row, i) => row.at(-1)! / row[i]!);
}

const levelsOf = (branching: number, height: number): number[] =>
  Array.from({ length: height + 1 }, (_, depth) => branching ** depth);

describe("the estimates", () => {
  it.each([
    [2, 3],
    [3, 2],
    [5, 1],
  ])("are the least squares of the normal equations: %i^%i leaves", (branching, height) => {
    const bits = new SeededSource(17);
    const sizes = levelsOf(branching, height);
    const noisy = sizes.map((size) => Array.from({ length: size }, () => (bits.word() % 100) - 20));
    const leaves = sizes.at(-1)!;
    // Rows: which leaves a node holds.
    const design = sizes.flatMap((size) =>
      Array.from({ length: size }, (_, i) =>
        Array.from({ length: leaves }, (_, leaf) => Number(Math.floor((leaf * size) / leaves) === i)),
      ),
    );
    const flat = noisy.flat();
    const normal = Array.from({ length: leaves }, (_, a) =>
      Array.from({ length: leaves }, (_, c) => design.reduce((t, row) => t + row[a]! * row[c]!, 0)),
    );
    const right = Array.from({ length: leaves }, (_, a) =>
      design.reduce((t, row, i) => t + row[a]! * flat[i]!, 0),
    );
    const best = solve(normal, right);
    const found = consistentCounts(noisy, branching, null);
    found.at(-1)!.forEach((count, i) => {
      expect(count).toBeCloseTo(best[i]!, 9);
    });
    for (let depth = 0; depth < height; depth += 1) {
      found[depth]!.forEach((count, i) => {
        const children = found[depth + 1]!.slice(i * branching, (i + 1) * branching);
        expect(count).toBeCloseTo(
          children.reduce((a, b) => a + b),
          9,
        );
      });
    }
    expect(consistentCounts(noisy, branching, 77)[0]![0]).toBe(77);
  });

  it("weigh a node's own count by the inverse of its variance", () => {
    for (const branching of [2, 3, 16]) {
      let variance = 1;
      for (let height = 1; height <= 5; height += 1) {
        const { own, children } = heightWeights(branching, height);
        if (height === 1) expect({ own, children }).toEqual({ own: 1, children: 0 });
        else {
          const fromChildren = branching * variance;
          expect(own).toBeCloseTo(fromChildren / (1 + fromChildren), 12);
          expect(own + children).toBeCloseTo(1, 12);
          variance = own * own + children * children * fromChildren;
        }
      }
    }
  });

  it.each([
    [2, 3, false],
    [2, 3, true],
    [3, 2, false],
    [4, 2, true],
  ])("have the noise that rankNoise says: %i^%i, known rows %s", (branching, height, known) => {
    const sizes = levelsOf(branching, height);
    const leaves = sizes.at(-1)!;
    // The response of every leaf to unit noise in one node.
    const responses = sizes.flatMap((size, depth) =>
      Array.from({ length: size }, (_, i) => {
        const unit = sizes.map((count, d) =>
          Array.from({ length: count }, (_, j) => Number(d === depth && j === i)),
        );
        return consistentCounts(unit, branching, known ? 0 : null).at(-1)!;
      }),
    );
    for (let before = 0; before <= leaves; before += 1) {
      const weights = responses.map((leaf) => leaf.slice(0, before).reduce((a, b) => a + b, 0));
      const [squares, largest] = [weights.reduce((t, w) => t + w * w, 0), Math.max(...weights.map(Math.abs))];
      const claimed = rankNoise({ branching, height, known }, before);
      expect(claimed.squares).toBeCloseTo(squares, 7);
      expect(claimed.largest).toBeGreaterThanOrEqual(largest - 1e-12);
      expect(claimed.largest).toBeLessThanOrEqual(1.6 * largest + 1e-9);
    }
  });

  it("are exact where there is no noise", () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(-3n, 12n), { minLength: 1, maxLength: 30 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, q) => {
          const each = setting();
          const tree = readQuantileTree(each, releaseQuantileTree(each, values, new SeededSource(1)));
          const sorted = values.map((x) => (x < 0n ? 0n : x > 7n ? 7n : x)).sort((a, b) => Number(a - b));
          expect(tree.rows).toBeCloseTo(values.length, 9);
          for (let y = -1n; y <= 8n; y += 1n) {
            expect(tree.rank(y)).toBeCloseTo(sorted.filter((x) => x <= y).length, 9);
          }
          // Rank k must be reached up to rounding: compare away from whole ranks.
          const k = Math.max(1, Math.ceil(q * values.length));
          if (Math.abs(q * values.length - Math.round(q * values.length)) > 1e-6) {
            expect(tree.quantile(q)).toBe(sorted[k - 1]!);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("never cross: ranks and quantiles do not fall, under much noise and from no rows", () => {
    const each = setting({
      noise: { mechanism: "discrete-laplace@1", scale: "9" },
      range: { lo: -5n, hi: 21n },
    });
    for (let seed = 1; seed <= 40; seed += 1) {
      const values = seed % 4 === 0 ? [] : Array.from({ length: 20 }, (_, i) => BigInt(i - 4));
      const tree = readQuantileTree(each, releaseQuantileTree(each, values, new SeededSource(seed)));
      let [rank, value] = [0, -5n];
      for (let y = -6n; y <= 22n; y += 1n) {
        expect(tree.rank(y)).toBeGreaterThanOrEqual(rank);
        rank = tree.rank(y);
      }
      for (let i = 0; i <= 20; i += 1) {
        const next = tree.quantile(i / 20);
        expect(next >= value && next <= 21n).toBe(true);
        value = next;
        const interval = tree.quantileInterval(i / 20, ratio(1n, 10n));
        expect(interval.lower <= next && interval.upper >= next && interval.upper <= 21n).toBe(true);
      }
      expect(tree.rows).toBeGreaterThanOrEqual(0);
    }
  });
});

describe("the intervals", () => {
  const noises: readonly (readonly [Noise, number])[] = [
    [{ mechanism: "discrete-laplace@1", scale: "4" }, 0.35],
    [{ mechanism: "rounded-gaussian@1", sigma: "5" }, 0.35],
    [{ mechanism: "discrete-gaussian@1", sigmaSquared: "25" }, 0.35],
  ];
  const values = Array.from({ length: 300 }, (_, i) => BigInt((i * i) % 1000));
  const sorted = [...values].sort((a, b) => Number(a - b));

  it.each(noises)(
    "cover as stated (false alarm below 1e-9), and half of them would not: %o",
    (noise, half) => {
      const alpha = ratio(1n, 5n);
      const each = setting({ range: { lo: 0n, hi: 999n }, branching: 4, height: 3, noise });
      const bits = new SeededSource(77);
      const rounds = 300;
      let [missed, narrow, quantileMissed, asked] = [0, 0, 0, 0];
      for (let round = 0; round < rounds; round += 1) {
        const tree = readQuantileTree(each, releaseQuantileTree(each, values, bits));
        for (const y of [-1n, 15n, 400n, 511n, 1000n]) {
          const truth = sorted.filter((x) => x <= y).length;
          const { lower, upper } = tree.rankInterval(y, alpha);
          missed += Number(truth < lower || truth > upper);
        }
        // At the end of a leaf, where the interval is no wider than the noise.
        const y = 511n;
        const { lower, upper } = tree.rankInterval(y, alpha);
        const truth = sorted.filter((x) => x <= y).length;
        const middle = (lower + upper) / 2;
        narrow += Number(Math.abs(truth - middle) > ((upper - lower) / 2) * half);
        asked += 1;
        const wrong = [0, 0.1, 0.5, 0.9, 1].some((q) => {
          const row = sorted[Math.max(1, Math.ceil(q * values.length)) - 1]!;
          const interval = tree.quantileInterval(q, alpha);
          return row < interval.lower || row > interval.upper;
        });
        quantileMissed += Number(wrong);
      }
      // Each rank ≤ 0.2, so the mean of five dependent ones per round ≤ 0.2: above 0.39 of 300 rounds has probability below e^(−2·300·0.19²) = 4e-10.
      expect(missed / (5 * rounds)).toBeLessThan(0.39);
      expect(quantileMissed / rounds).toBeLessThan(0.39);
      expect(narrow / asked).toBeGreaterThan(0.39);
    },
  );

  it("narrow where the number of rows is known", () => {
    const noise: Noise = { mechanism: "rounded-gaussian@1", sigma: "5" };
    const open = setting({
      range: { lo: 0n, hi: 999n },
      branching: 4,
      height: 3,
      noise,
      adjacency: "replace-one",
    });
    const known = { ...open, knownRows: 300n };
    const width = (each: QuantileTreeSetting): number => {
      const tree = readQuantileTree(each, releaseQuantileTree(each, values, new SeededSource(5)));
      const { lower, upper } = tree.rankInterval(767n, ratio(1n, 20n));
      return upper - lower;
    };
    expect(width(known)).toBeLessThan(width(open));
    const tree = readQuantileTree(known, releaseQuantileTree(known, values, new SeededSource(5)));
    expect(tree.rows).toBe(300);
    expect(tree.rankInterval(999n, ratio(1n, 20n))).toMatchObject({ value: 300, upper: 300 });
  });

  it("a third wider than the normal quantile at 0.05, whatever the depth", () => {
    const shape = rankNoise({ branching: 16, height: 3, known: false }, 1234);
    const reach = rankErrorBound(
      { mechanism: "rounded-gaussian@1", sigma: "10" },
      shape,
      5000,
      parseRational("0.05"),
    );
    const normal = 1.96 * 10 * Math.sqrt(shape.squares);
    expect(reach / normal).toBeGreaterThan(1);
    expect(reach / normal).toBeLessThan(1.4);
    expect(rankErrorBound({ mechanism: "constant@1" }, shape, 5000, parseRational("0.05"))).toBe(0);
  });

  it("the reach of one discrete Laplace is never below its quantile", () => {
    for (const scale of ["1/2", "3", "50"]) {
      for (const alpha of ["0.5", "0.05", "1e-6"].map((text) => parseRational(text))) {
        const reach = rankErrorBound(
          { mechanism: "discrete-laplace@1", scale },
          { squares: 1, largest: 1 },
          1,
          alpha,
        );
        const a = Math.exp(-1 / Number(ratioOf(scale)));
        const tail = (2 * a ** (Math.floor(reach) + 1)) / (1 + a);
        expect(tail).toBeLessThanOrEqual(Number(alpha.num) / Number(alpha.den));
      }
    }
  });
});

function ratioOf(text: string): number {
  const { num, den } = parseRational(text);
  return Number(num) / Number(den);
}

describe("refusals", () => {
  it.each([
    { range: { lo: 1n, hi: 0n } },
    { branching: 1 },
    { branching: Number.NaN },
    { branching: 2.5 },
    { height: 0 },
    { height: 21 },
    { height: Number.NaN },
    { rows: 0n },
    { adjacency: "x" as Adjacency },
    { knownRows: 3n },
    { knownRows: -1n, adjacency: "replace-one" as Adjacency },
    { noise: { mechanism: "discrete-laplace@1", scale: "0" } as Noise },
  ])("%o", (wrong) => {
    expect(() => releaseQuantileTree(setting(wrong), [1n], new SeededSource(1))).toThrow(invalid);
  });

  it("of a release of another shape, a q and an alpha", () => {
    const each = setting();
    const release = releaseQuantileTree(each, [1n], new SeededSource(1));
    expect(() => readQuantileTree(each, release.slice(1))).toThrow(invalid);
    expect(() => readQuantileTree(setting({ height: 2 }), release)).toThrow(invalid);
    const tree = readQuantileTree(each, release);
    for (const q of [-0.1, 1.1, Number.NaN]) expect(() => tree.quantile(q)).toThrow(invalid);
    for (const alpha of [zero, one]) {
      expect(() => tree.rankInterval(3n, alpha)).toThrow(invalid);
      expect(() => tree.quantileInterval(0.5, alpha)).toThrow(invalid);
    }
  });
});
