import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { add, fromDouble, multiply, one, type Rational, ratio, toDouble, zero } from "../numeric/rational.ts";
import { CloneMixture } from "./clone-mixture.ts";
import { hockeyStick, type Law } from "./finite-law.oracle.ts";
import {
  type ShuffleVariant,
  shuffleDelta,
  shuffleEpsilon,
  shuffleEpsilonTextbook,
  shufflePair,
} from "./shuffle.ts";

interface OracleCase {
  readonly id: string;
  readonly n: number;
  readonly epsilon0: number;
  readonly delta: number;
  readonly clone: number;
  readonly stronger_clone: number;
  readonly closed_form: number;
  readonly atol: number;
}
const oracle: { readonly cases: readonly OracleCase[] } = JSON.parse(
  readFileSync(new URL("../../../../testing/oracles/accounting.json", import.meta.url), "utf8"),
);
const shuffle1 = oracle.cases.find(({ id }) => id === "shuffle-1")!;

describe("shuffle-1", () => {
  const { n, epsilon0, delta, atol } = shuffle1;
  const query = { reports: n, epsilon0, delta };
  const near = (value: number, target: number): void => {
    expect(Math.abs(value - target)).toBeLessThanOrEqual(atol);
  };
  it("clone", () => near(shuffleEpsilon(query), shuffle1.clone));
  it("stronger clone", () =>
    near(shuffleEpsilon({ ...query, variant: "stronger-clone" }), shuffle1.stronger_clone));
  it("closed form", () => near(shuffleEpsilonTextbook(query), shuffle1.closed_form));
});

/** A local randomizer: P[report y | value x], rows of equal sums. */
type Randomizer = readonly (readonly Rational[])[];
const normalize = (weights: readonly (readonly bigint[])[]): Randomizer =>
  weights.map((row) => {
    const total = row.reduce((a, b) => a + b, 0n);
    return row.map((w) => ratio(w, total));
  });
/** Reports a set of d of k values, one that holds the own value being e0 times as likely. d = 1 is randomized response. */
const subsetResponse = (k: number, d: number, e0: bigint): Randomizer => {
  const sets: number[][] = [];
  const choose = (from: number, chosen: number[]): void => {
    if (chosen.length === d) sets.push(chosen);
    else for (let i = from; i < k; i += 1) choose(i + 1, [...chosen, i]);
  };
  choose(0, []);
  return normalize(Array.from({ length: k }, (_, x) => sets.map((set) => (set.includes(x) ? e0 : 1n))));
};
/** Value 2 says the third report a third as often as the others do, and the fourth instead. */
const elsewhere: Randomizer = normalize([
  [9n, 3n, 15n, 13n],
  [3n, 9n, 15n, 13n],
  [3n, 3n, 5n, 29n],
]);

/** The law of the shuffled reports of these values: how often each report occurs. */
function shuffled(randomizer: Randomizer, values: readonly number[]): Law {
  let law = new Map<string, Rational>([[randomizer[0]!.map(() => 0).join(), one]]);
  for (const x of values) {
    const next = new Map<string, Rational>();
    for (const [key, mass] of law) {
      randomizer[x]!.forEach((p, y) => {
        const counts = key.split(",").map(Number);
        counts[y]! += 1;
        const to = counts.join();
        next.set(to, add(next.get(to) ?? zero, multiply(mass, p)));
      });
    }
    law = next;
  }
  return law;
}

/** Multisets of `length` of k values. */
function datasets(k: number, length: number): number[][] {
  if (length === 0) return [[]];
  return datasets(k, length - 1).flatMap((rest) =>
    Array.from({ length: k }, (_, x) => x)
      .filter((x) => x >= (rest.at(-1) ?? 0))
      .map((x) => [...rest, x]),
  );
}

/** The largest truth/claim over all data sets, values of the one unit and ε. */
function worstRatio(randomizer: Randomizer, e0: number, reports: number, variant: ShuffleVariant): number {
  const k = randomizer.length;
  let worst = 0;
  for (const rest of datasets(k, reports - 1)) {
    const laws = Array.from({ length: k }, (_, x) => shuffled(randomizer, [...rest, x]));
    for (const part of [0, 0.05, 0.2, 0.5, 0.8, 0.97]) {
      const gamma = e0 ** part;
      const claim = shuffleDelta({ reports, epsilon0: Math.log(e0), epsilon: Math.log(gamma), variant });
      for (const p of laws) {
        for (const q of laws) {
          if (p !== q) worst = Math.max(worst, toDouble(hockeyStick(p, q, fromDouble(gamma)), "up") / claim);
        }
      }
    }
  }
  return worst;
}

describe("every data set, every value, exactly", () => {
  // log and power are rounded on the way in: 1e-12.
  const most = 1 + 1e-12;
  it.each([
    ["randomized response", subsetResponse(2, 1, 3n), 3],
    ["randomized response", subsetResponse(2, 1, 10n), 10],
    ["3-ary randomized response", subsetResponse(3, 1, 3n), 3],
    ["4-ary randomized response", subsetResponse(4, 1, 10n), 10],
  ] as const)("%s: both variants", (_name, randomizer, e0) => {
    for (const reports of [1, 2, 3, 4]) {
      expect(worstRatio(randomizer, e0, reports, "clone")).toBeLessThanOrEqual(most);
      expect(worstRatio(randomizer, e0, reports, "stronger-clone")).toBeLessThanOrEqual(most);
    }
  });
  it.each([
    ["2-subsets of 4", subsetResponse(4, 2, 3n), 3],
    ["2-subsets of 3", subsetResponse(3, 2, 10n), 10],
    ["a value that speaks elsewhere", elsewhere, 3],
  ] as const)("%s: clone", (_name, randomizer, e0) => {
    for (const reports of [1, 2, 3]) {
      expect(worstRatio(randomizer, e0, reports, "clone")).toBeLessThanOrEqual(most);
    }
  });
  it("the stronger clone is reached by randomized response, so that less would fail", () => {
    expect(worstRatio(subsetResponse(2, 1, 3n), 3, 4, "stronger-clone")).toBeGreaterThan(1 - 1e-10);
    // The clone of one report more is not an upper bound.
    const claim = shuffleDelta({
      reports: 6,
      epsilon0: Math.log(3),
      epsilon: 0.1,
      variant: "stronger-clone",
    });
    const truth = hockeyStick(
      shuffled(subsetResponse(2, 1, 3n), [0, 1, 1, 0]),
      shuffled(subsetResponse(2, 1, 3n), [1, 1, 1, 0]),
      fromDouble(Math.exp(0.1)),
    );
    expect(toDouble(truth, "down")).toBeGreaterThan(claim);
  });
  it("the stronger clone's condition holds for k-ary randomized response and fails for subsets", () => {
    const holds = (randomizer: Randomizer, e0: bigint): boolean =>
      randomizer.every((other) =>
        randomizer.every((a) =>
          randomizer.every((b) =>
            other.every((mass, y) => {
              const left = multiply(mass, ratio(e0 + 1n));
              const right = add(a[y]!, b[y]!);
              return a === b || left.num * right.den >= right.num * left.den;
            }),
          ),
        ),
      );
    for (const k of [2, 3, 5]) expect(holds(subsetResponse(k, 1, 3n), 3n)).toBe(true);
    expect(holds(subsetResponse(4, 2, 3n), 3n)).toBe(false);
    expect(holds(elsewhere, 3n)).toBe(false);
  });
});

/** The theorem's pair, summed over all (c, a) in rationals. */
function mixtureDelta(reports: number, e0: Rational, gamma: Rational, clones: bigint): number {
  const n = reports - 1;
  const p = ratio(clones * e0.den, e0.num + (clones - 1n) * e0.den);
  const choose = (m: number, k: number): bigint => {
    let total = 1n;
    for (let i = 0; i < k; i += 1) total = (total * BigInt(m - i)) / BigInt(i + 1);
    return total;
  };
  const power = (x: Rational, k: number): Rational => ratio(x.num ** BigInt(k), x.den ** BigInt(k));
  const stay = ratio(e0.num, e0.num + e0.den);
  const flip = ratio(e0.den, e0.num + e0.den);
  const q = ratio(p.den - p.num, p.den);
  const laws = [new Map<string, Rational>(), new Map<string, Rational>()];
  for (let c = 0; c <= n; c += 1) {
    const weight = multiply(multiply(ratio(choose(n, c)), power(p, c)), power(q, n - c));
    for (let a = 0; a <= c; a += 1) {
      const mass = multiply(weight, ratio(choose(c, a), 1n << BigInt(c)));
      for (const [side, own] of [stay, flip].entries()) {
        const law = laws[side]!;
        for (const [key, part] of [
          [`${c},${a + 1}`, own],
          [`${c},${a}`, ratio(own.den - own.num, own.den)],
        ] as const) {
          law.set(key, add(law.get(key) ?? zero, multiply(mass, part)));
        }
      }
    }
  }
  return toDouble(hockeyStick(laws[0]!, laws[1]!, gamma), "up");
}

describe("the sum over clones", () => {
  it("is the theorem's, to eight digits and from above", () => {
    for (const reports of [1, 2, 3, 7, 20, 41]) {
      for (const e0 of [ratio(9n, 8n), ratio(3n), ratio(40n)]) {
        for (const [variant, clones] of [
          ["clone", 1n],
          ["stronger-clone", 2n],
        ] as const) {
          for (const part of [0, 0.1, 0.4, 0.9]) {
            const epsilon0 = Math.log(toDouble(e0, "up"));
            const gamma = fromDouble(Math.exp(epsilon0 * part));
            const truth = mixtureDelta(reports, e0, gamma, clones);
            const claim = shuffleDelta({ reports, epsilon0, epsilon: epsilon0 * part, variant });
            expect(claim).toBeGreaterThanOrEqual(truth * (1 - 1e-13));
            expect(claim).toBeLessThanOrEqual(truth * (1 + 1e-8) + 1e-15);
          }
        }
      }
    }
  });

  it("what is left out of the sum is added, whatever the floor", () => {
    const mixture = new CloneMixture(5000, 1, 1);
    for (const epsilon of [0, 0.05, 0.2]) {
      const exact = mixture.delta(epsilon, 0);
      for (const floor of [1e-12, 1e-9, 1e-6]) {
        const rough = mixture.delta(epsilon, floor);
        expect(rough).toBeGreaterThanOrEqual(exact * (1 - 1e-12));
        expect(rough).toBeLessThanOrEqual(exact + 2 * floor);
      }
    }
    // No others: randomized response alone.
    expect(new CloneMixture(0, 2, 1).delta(0, 0)).toBeCloseTo(Math.expm1(2) / (Math.exp(2) + 1), 10);
  });

  it("falls in ε and in the number of reports, grows in ε₀, and ε(δ) inverts it", () => {
    for (const variant of ["clone", "stronger-clone"] as const) {
      const at = (reports: number, epsilon0: number, epsilon: number): number =>
        shuffleDelta({ reports, epsilon0, epsilon, variant });
      expect(at(1e4, 1, 0.05)).toBeLessThan(at(1e4, 1, 0.04));
      expect(at(2e4, 1, 0.05)).toBeLessThan(at(1e4, 1, 0.05));
      expect(at(1e4, 1.1, 0.05)).toBeGreaterThan(at(1e4, 1, 0.05));
      for (const delta of [1e-3, 1e-6, 1e-12, 1e-30]) {
        const epsilon = shuffleEpsilon({ reports: 5000, epsilon0: 2, delta, variant });
        expect(at(5000, 2, epsilon)).toBeLessThanOrEqual(delta * (1 + 1e-11));
        expect(at(5000, 2, epsilon * 0.999)).toBeGreaterThan(delta);
      }
    }
  });

  it("answers at the ends: one report, no loss, enormous ε₀ and counts", () => {
    expect(shuffleDelta({ reports: 5, epsilon0: 0, epsilon: 0 })).toBe(0);
    expect(shuffleEpsilon({ reports: 5, epsilon0: 2, delta: 0 })).toBe(2);
    // One report is randomized response itself: δ(0) = (e^ε₀ − 1)/(e^ε₀ + 1).
    expect(shuffleDelta({ reports: 1, epsilon0: Math.log(3), epsilon: 0 })).toBeCloseTo(0.5, 10);
    expect(shuffleEpsilon({ reports: 1000, epsilon0: 1e5, delta: 1e-6 })).toBe(1e5);
    const huge = shuffleEpsilon({ reports: 1e15, epsilon0: 1, delta: 1e-6 });
    expect(huge).toBeGreaterThan(0);
    expect(huge).toBeLessThan(1e-4);
    expect(shuffleEpsilon({ reports: 1e6, epsilon0: 1e-12, delta: 1e-6 })).toBe(0);
  });

  it("gives a symmetric pair above its own curve", () => {
    const query = { reports: 300, epsilon0: 1, variant: "clone" } as const;
    const pair = shufflePair(query, 400);
    expect(pair.symmetric).toBe(true);
    for (const epsilon of [0, 0.1, 0.3, 0.6]) {
      let delta = pair.infiniteP;
      pair.emit({ edge: (k) => k, cell: Math.floor, atom: Math.floor }, 1e-12, (_cell, p, q) => {
        delta += Math.max(0, p - Math.exp(epsilon) * q);
      });
      const own = shuffleDelta({ ...query, epsilon });
      expect(delta).toBeGreaterThanOrEqual(own * (1 - 1e-9));
      expect(delta).toBeLessThan(own * 1.01 + 1e-12);
    }
  });

  it("refuses by name", () => {
    const good = { reports: 100, epsilon0: 1 };
    for (const reports of [0, -1, 1.5, Number.NaN])
      expect(() => shuffleDelta({ ...good, reports, epsilon: 1 })).toThrow(/reports/);
    for (const epsilon0 of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => shuffleEpsilon({ ...good, epsilon0, delta: 1e-6 })).toThrow(/epsilon0/);
    }
    for (const delta of [-1, 1, Number.NaN])
      expect(() => shuffleEpsilon({ ...good, delta })).toThrow(/delta/);
    for (const epsilon of [-1, Number.NaN])
      expect(() => shuffleDelta({ ...good, epsilon })).toThrow(/epsilon/);
    expect(() => shuffleDelta({ ...good, epsilon: 0, variant: "strongest" as ShuffleVariant })).toThrow(
      /variant/,
    );
    // Outside the textbook's domain: ε₀ > ln(n/(16·ln(2/δ))).
    expect(() => shuffleEpsilonTextbook({ reports: 100, epsilon0: 1, delta: 1e-6 })).toThrow(/epsilon0/);
    expect(() => shuffleEpsilonTextbook({ reports: 1e4, epsilon0: 1, delta: 0 })).toThrow(/delta/);
  });

  it("the closed form is never below the numerical bound", () => {
    for (const reports of [1e3, 1e4, 1e6]) {
      for (const epsilon0 of [0.1, 0.5, 1]) {
        const query = { reports, epsilon0, delta: 1e-6 };
        expect(shuffleEpsilonTextbook(query)).toBeGreaterThan(shuffleEpsilon(query));
      }
    }
  });
});
