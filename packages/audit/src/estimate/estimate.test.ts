import { type Rational, ratio } from "@lethe/core";
import { lnBracket, zero } from "@lethe/core/numeric";
import { describe, expect, test } from "vitest";
import { subject } from "../subject.ts";
import { type Claim, type Point, pureClaim } from "../verify/claim.ts";
import { brokenAt, closeness, estimate } from "./estimate.ts";
import { estimateInRounds, seedOfRound } from "./estimate-in-rounds.ts";
import { lowestBit } from "./features.ts";

/** Randomized response with this chance (of 1000) of the truth. */
const coin = (truth: number, claimed: bigint) =>
  subject<number>({
    id: "coin",
    describes: "",
    claim: pureClaim(ratio(claimed, 1000n)),
    neighbours: [[0, 1]],
    run: (value, bits) => [(bits.word() / 2 ** 32) * 1000 < truth ? value : 1 - value],
  });

describe("randomized response of ε = ln 3", () => {
  const options = { seed: 5, samples: 60_000, falseAlarm: 1e-6 };
  test("is not flagged at its ε, and the bound comes within a tenth of it", () => {
    const { broken, worst } = estimate(coin(750, 1099n), options);
    expect(broken).toBe(false);
    expect(worst.epsilon).toBeGreaterThan(0.98);
    expect(worst.epsilon).toBeLessThan(1.0987);
  });
  test("is flagged where a tenth less is claimed, both ways", () => {
    const { broken, all } = estimate(coin(750, 980n), options);
    expect(broken).toBe(true);
    expect(all.map(({ backwards }) => backwards)).toEqual([false, true]);
  });
});

test("a loss in one direction alone is found whichever way the pair is given", () => {
  const rare = (neighbours: [number, number][]) =>
    subject<number>({
      id: "rare",
      describes: "",
      claim: pureClaim(ratio(1n)),
      neighbours,
      run: (value, bits) => [value === 1 && bits.word() < 2 ** 27],
    });
  for (const pair of [
    [0, 1],
    [1, 0],
  ] as [number, number][]) {
    expect(estimate(rare([pair]), { seed: 1, samples: 6000, falseAlarm: 1e-6 }).broken).toBe(true);
  }
});

test("the lowest bit of a double", () => {
  expect([1, 2, 3, 0.5, -12, 2 ** -1074, 1 + 2 ** -52].map(lowestBit)).toEqual([0, 1, 0, -1, 2, -1074, -52]);
  expect([0, Number.POSITIVE_INFINITY, Number.NaN].map(lowestBit)).toEqual([
    Number.NaN,
    Number.NaN,
    Number.NaN,
  ]);
});

/** Outputs tell the data set outright, so that of so many fresh ones an event is met in all or in none. */
const teller = (claim: Claim, pairs = 1) =>
  subject<number>({
    id: "teller",
    describes: "",
    claim,
    neighbours: Array.from({ length: pairs }, (): [number, number] => [0, 1]),
    run: (value) => [value],
  });
const ln3 = pureClaim(lnBracket(ratio(3n), 100).lo);
/** The α of each bound above which an event met in all of ten on one side and in none on the other refutes ε = ln 3. */
const refutesLn3 = (3 / 4) ** 10;

describe("certified bounds", () => {
  test("are Clopper's and Pearson's on two thirds of the samples, each at its part of the false alarm", () => {
    const { all } = estimate(teller(ln3, 3), { seed: 1, samples: 301, falseAlarm: 0.006 });
    const lowest = (0.006 / 12) ** (1 / 201);
    expect(all.map(({ pair, backwards }) => [pair, backwards])).toEqual([
      [0, false],
      [0, true],
      [1, false],
      [1, true],
      [2, false],
      [2, true],
    ]);
    for (const { met, fresh, p, q, epsilon, claimed } of all) {
      expect({ met, fresh }).toEqual({ met: [201, 0], fresh: 201 });
      expect(p.lo).toBeCloseTo(lowest, 8);
      expect(q.hi).toBeCloseTo(1 - lowest, 8);
      expect(epsilon).toBeCloseTo(Math.log(lowest / (1 - lowest)), 6);
      expect(claimed).toBeCloseTo(Math.log(3), 12);
    }
  });
  test.each([
    [1, 1.01, true],
    [1, 0.99, false],
    [2, 1.01, true],
    [2, 0.99, false],
  ])(
    "of %d pairs refute where all bounds together have %d times the false alarm that it takes",
    (pairs, times, broken) => {
      const falseAlarm = 4 * pairs * refutesLn3 * times;
      const found = estimate(teller(ln3, pairs), { seed: 1, samples: 15, falseAlarm });
      expect(found.broken).toBe(broken);
      expect(found.all.map((each) => each.broken !== null)).toEqual(Array(2 * pairs).fill(broken));
      // The same counts at another false alarm.
      expect(brokenAt(teller(ln3, pairs), { ...found }, falseAlarm * (broken ? 0.98 : 1.02))).toBe(!broken);
    },
  );
  test("take off the δ that is claimed", () => {
    const claim = pureClaim(ratio(1n), ratio(1n, 4n));
    const { worst } = estimate(teller(claim), { seed: 1, samples: 300, falseAlarm: 0.01 });
    const lowest = 0.0025 ** (1 / 200);
    expect(worst.epsilon).toBeCloseTo(Math.log((lowest - 0.25) / (1 - lowest)), 6);
    expect(worst.broken).toEqual(claim.points[0]);
    const most = pureClaim(ratio(1n), ratio(99n, 100n));
    const held = estimate(teller(most), { seed: 1, samples: 300, falseAlarm: 0.01 });
    expect(held.worst).toMatchObject({ epsilon: 0, claimed: 1, broken: null });
  });
});

describe("a curve of several points", () => {
  const point = (epsilon: Rational, delta: Rational): Point => ({ epsilon, delta });
  const curve = (...points: readonly Point[]): Claim => ({ text: "", points });
  const options = { seed: 1, samples: 300, falseAlarm: 0.01 };
  test("is spoken of where it is exceeded by most, and broken at its first point that is", () => {
    // p.lo = 0.9705 and q.hi = 0.0295.
    const points = [
      point(ratio(5n), ratio(1n, 10n)),
      point(ratio(2n), ratio(1n, 100n)),
      point(ratio(1n), ratio(1n, 2n)),
    ];
    const { worst } = estimate(teller(curve(...points)), options);
    expect(worst.broken).toEqual(points[1]);
    // Its bound of ε is 1.48 above 2, and 1.77 above 1, where half is paid for.
    expect(worst.claimed).toBe(1);
  });
  test("is broken by its total variation, of which no ε is said", () => {
    const [variation, far] = [point(zero, ratio(1n, 2n)), point(ratio(6n), zero)];
    const { worst } = estimate(teller(curve(variation, far)), options);
    expect(worst.broken).toEqual(variation);
    expect(worst.claimed).toBe(6);
    const alone = estimate(teller(curve(variation)), options).worst;
    expect(alone).toMatchObject({ broken: variation, claimed: 0 });
    expect(alone.epsilon).toBeGreaterThan(2);
  });
});

test.each([
  [0.75, 1, -0.25],
  [1, 1, 0],
  [2.5, 2, 0.5],
  [0, 4, -1],
])("a bound of %d where %d is claimed comes as close as %d", (epsilon, claimed, close) => {
  expect(closeness({ epsilon, claimed })).toBe(close);
});

describe("rounds", () => {
  const options = { seed: 3, samples: 15, rounds: 2 };
  test("share the false alarm, and none follows one that breaks the claim", () => {
    const twice = 2 * 4 * refutesLn3;
    expect(estimateInRounds(teller(ln3), { ...options, falseAlarm: twice * 1.01 })).toMatchObject({
      broken: true,
      taken: 1,
    });
    expect(estimateInRounds(teller(ln3), { ...options, falseAlarm: twice * 0.99 })).toMatchObject({
      broken: false,
      taken: 2,
    });
  });
  test("have seeds of their own, in all runs whose seeds are below 2^16", () => {
    const seeds = [0, 1, 2, 65_534, 65_535].flatMap((seed) =>
      [1, 2, 3, 4, 5].map((round) => seedOfRound(seed, round)),
    );
    expect(new Set(seeds).size).toBe(seeds.length);
  });
  test("draw afresh", () => {
    const drawn: number[][] = [];
    const coins = subject<number>({
      id: "coins",
      describes: "",
      claim: ln3,
      neighbours: [[0, 1]],
      run(_, bits) {
        const word = bits.word();
        drawn.at(-1)!.push(word);
        return [word & 1];
      },
    });
    for (const rounds of [1, 2]) {
      drawn.push([]);
      estimateInRounds(coins, { ...options, rounds, falseAlarm: 1e-6 });
    }
    const [one, two] = drawn as [number[], number[]];
    expect(two).toHaveLength(2 * one.length);
    expect(two.slice(0, one.length)).toEqual(one);
    expect(new Set(two).size).toBe(two.length);
  });
});
