import { describe, expect, it } from "vitest";
import {
  add,
  compare,
  fromDouble,
  multiply,
  one,
  type Rational,
  ratio,
  toDouble,
  zero,
} from "../numeric/rational.ts";
import {
  fixedSubsets,
  hockeyStick,
  type Law,
  lawOf,
  lists,
  mixture,
  poissonSubsets,
  product,
} from "./finite-law.oracle.ts";
import { truncatedDelta, truncatedProfile, truncationDistance } from "./truncated-poisson.ts";

/** Names the sample's score with probability 2/5, and otherwise one of three scores at random. */
const noisyScore = (sample: readonly number[]): Law => {
  const score = sample.reduce((a, b) => a + b, 0);
  return mixture([
    { weight: ratio(2n, 5n), law: lawOf([`${score}`, one]) },
    { weight: ratio(3n, 5n), law: lawOf(...[0, 1, 2].map((x) => [`${x}`, ratio(1n, 3n)] as const)) },
  ]);
};
const uncut = (data: readonly number[], rate: Rational): Law =>
  mixture(poissonSubsets(data, rate).map(({ weight, sample }) => ({ weight, law: noisyScore(sample) })));
const cut = (data: readonly number[], rate: Rational, limit: number): Law =>
  mixture(
    poissonSubsets(data, rate).flatMap(({ weight, sample }) =>
      sample.length <= limit
        ? [{ weight, law: noisyScore(sample) }]
        : fixedSubsets(sample, limit).map((kept) => ({
            weight: multiply(weight, kept.weight),
            law: noisyScore(kept.sample),
          })),
    ),
  );

describe("every sample and every cut, exactly", () => {
  const population = 4;
  const pairs: (readonly [readonly number[], readonly number[]])[] = lists([0, 1, 2], population - 1).flatMap(
    (rest) =>
      [0, 1, 2].flatMap((x) => [
        [[...rest, x], rest] as const,
        [rest, [...rest, x]] as const,
        [
          [...rest, x],
          [...rest, 0],
        ] as const,
      ]),
  );
  const worst = (law: (data: readonly number[]) => Law, gamma: Rational): Rational => {
    const laws = new Map<string, Law>();
    const of = (data: readonly number[]): Law => {
      const known = laws.get(data.join()) ?? law(data);
      laws.set(data.join(), known);
      return known;
    };
    return pairs.reduce<Rational>((most, [a, b]) => {
      const delta = hockeyStick(of(a), of(b), gamma);
      return compare(delta, most) > 0 ? delta : most;
    }, zero);
  };

  it.each([
    [0.125, 1],
    [0.25, 2],
    [0.5, 3],
  ])("rate %d, limit %i, one step and two", (rate, limit) => {
    const q = fromDouble(rate);
    const distance = truncationDistance({ rate, population, limit });
    for (const epsilon of [0, 0.1, 0.5]) {
      const gamma = fromDouble(Math.exp(epsilon));
      const plain = toDouble(
        worst((data) => uncut(data, q), gamma),
        "up",
      );
      const truth = toDouble(
        worst((data) => cut(data, q, limit), gamma),
        "down",
      );
      expect(truncatedDelta(plain, epsilon, distance)).toBeGreaterThanOrEqual(truth);
      const twice = toDouble(
        worst((data) => product(uncut(data, q), uncut(data, q)), gamma),
        "up",
      );
      const truthTwice = toDouble(
        worst((data) => product(cut(data, q, limit), cut(data, q, limit)), gamma),
        "down",
      );
      expect(truncatedDelta(twice, epsilon, 2 * distance)).toBeGreaterThanOrEqual(truthTwice);
      const profile = truncatedProfile(() => twice, { rate, population, limit }, 2);
      expect(profile(epsilon)).toBeCloseTo(truncatedDelta(twice, epsilon, 2 * distance), 14);
    }
    // The distance is the chance that a cut happens, and what it does is no further.
    const [a, b] = [uncut([2, 2, 1, 1], q), cut([2, 2, 1, 1], q, limit)];
    expect(toDouble(hockeyStick(a, b, one), "up")).toBeLessThanOrEqual(distance);
    expect(toDouble(hockeyStick(a, b, one), "up")).toBeGreaterThan(0);
  });

  it("the distance is the tail of the binomial law", () => {
    let tail = zero;
    for (const { weight, sample } of poissonSubsets([1, 2, 3, 4, 5], ratio(1n, 4n))) {
      if (sample.length > 2) tail = add(tail, weight);
    }
    const bound = truncationDistance({ rate: 0.25, population: 5, limit: 2 });
    expect(bound).toBeGreaterThanOrEqual(toDouble(tail, "down"));
    expect(bound).toBeLessThan(toDouble(tail, "up") * (1 + 1e-9));
  });
});

describe("bounds", () => {
  it("no cut, no slack; certain cuts, no claim", () => {
    expect(truncationDistance({ rate: 0.5, population: 10, limit: 10 })).toBe(0);
    expect(truncatedDelta(1e-6, 3, 0)).toBe(1e-6);
    expect(truncatedDelta(1e-6, 1, 1e-12)).toBeCloseTo(1e-6 + 1e-12 * (1 + Math.E), 18);
    expect(truncatedDelta(0.5, 800, 1e-12)).toBe(1);
    expect(truncationDistance({ rate: 0.5, population: 10, limit: 4 })).toBe(1);
  });
  it("refuses by name", () => {
    expect(() => truncationDistance({ rate: 2, population: 10, limit: 4 })).toThrow(/rate/);
    expect(() => truncationDistance({ rate: 0.5, population: 10, limit: 0 })).toThrow(/limit/);
    expect(() => truncationDistance({ rate: 0.5, population: Number.NaN, limit: 4 })).toThrow(/population/);
    expect(() => truncatedDelta(Number.NaN, 1, 0)).toThrow(/delta/);
    expect(() => truncatedDelta(0.1, -1, 0)).toThrow(/epsilon/);
    expect(() => truncatedDelta(0.1, 1, Number.NaN)).toThrow(/distance/);
    expect(() => truncatedProfile(() => 0, { rate: 0.1, population: 5, limit: 2 }, 0.5)).toThrow(/steps/);
  });
});
