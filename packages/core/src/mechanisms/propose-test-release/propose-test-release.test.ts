import { describe, expect, it } from "vitest";
import { refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import { enumerateNoise, type NoisePaths, pairOf } from "../../../../../testing/src/contracts/noise-paths.ts";
import {
  compare,
  divide,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  zero,
} from "../../numeric/rational.ts";
import { discreteLaplace } from "../../samplers/index.ts";
import { SeededSource } from "../../tape.ts";
import { approximate } from "../declared/approximate.ts";
import { laplaceErrorBound, laplaceErrorBoundAbove, laplaceTail } from "../geometric/laplace-error-bound.ts";
import {
  type ProposedValue,
  type ProposeTestReleaseSetting,
  proposeTestRelease,
  proposeTestReleaseErrorBound,
  proposeTestReleaseEvent,
  proposeTestReleaseFor,
  proposeTestReleaseWith,
  releasedFrom,
} from "./propose-test-release.ts";
import { orderStatisticDistance, releaseStableMedian } from "./stable-median.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const setting = (over: Partial<ProposeTestReleaseSetting> = {}): ProposeTestReleaseSetting => ({
  bound: 1n,
  testEpsilon: "1",
  releaseEpsilon: "1",
  threshold: 2n,
  ...over,
});
const claimOf = (each: ProposeTestReleaseSetting): { epsilon: Rational; delta: Rational } => {
  const { epsilon, delta } = approximate.losses(proposeTestReleaseEvent(each)).mixed!;
  return { epsilon, delta };
};

/** The law of the code, with its noises or with those of another setting; a test without noise where asked. */
function law(
  each: ProposeTestReleaseSetting,
  proposed: ProposedValue,
  noisyTest = true,
  noise = each,
): NoisePaths {
  const test = divide(one, parseRational(noise.testEpsilon));
  const release = noise.bound > 0n ? divide(ratio(noise.bound), parseRational(noise.releaseEpsilon)) : null;
  return enumerateNoise((draw) => {
    const answer = proposeTestReleaseWith(each.threshold, proposed, {
      test: () => (noisyTest ? draw(test) : 0n),
      release: release && (() => draw(release)),
    });
    return answer.released ? `${answer.value}` : "none";
  }, 40);
}

const range = { lo: 0n, hi: 4n };
const numbers = [0n, 1n, 4n];
const lists = (n: number): bigint[][] =>
  n === 0 ? [[]] : lists(n - 1).flatMap((rest) => numbers.map((x) => [...rest, x]));
const apart = (a: readonly bigint[], b: readonly bigint[]): number => a.filter((x, i) => x !== b[i]).length;

describe("the distance of an order statistic", () => {
  it.each([
    ["1/2", 0n],
    ["1/2", 1n],
    ["1/2", 3n],
    ["1", 1n],
    ["1/2", 4n],
  ])("is the brute-force one, and as the proof needs it: q = %s, bound %s", (q, bound) => {
    // On a grid of all numbers of the range, so that nothing lies between those tried.
    const all = lists(3);
    const full = { range: { lo: 0n, hi: 4n }, q };
    const every = [0n, 1n, 2n, 3n, 4n].flatMap((a) =>
      [0n, 1n, 2n, 3n, 4n].flatMap((b) => [0n, 1n, 2n, 3n, 4n].map((c) => [a, b, c])),
    );
    const found = every.map((values) => orderStatisticDistance(full, values, bound));
    const unstable = every.filter((values, i) =>
      every.some((other, j) => {
        const moved = found[i]!.value - found[j]!.value;
        return apart(values, other) === 1 && (moved > bound || -moved > bound);
      }),
    );
    for (const values of all) {
      const { distance } = orderStatisticDistance(full, values, bound);
      const nearest = unstable.reduce((least, other) => Math.min(least, apart(values, other)), 4);
      expect(distance).toBe(BigInt(nearest));
    }
    expect(unstable.length > 0).toBe(bound < 4n);
  });
  it("refuses a bound that is none, and takes no rows", () => {
    expect(() => orderStatisticDistance({ range }, [1n], -1n)).toThrow(invalid);
    expect(orderStatisticDistance({ range }, [], 0n)).toEqual({ value: 0n, distance: 1n });
  });
});

describe("the price", () => {
  const neighbours = lists(3).flatMap((d) =>
    lists(3)
      .filter((e) => apart(d, e) === 1)
      .map((e) => [d, e] as const),
  );

  it.each([
    ["a bound that some data break", setting()],
    ["a bound of 0, and the value itself", setting({ bound: 0n, releaseEpsilon: "0", threshold: 3n })],
    ["a bound that holds everywhere", setting({ bound: 4n, threshold: 1n })],
  ])("holds over all paths on all neighbours: %s", (_name, each) => {
    const { epsilon, delta } = claimOf(each);
    const laws = new Map<string, NoisePaths>();
    const at = (values: readonly bigint[]): NoisePaths => {
      const proposed = orderStatisticDistance({ range }, values, each.bound);
      const name = `${proposed.value} ${proposed.distance}`;
      const known = laws.get(name) ?? law(each, proposed);
      laws.set(name, known);
      return known;
    };
    const seen = new Set<string>();
    for (const [d, e] of neighbours) {
      const name = [d, e]
        .map((values) => Object.values(orderStatisticDistance({ range }, values, each.bound)).join())
        .join(" ");
      if (seen.has(name)) continue;
      seen.add(name);
      expect(refuted(pairOf(at(d), at(e)), epsilon, delta)).toBe(false);
    }
    expect(seen.size).toBeGreaterThan(2);
  });

  it("is attained in δ and in ε, and mutants of it are refuted", () => {
    const each = setting({ threshold: 3n });
    const { epsilon, delta } = claimOf(each);
    const broken = pairOf(law(each, { value: 0n, distance: 0n }), law(each, { value: 40n, distance: 0n }));
    expect(refuted(broken, epsilon, delta)).toBe(false);
    expect(refuted(broken, epsilon, multiply(delta, ratio(99n, 100n)))).toBe(true);
    // The tail of a strict comparison.
    expect(refuted(broken, epsilon, laplaceTail(one, each.threshold + 1n))).toBe(true);
    const moved = pairOf(law(each, { value: 0n, distance: 1n }), law(each, { value: 1n, distance: 2n }));
    expect(refuted(moved, epsilon, zero)).toBe(false);
    expect(refuted(moved, multiply(epsilon, ratio(9n, 10n)), zero)).toBe(true);
    // A test without noise.
    const bare = pairOf(
      law(each, { value: 0n, distance: 2n }, false),
      law(each, { value: 0n, distance: 3n }, false),
    );
    expect(refuted(bare, epsilon, delta)).toBe(true);
    // A distance that moves by two; noise for half the bound.
    const far = pairOf(law(each, { value: 0n, distance: 0n }), law(each, { value: 1n, distance: 2n }));
    expect(refuted(far, epsilon, zero)).toBe(true);
    const wide = setting({ bound: 4n, threshold: 3n });
    const half = (value: bigint, distance: bigint) =>
      law(wide, { value, distance }, true, setting({ bound: 2n }));
    expect(refuted(pairOf(half(0n, 2n), half(4n, 1n)), epsilon, delta)).toBe(true);
  });
});

describe("proposeTestReleaseFor", () => {
  it.each([
    [5n, "1", "1e-6"],
    [0n, "2", "1e-9"],
    [1n, "1/10", "1/100"],
  ] as const)("has the least threshold within (ε, δ): bound %s", (bound, e, d) => {
    const [epsilon, delta] = [parseRational(e), parseRational(d)];
    const each = proposeTestReleaseFor({ bound, epsilon, delta });
    expect(claimOf(each).epsilon).toEqual(epsilon);
    expect(compare(claimOf(each).delta, delta)).toBeLessThanOrEqual(0);
    if (each.threshold > 1n) {
      expect(compare(claimOf({ ...each, threshold: each.threshold - 1n }).delta, delta)).toBe(1);
    }
  });
  it.each([
    { bound: -1n },
    { epsilon: zero },
    { delta: zero },
    { delta: one },
    { testShare: zero },
    { testShare: one },
  ])("refuses %o", (wrong) => {
    const right = { bound: 1n, epsilon: one, delta: ratio(1n, 9n) };
    expect(() => proposeTestReleaseFor({ ...right, ...wrong })).toThrow(invalid);
  });
  it.each([
    { threshold: 0n },
    { testEpsilon: "0" },
    { releaseEpsilon: "0" },
    { releaseEpsilon: "NaN" },
    { bound: 0n },
    { bound: Number.NaN as unknown as bigint },
  ])("an event and a release refuse %o", (wrong) => {
    expect(() => proposeTestReleaseEvent(setting(wrong))).toThrow(invalid);
    const proposed = { value: 1n, distance: 1n };
    expect(() => proposeTestRelease(setting(wrong), proposed, new SeededSource(1))).toThrow(invalid);
  });
});

describe("what a setting says of itself", () => {
  const base = { bound: 6n, epsilon: ratio(3n), delta: ratio(1n, 1000n) };
  it("tests at half of ε unless stated, and at all of it where the value needs no noise", () => {
    expect(proposeTestReleaseFor(base)).toMatchObject({ testEpsilon: "3/2", releaseEpsilon: "3/2" });
    expect(proposeTestReleaseFor({ ...base, testShare: ratio(1n, 3n) })).toMatchObject({
      ...{ testEpsilon: "1", releaseEpsilon: "2" },
    });
    expect(proposeTestReleaseFor({ ...base, bound: 0n })).toMatchObject({
      ...{ testEpsilon: "3", releaseEpsilon: "0" },
    });
  });
  it("passes from the threshold and the reach of the test's noise on; its value is as near as the other noise", () => {
    const beta = ratio(1n, 20n);
    const each = { bound: 6n, testEpsilon: "1/2", releaseEpsilon: "2", threshold: 9n };
    expect(releasedFrom(each, beta)).toBe(9n + laplaceErrorBoundAbove(ratio(2n), beta));
    expect(proposeTestReleaseErrorBound(each, beta)).toBe(laplaceErrorBound(ratio(3n), beta));
    const exact = { ...each, bound: 0n, releaseEpsilon: "0" };
    expect(proposeTestReleaseErrorBound(exact, beta)).toBe(0n);
    expect(releasedFrom(exact, beta)).toBe(9n + laplaceErrorBoundAbove(ratio(2n), beta));
    for (const wrong of [{ threshold: 0n }, { releaseEpsilon: "0" }, { testEpsilon: "0" }]) {
      expect(() => releasedFrom({ ...each, ...wrong }, beta)).toThrow(invalid);
      expect(() => proposeTestReleaseErrorBound({ ...each, ...wrong }, beta)).toThrow(invalid);
    }
  });
  it("releases from the threshold on, the test's noise counted, and draws both noises always", () => {
    for (const [distance, drawn, released] of [
      [9n, 0n, true],
      [8n, 0n, false],
      [8n, 1n, true],
      [0n, 9n, true],
      [12n, -4n, false],
    ] as const) {
      const asked: string[] = [];
      const answer = proposeTestReleaseWith(
        9n,
        { value: 100n, distance },
        {
          test: () => {
            asked.push("test");
            return drawn;
          },
          release: () => {
            asked.push("release");
            return -3n;
          },
        },
      );
      expect(answer).toEqual(released ? { released, value: 97n } : { released });
      expect(asked).toEqual(["test", "release"]);
    }
  });
});

describe("the release", () => {
  it("draws from the samplers of its own scales, whether it passes or not", () => {
    const each = setting({ bound: 6n, releaseEpsilon: "2", testEpsilon: "1/3", threshold: 4n });
    const [bits, coins] = [new SeededSource(5), new SeededSource(5)];
    const answers = new Set<boolean>();
    for (let i = 0; i < 60; i += 1) {
      const passes = 3n + discreteLaplace(ratio(3n)).sample(coins) >= 4n;
      const value = 50n + discreteLaplace(ratio(3n)).sample(coins);
      const answer = proposeTestRelease(each, { value: 50n, distance: 3n }, bits);
      expect(answer).toEqual(passes ? { released: true, value } : { released: false });
      answers.add(passes);
    }
    expect(answers.size).toBe(2);
  });

  it("releases a stable median with little noise, and refuses an unstable one (false alarm below 1e-9)", () => {
    const test = proposeTestReleaseFor({ bound: 20n, epsilon: one, delta: parseRational("1e-6") });
    const place = { range: { lo: 0n, hi: 100_000n } };
    const dense = Array.from({ length: 301 }, (_, i) => BigInt(50_000 + i));
    const split = dense.map((_, i) => (i <= 150 ? 0n : 100_000n));
    const beta = ratio(1n, 5n);
    const reach = proposeTestReleaseErrorBound(test, beta);
    const bits = new SeededSource(31);
    const rounds = 400;
    let [released, missed, narrow, unstable] = [0, 0, 0, 0];
    for (let i = 0; i < rounds; i += 1) {
      const answer = releaseStableMedian(test, place, dense, bits);
      if (!answer.released) continue;
      released += 1;
      const error = answer.value > 50_150n ? answer.value - 50_150n : 50_150n - answer.value;
      missed += Number(error > reach);
      narrow += Number(2n * error > reach);
      unstable += Number(releaseStableMedian(test, place, split, bits).released);
    }
    expect(orderStatisticDistance(place, dense, 20n).distance).toBe(20n);
    expect(orderStatisticDistance(place, split, 20n).distance).toBe(0n);
    expect(unstable).toBe(0);
    // Distance 20 and threshold 27: passes with probability a^7/(1 + a) of 0.019; look at what would pass nearly always instead.
    expect(released).toBeLessThan(60);
    const denser = Array.from({ length: 3001 }, (_, i) => BigInt(50_000 + Math.floor(i / 10)));
    expect(
      orderStatisticDistance(place, denser, 20n).distance >= releasedFrom(test, parseRational("1e-6")),
    ).toBe(true);
    [released, missed, narrow] = [0, 0, 0];
    for (let i = 0; i < rounds; i += 1) {
      const answer = proposeTestRelease(test, { value: 0n, distance: 200n }, bits);
      if (!answer.released) continue;
      released += 1;
      const error = answer.value > 0n ? answer.value : -answer.value;
      missed += Number(error > reach);
      narrow += Number(2n * error > reach);
    }
    expect(released).toBe(rounds);
    // ≤ 0.2 of 400: above 0.365 has probability below e^(−2·400·0.165²) = 4e-10.
    expect(missed / rounds).toBeLessThan(0.365);
    expect(narrow / rounds).toBeGreaterThan(0.365);
  });

  it("passes from the stated distance on as often as stated, and not one earlier", () => {
    const each = setting({ testEpsilon: "1/2", threshold: 5n });
    const beta = ratio(1n, 20n);
    const from = releasedFrom(each, beta);
    // P[fails at distance d] = P[Z < τ − d] = P[Z ≥ d − τ + 1].
    const fails = (distance: bigint): Rational => laplaceTail(ratio(2n), distance - each.threshold + 1n);
    expect(compare(fails(from), beta)).toBeLessThanOrEqual(0);
    expect(compare(fails(from - 1n), beta)).toBe(1);
  });
});
