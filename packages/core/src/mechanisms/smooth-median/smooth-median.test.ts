import { describe, expect, it } from "vitest";
import { refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import type { Neighbours } from "../../../../../testing/src/contracts/mechanism-hockey-stick.ts";
import { discreteLaplaceMass, type Mass } from "../../../../../testing/src/contracts/mechanism-masses.ts";
import {
  compare,
  divide,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  toDouble,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { SeededSource } from "../../tape.ts";
import { approximate } from "../declared/approximate.ts";
import { laplaceErrorBound } from "../geometric/laplace-error-bound.ts";
import { orderStatistic } from "./order-statistic.ts";
import { mostLevels, smoothLevel, smoothLevels } from "./smooth-levels.ts";
import {
  releaseSmoothMedian,
  type SmoothMedianSetting,
  smoothMedianErrorBound,
  smoothMedianEvent,
  smoothMedianFor,
  smoothMedianNoise,
} from "./smooth-median.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const grid = { lo: 0n, hi: 3n };
const numbers = [0n, 1n, 2n, 3n];

const lists = (n: number, of: readonly bigint[] = numbers): bigint[][] =>
  n === 0 ? [[]] : lists(n - 1, of).flatMap((rest) => of.map((x) => [...rest, x]));
const apart = (a: readonly bigint[], b: readonly bigint[]): number => a.filter((x, i) => x !== b[i]).length;
const distance = (a: bigint, b: bigint): bigint => (a < b ? b - a : a - b);

describe("the sensitivity at a distance", () => {
  it.each([
    ["1/2", 1],
    ["1/2", 2],
    ["1/2", 3],
    ["1/2", 4],
    ["0", 3],
    ["1", 3],
    ["3/4", 4],
  ])("is the brute-force maximum: q = %s, %i rows", (q, n) => {
    const all = lists(n);
    const statistic = (values: readonly bigint[]) => orderStatistic({ range: grid, q }, values);
    const values = all.map((each) => statistic(each).value);
    const local = all.map((each) =>
      all.reduce((most, other, j) => {
        const moved = apart(each, other) === 1 ? distance(statistic(each).value, values[j]!) : 0n;
        return moved > most ? moved : most;
      }, 0n),
    );
    const some = n < 4 ? all : all.filter((_, i) => i % 7 === 0);
    for (const each of some) {
      for (let k = 0; k <= n; k += 1) {
        const most = all.reduce(
          (a, other, j) => (apart(each, other) <= k && local[j]! > a ? local[j]! : a),
          0n,
        );
        expect(statistic(each).sensitivityAt(k)).toBe(most);
      }
    }
  });

  it("is 0 where there are no rows, and the width beyond all of them", () => {
    const empty = orderStatistic({ range: grid }, []);
    expect([empty.value, empty.sensitivityAt(0), empty.sensitivityAt(9)]).toEqual([0n, 0n, 0n]);
    expect(orderStatistic({ range: grid }, [1n, 1n]).sensitivityAt(2)).toBe(3n);
  });
});

describe("the levels", () => {
  it("grow by at most the factor and reach the width", () => {
    const growth = ratio(1n, 7n);
    const levels = smoothLevels(growth, 1000n);
    expect(levels[0]).toEqual(one);
    expect(compare(levels.at(-1)!, ratio(1000n))).toBeGreaterThanOrEqual(0);
    levels.slice(1).forEach((level, i) => {
      expect(compare(level, multiply(levels[i]!, ratio(8n, 7n)))).toBeLessThanOrEqual(0);
      expect(compare(level, levels[i]!)).toBe(1);
    });
    // ln 1000/ln(8/7) = 51.7
    expect(levels).toHaveLength(53);
  });

  it("are 1 and each the one before grown, in steps of 2^−32, until one holds the width", () => {
    expect(smoothLevels(one, 8n)).toEqual([1n, 2n, 4n, 8n].map((level) => ratio(level)));
    expect(smoothLevels(one, 9n).at(-1)).toEqual(ratio(16n));
    expect(smoothLevels(ratio(1n, 2n), 3n)).toEqual([one, ratio(3n, 2n), ratio(9n, 4n), ratio(27n, 8n)]);
    expect(smoothLevels(ratio(1n, 2n), 1n)).toEqual([one]);
    expect(smoothLevels(ratio(1n, 2n), 0n)).toEqual([one]);
    const third = smoothLevels(ratio(1n, 3n), 1n << 32n);
    for (const { den } of third) expect((1n << 32n) % den).toBe(0n);
  });

  it("are at most 2^13, and none where the growth is no step", () => {
    // A width of 2: with r steps of 2^−32 each, the levels are about ln 2/r.
    expect(smoothLevels(ratio(1n, 11_000n), 2n).length).toBeLessThanOrEqual(mostLevels);
    expect(() => smoothLevels(ratio(1n, 12_000n), 2n)).toThrow(invalid);
    expect(() => smoothLevels(ratio(1n, 1n << 33n), 2n)).toThrow(invalid);
    expect(smoothLevels(ratio(1n, 1n << 33n), 1n)).toEqual([one]);
    for (const growth of [zero, ratio(-1n)]) expect(() => smoothLevels(growth, 1n)).toThrow(invalid);
  });

  it("move by at most one between neighbours, and bound the local sensitivity", () => {
    const wide = [0n, 1n, 7n, 30n];
    const setting = { range: { lo: 0n, hi: 30n } };
    const levels = smoothLevels(ratio(1n, 2n), 30n);
    const all = lists(3, wide);
    const found = all.map((values) => smoothLevel(levels, orderStatistic(setting, values)));
    all.forEach((values, i) => {
      const local = orderStatistic(setting, values).sensitivityAt(0);
      expect(compare(levels[found[i]!]!, ratio(local))).toBeGreaterThanOrEqual(0);
      all.forEach((other, j) => {
        if (apart(values, other) === 1) expect(Math.abs(found[i]! - found[j]!)).toBeLessThanOrEqual(1);
      });
    });
    expect(new Set(found).size).toBeGreaterThan(2);
  });

  it("are asked at every distance, up to where no row is left", () => {
    const setting = { range: { lo: 0n, hi: 30n } };
    const levels = smoothLevels(ratio(1n, 2n), 30n);
    const lastCounts = new Set<number>();
    for (const values of [0, 1, 2, 3].flatMap((n) => lists(n, [0n, 1n, 15n, 30n]))) {
      const statistic = orderStatistic(setting, values);
      const at = levels.map((_, k) => {
        const needed = ratio(statistic.sensitivityAt(k));
        return levels.findIndex((level) => compare(level, needed) >= 0) - k;
      });
      const most = Math.max(0, ...at);
      expect(smoothLevel(levels, statistic)).toBe(most);
      if (at.indexOf(most) === values.length) lastCounts.add(values.length);
    }
    expect(lastCounts.has(1)).toBe(true);
  });
});

const masses = new Map<string, Mass>();
function massAt(scale: Rational): Mass {
  const known = masses.get(toText(scale)) ?? discreteLaplaceMass(scale);
  masses.set(toText(scale), known);
  return known;
}

interface Noisy {
  readonly value: bigint;
  readonly scale: Rational;
}

/** The laws of value + noise on two data sets. */
function pairOf(p: Noisy, q: Noisy, reach: bigint): Neighbours {
  const outcomes = [];
  for (let y = -reach; y <= reach; y += 1n) {
    outcomes.push({ p: massAt(p.scale).at(y - p.value), q: massAt(q.scale).at(y - q.value) });
  }
  return { outcomes, rest: zero };
}

describe("the price", () => {
  const setting: SmoothMedianSetting = {
    range: { lo: 0n, hi: 12n },
    alpha: "1",
    growth: "1/2",
    cut: "3",
  };
  const claimOf = (each: SmoothMedianSetting): { epsilon: Rational; delta: Rational } => {
    const { epsilon, delta } = approximate.losses(smoothMedianEvent(each)).mixed!;
    return { epsilon, delta };
  };

  it("is α + r·t at 2e^(−t)/(1 + e^(−α))", () => {
    const { epsilon, delta } = claimOf(setting);
    expect(epsilon).toEqual(parseRational("5/2"));
    expect(toDouble(delta, "up")).toBeCloseTo((2 * Math.exp(-3)) / (1 + Math.exp(-1)), 12);
  });

  const sets = lists(3, [0n, 1n, 5n, 12n]).filter(([a, b, c]) => a! <= b! && b! <= c!);
  const neighbours = sets.flatMap((d) => sets.filter((e) => near(d, e)).map((e) => [d, e] as const));
  /** Sorted lists that differ by the replacement of one row. */
  function near(d: readonly bigint[], e: readonly bigint[]): boolean {
    const left = [...e];
    const extra = d.filter((x) => {
      const at = left.indexOf(x);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    return extra.length === 1;
  }

  it("holds on the laws of all neighbours of three rows, also where the scale differs", () => {
    const { epsilon, delta } = claimOf(setting);
    const scales = new Set<string>();
    const seen = new Set<string>();
    for (const [d, e] of neighbours) {
      const [p, q] = [smoothMedianNoise(setting, d), smoothMedianNoise(setting, e)];
      scales.add(toText(p.scale));
      // What counts is how far the values lie apart and the two scales; refuted looks both ways.
      const moved = p.value - q.value;
      const key = [moved < 0n ? -moved : moved, ...[p, q].map(({ scale }) => toText(scale)).sort()].join(" ");
      if (seen.has(key)) continue;
      seen.add(key);
      expect(refuted(pairOf(p, q, 60n), epsilon, delta)).toBe(false);
    }
    expect(scales.size).toBeGreaterThan(3);
    expect(seen.size).toBeGreaterThan(8);
  });

  it("is refuted where the local sensitivity is the scale, and where levels may jump", () => {
    const { epsilon, delta } = claimOf(setting);
    const local = (values: readonly bigint[]): Noisy => {
      const statistic = orderStatistic(setting, values);
      const bound = statistic.sensitivityAt(0);
      return { value: statistic.value, scale: ratio(bound > 1n ? bound : 1n) };
    };
    const some = neighbours.some(([d, e]) => refuted(pairOf(local(d), local(e), 70n), epsilon, delta));
    expect(some).toBe(true);
    // The same α and t with levels four steps apart: the price of one step is not enough.
    const fine = { ...setting, growth: "1/10", cut: "4" };
    const tight = claimOf(fine);
    const scale = ratio(5n);
    const jumped = multiply(scale, ratio(11n ** 6n, 10n ** 6n));
    expect(
      refuted(pairOf({ value: 0n, scale: jumped }, { value: 5n, scale }, 150n), tight.epsilon, tight.delta),
    ).toBe(true);
    const stepped = multiply(scale, ratio(11n, 10n));
    expect(
      refuted(pairOf({ value: 0n, scale: stepped }, { value: 5n, scale }, 150n), tight.epsilon, tight.delta),
    ).toBe(false);
  });

  it("is refuted at 70 % of its ε: most of it is attained", () => {
    const { epsilon, delta } = claimOf({ ...setting, growth: "1/100", cut: "6" });
    const scale = ratio(6n);
    const pair = pairOf({ value: 0n, scale }, { value: 6n, scale }, 150n);
    expect(refuted(pair, multiply(epsilon, ratio(7n, 10n)), delta)).toBe(true);
  });
});

describe("smoothMedianFor", () => {
  it.each([
    ["1", "1e-6"],
    ["3", "1e-9"],
    ["1/2", "1/100"],
  ])("stays within (ε, δ) and close to it: %s, %s", (e, d) => {
    const [epsilon, delta] = [parseRational(e), parseRational(d)];
    const claim = approximate.losses(
      smoothMedianEvent(smoothMedianFor({ range: { lo: 0n, hi: 100_000n }, epsilon, delta })),
    ).mixed!;
    for (const [got, asked] of [
      [claim.epsilon, epsilon],
      [claim.delta, delta],
    ] as const) {
      expect(compare(got, asked)).toBeLessThanOrEqual(0);
      expect(compare(got, multiply(asked, parseRational("0.999")))).toBe(1);
    }
  });

  it.each([
    { epsilon: zero },
    { epsilon: ratio(-1n) },
    { delta: zero },
    { delta: one },
    { range: { lo: 1n, hi: 0n } },
    { q: "2" },
    { q: "NaN" },
    // Too many levels for so wide a range at so small a price.
    { range: { lo: 0n, hi: 10n ** 18n }, epsilon: parseRational("0.01") },
  ])("refuses %o", (wrong) => {
    const right = { range: grid, epsilon: one, delta: parseRational("1e-6") };
    expect(() => smoothMedianFor({ ...right, ...wrong })).toThrow(invalid);
  });
  it.each([{ alpha: "0" }, { growth: "0" }, { cut: "1/2" }, { cut: "NaN" }])(
    "an event refuses %o",
    (wrong) => {
      const right = { range: grid, alpha: "1", growth: "1/2", cut: "3" };
      expect(() => smoothMedianEvent({ ...right, ...wrong })).toThrow(invalid);
      expect(() => releaseSmoothMedian({ ...right, ...wrong }, [1n], new SeededSource(1))).toThrow(invalid);
    },
  );
});

describe("the release", () => {
  it("stays in the range, from no rows, one row and values that are no numbers", () => {
    const setting = smoothMedianFor({ range: grid, epsilon: one, delta: parseRational("1e-6") });
    const bits = new SeededSource(3);
    for (const values of [[], [2n], [10n ** 30n, Number.NaN as unknown as bigint]]) {
      for (let i = 0; i < 50; i += 1) {
        const answer = releaseSmoothMedian(setting, values, bits);
        expect(answer >= 0n && answer <= 3n).toBe(true);
      }
    }
  });

  it("adds little noise to dense data, and covers as stated (false alarm below 1e-9)", () => {
    const setting = smoothMedianFor({
      range: { lo: 0n, hi: 10_000n },
      epsilon: ratio(2n),
      delta: parseRational("1e-6"),
    });
    const values = Array.from({ length: 801 }, (_, i) => BigInt(3000 + 5 * i));
    const { value, scale } = smoothMedianNoise(setting, values);
    expect(value).toBe(5000n);
    expect(toDouble(scale, "up")).toBeLessThan(100); // the width over ε would be 5,000
    const level = multiply(scale, parseRational(setting.alpha));
    const reach = smoothMedianErrorBound(setting, level, ratio(1n, 5n));
    const bits = new SeededSource(12);
    const draws = 600;
    let [missed, narrow] = [0, 0];
    for (let i = 0; i < draws; i += 1) {
      const error = distance(releaseSmoothMedian(setting, values, bits), value);
      missed += Number(error > reach);
      narrow += Number(2n * error > reach);
    }
    // ≤ 0.2 of 600: above 0.335 has probability below e^(−2·600·0.135²) = 4e-10.
    expect(missed / draws).toBeLessThan(0.335);
    expect(narrow / draws).toBeGreaterThan(0.335);
    for (const wrong of [ratio(-1n), ratio(10n ** 9n)]) {
      expect(() => smoothMedianErrorBound(setting, wrong, ratio(1n, 5n))).toThrow(invalid);
    }
    expect(() => smoothMedianErrorBound(setting, divide(level, ratio(2n)), zero)).toThrow(invalid);
  });

  it("has the reach of the least level that holds the sensitivity, over α", () => {
    const setting: SmoothMedianSetting = {
      range: { lo: 0n, hi: 8n },
      alpha: "1/2",
      growth: "1",
      cut: "3",
    };
    const beta = ratio(1n, 20n);
    for (const [sensitivity, scale] of [
      [zero, 2n],
      [one, 2n],
      [ratio(1001n, 1000n), 4n],
      [ratio(2n), 4n],
      [ratio(5n), 16n],
      [ratio(8n), 16n],
    ] as const)
      expect(smoothMedianErrorBound(setting, sensitivity, beta)).toBe(laplaceErrorBound(ratio(scale), beta));
    for (const sensitivity of [ratio(8001n, 1000n), ratio(-1n, 1000n)])
      expect(() => smoothMedianErrorBound(setting, sensitivity, beta)).toThrow(invalid);
  });

  it("has the scale of the smoothed sensitivity: what k replaced rows could do, k levels lower", () => {
    const setting: SmoothMedianSetting = { range: { lo: 0n, hi: 8n }, alpha: "1/2", growth: "1", cut: "3" };
    // Levels 1, 2, 4, 8. Three rows at 4: only beside one replaced row another moves the median by 4, so one level lower.
    expect(smoothMedianNoise(setting, [4n, 4n, 4n])).toEqual({ value: 4n, scale: ratio(4n) });
    // One row moves it by 4 at once; beside one replaced row, by 8, one level lower: the same.
    expect(smoothMedianNoise(setting, [0n, 4n, 8n])).toEqual({ value: 4n, scale: ratio(8n) });
    expect(smoothMedianNoise(setting, [])).toEqual({ value: 0n, scale: ratio(2n) });
  });
});
