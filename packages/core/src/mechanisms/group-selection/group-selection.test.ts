import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mechanismContract, refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import {
  type Enclosure,
  exactly,
  type Neighbours,
  product,
} from "../../../../../testing/src/contracts/mechanism-hockey-stick.ts";
import {
  discreteLaplaceMass,
  roundedGaussianMass,
  upperTail,
} from "../../../../../testing/src/contracts/mechanism-masses.ts";
import { approximateFromMixed } from "../../conversions/gaussian/mixed-to-approximate.ts";
import type { BitSource } from "../../entropy/bit-source.ts";
import type { SelectionRule } from "../../events/event.ts";
import { expBracket } from "../../numeric/bracket.ts";
import {
  add,
  compare,
  divide,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  toDouble,
  zero,
} from "../../numeric/rational.ts";
import { enumerateTapes, SeededSource } from "../../tape.ts";
import { gaussianThresholdDelta } from "./gaussian-threshold.ts";
import { groupKeeper, groupSelection, halfwayUnits, keepProbability } from "./group-selection.ts";
import { expectedLength, keepTable } from "./keep-table.ts";
import { laplaceThresholdDelta } from "./laplace-threshold.ts";

/** P[keep] of n units, from the table or the mass function that is drawn: not from the code that prices. */
function keepMass(rule: SelectionRule): (units: bigint) => Enclosure {
  const floor = BigInt(rule.minUnits ?? "1");
  const shifted = (at: (n: bigint) => Enclosure) => (units: bigint) =>
    units < floor ? exactly(zero) : at(units - floor + 1n);
  if (rule.rule === "truncated-geometric") {
    const { keep, bits } = keepTable(parseRational(rule.epsilon), parseRational(rule.delta));
    return shifted((n) => exactly(ratio(keep[Math.min(Number(n), keep.length - 1)]!, 1n << BigInt(bits))));
  }
  const [mass, reach] =
    rule.rule === "laplace-threshold"
      ? [discreteLaplaceMass(parseRational(rule.scale)), 120n]
      : [roundedGaussianMass(parseRational(rule.sigma)), 60n];
  return shifted((n) => upperTail(mass, BigInt(rule.threshold) - n, reach));
}

/** The outputs {keep, drop} of one group at two counts. */
function group(rule: SelectionRule, units: bigint, neighbour: bigint): Neighbours {
  const mass = keepMass(rule);
  const other = ({ lo, hi }: Enclosure): Enclosure => ({ lo: subtract(one, hi), hi: subtract(one, lo) });
  const [p, q] = [mass(units), mass(neighbour)];
  return {
    outcomes: [
      { p, q },
      { p: other(p), q: other(q) },
    ],
    rest: zero,
  };
}

/** Changes of up to three groups: appearing, growing, and shrinking ones. */
function changes(rule: SelectionRule, groups: number): Neighbours[] {
  const start = BigInt(rule.minUnits ?? "1") - 1n;
  const half = halfwayUnits(rule);
  const singles = [
    [start, start + 1n],
    [start + 1n, start + 2n],
    [half - 1n, half],
    [half + 1n, half],
    [half + 3n, half + 4n],
  ].map(([a, b]) => group(rule, a!, b!));
  if (groups === 1) return singles;
  const together = (...at: number[]) => product(at.map((i) => singles[i]!));
  const pairs = [together(0, 0), together(0, 2), together(2, 2), together(3, 2), together(4, 0)];
  return groups === 2 ? pairs : [together(0, 0, 0), together(2, 2, 2), together(0, 2, 3), together(1, 2, 4)];
}

const geometric = { rule: "truncated-geometric", epsilon: "1/2", delta: "1/1000" } as const;
const laplace = { rule: "laplace-threshold", scale: "2", threshold: "9" } as const;
const gaussian = { rule: "gaussian-threshold", sigma: "3/2", threshold: "6" } as const;
const event = (rule: SelectionRule, groups: number) =>
  ({ kind: "select-groups", version: 1, rule, groups: `${groups}` }) as const;

for (const rule of [geometric, laplace, gaussian]) {
  const floored = { ...rule, minUnits: "4" };
  mechanismContract(rule.rule, {
    mechanism: groupSelection,
    proves: { pure: false, mixed: true, zcdp: true },
    cases: [
      ...[1, 2, 3].map((groups) => ({
        name: `${groups} groups`,
        event: event(rule, groups),
        neighbours: changes(rule, groups),
      })),
      { name: "a floor of 4 units", event: event(floored, 2), neighbours: changes(floored, 2) },
    ],
    ladder: [1, 2, 5, 40].map((groups) => event(rule, groups)),
  });
}

interface SelectOracle {
  readonly id: string;
  readonly epsilon: number;
  readonly delta: number;
  readonly values?: readonly number[];
  readonly value?: number;
}
const oracle: { readonly cases: readonly SelectOracle[] } = JSON.parse(
  readFileSync(new URL("../../../../../testing/oracles/accounting.json", import.meta.url), "utf8"),
);
const oracleCase = (wanted: string): SelectOracle => oracle.cases.find(({ id }) => id === wanted)!;

describe("oracles", () => {
  it("select-1", () => {
    const { epsilon, delta, values } = oracleCase("select-1");
    const rule: SelectionRule = { rule: "truncated-geometric", epsilon: `${epsilon}`, delta: `${delta}` };
    values!.forEach((value, i) => {
      expect(keepProbability(rule, BigInt(i + 1))).toBeCloseTo(value, 12);
    });
  });

  it("laplace-threshold-1: the integer threshold lies at the continuous one's place", () => {
    const { epsilon, delta, value } = oracleCase("laplace-threshold-1");
    const scale = divide(one, parseRational(`${epsilon}`));
    const bound = parseRational(`${delta}`);
    const threshold = BigInt(Math.ceil(value!));
    // 21.33 → 22: the discrete tail at 22 fits δ, the one at 21 does not.
    expect(compare(laplaceThresholdDelta(scale, threshold), bound)).toBeLessThanOrEqual(0);
    expect(compare(laplaceThresholdDelta(scale, threshold - 1n), bound)).toBe(1);
  });
});

describe("the truncated-geometric table", () => {
  const parameters = [
    ["1", "1e-6"],
    ["1/2", "1/3"],
    ["1/100", "1e-5"],
    ["3", "1e-12"],
    ["100", "1e-30"],
    ["1e-9", "1/50"],
  ] as const;

  it.each(parameters)("satisfies every constraint exactly at (%s, %s)", (epsilonText, deltaText) => {
    const [epsilon, delta] = [parseRational(epsilonText), parseRational(deltaText)];
    const { keep, bits } = keepTable(epsilon, delta);
    const growth = expBracket(epsilon, 2 * bits).lo; // a lower bound: the constraints hold against it too
    const unit = 1n << BigInt(bits);
    expect(keep[0]).toBe(0n);
    expect(keep.at(-1)).toBe(unit);
    for (let n = 0; n + 1 < keep.length; n += 1) {
      const [p, q] = [ratio(keep[n]!, unit), ratio(keep[n + 1]!, unit)];
      const [dropP, dropQ] = [subtract(one, p), subtract(one, q)];
      const within = (a: Rational, b: Rational): boolean => compare(a, add(multiply(growth, b), delta)) <= 0;
      expect(within(p, q) && within(q, p) && within(dropP, dropQ) && within(dropQ, dropP), `n = ${n}`).toBe(
        true,
      );
      expect(keep[n + 1]! > keep[n]!).toBe(true);
    }
  });

  it.each(parameters)("comes within 1e-9 of the optimum at (%s, %s)", (epsilonText, deltaText) => {
    // Beyond ε = 64 the table stops growing faster.
    const epsilon = Math.min(64, toDouble(parseRational(epsilonText), "up"));
    const delta = toDouble(parseRational(deltaText), "up");
    const { keep, bits } = keepTable(parseRational(epsilonText), parseRational(deltaText));
    let dropped = 1; // 1 − π, which keeps its digits near π = 1
    let kept = 0;
    for (let n = 1; n < Math.min(keep.length, 5000); n += 1) {
      const byDropping = Math.exp(-epsilon) * (dropped - delta);
      const byKeeping = Math.exp(epsilon) * kept + delta;
      if (byKeeping <= 1 - byDropping) {
        kept = byKeeping;
        dropped = 1 - kept;
      } else {
        dropped = Math.max(0, byDropping);
        kept = 1 - dropped;
      }
      const drawn = toDouble(ratio(keep[n]!, 1n << BigInt(bits)), "down");
      expect(Math.abs(drawn / kept - 1), `n = ${n}`).toBeLessThan(1e-9);
    }
  });

  it.each([...parameters.slice(0, 4), ["1/1000", "1e-10"]] as const)(
    "has about the expected length at (%s, %s)",
    (epsilonText, deltaText) => {
      const [epsilon, delta] = [parseRational(epsilonText), parseRational(deltaText)];
      const expected = expectedLength(toDouble(epsilon, "up"), toDouble(delta, "up"));
      expect(Math.abs(keepTable(epsilon, delta).keep.length - expected)).toBeLessThanOrEqual(2.5);
    },
  );

  it("refuses what would need a table without end", () => {
    for (const [epsilon, delta] of [
      ["1e-9", "1e-12"],
      ["1", "1e-300"],
    ] as const) {
      expect(() => keepTable(parseRational(epsilon), parseRational(delta))).toThrow(
        expect.objectContaining({ code: "parameter.invalid" }),
      );
    }
  });

  /** Words that spell an integer of the given width, most significant first. */
  function spelled(value: bigint, bits: number): BitSource & { readonly left: () => number } {
    let place = BigInt(bits);
    return {
      word() {
        place -= 32n;
        if (place < 0n) throw new RangeError("read beyond the tape");
        return Number((value >> place) & 0xffffffffn);
      },
      left: () => Number(place),
    };
  }

  it("is what is drawn: kept exactly when the coins spell an integer below the entry", () => {
    const { keep, bits } = keepTable(parseRational(geometric.epsilon), parseRational(geometric.delta));
    const keeper = groupKeeper(geometric);
    const unit = 1n << BigInt(bits);
    const drawn = (units: bigint, value: bigint): boolean => {
      const tape = spelled(value, bits);
      const kept = keeper(units, tape);
      expect(tape.left()).toBe(0);
      return kept;
    };
    for (let n = 1; n < keep.length + 2; n += 1) {
      const entry = keep[Math.min(n, keep.length - 1)]!;
      expect(drawn(BigInt(n), entry - 1n)).toBe(true);
      expect(drawn(BigInt(n), 0n)).toBe(true);
      if (entry < unit) {
        expect(drawn(BigInt(n), entry)).toBe(false);
        expect(drawn(BigInt(n), unit - 1n)).toBe(false);
      }
    }
    for (const absent of [0n, -1n]) expect(drawn(absent, 0n)).toBe(false);
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: unit - 1n }),
        fc.integer({ min: 1, max: keep.length - 1 }),
        (value, n) => {
          expect(drawn(BigInt(n), value)).toBe(value < keep[n]!);
        },
      ),
    );
  });
});

describe("the truncated-geometric draw, over every tape of coins", () => {
  const rule: SelectionRule = { rule: "truncated-geometric", epsilon: "1/2", delta: "1/20" };
  const { keep, bits } = keepTable(parseRational(rule.epsilon), parseRational(rule.delta));
  const keeper = groupKeeper(rule);

  /** Reads words one by one, and stops as soon as the coins that follow cannot change the outcome. */
  function decided(units: bigint): (coins: BitSource) => boolean {
    return (coins) => {
      const words: number[] = [];
      const padded = (rest: number): BitSource => {
        let at = 0;
        return { word: () => words[at++] ?? rest };
      };
      for (;;) {
        words.push(coins.word());
        const lowest = keeper(units, padded(0));
        if (words.length * 32 >= bits || lowest === keeper(units, padded(0xffffffff))) return lowest;
      }
    };
  }
  const drawn = keep.map((_entry, n) => {
    const { masses, residual } = enumerateTapes(decided(BigInt(n)), { depth: bits / 32 });
    expect(residual).toEqual(zero);
    return masses.get(true) ?? zero;
  });

  it("has exactly the masses of the table", () => {
    expect(drawn.length).toBeGreaterThan(8);
    expect(drawn).toEqual(keep.map((entry) => ratio(entry, 1n << BigInt(bits))));
  });

  it("is (ε, δ)-DP in both directions, on either outcome, and not (ε, 0.99·δ)-DP", () => {
    const pairs = drawn.slice(1).map((p, n): Neighbours => {
      const q = drawn[n]!;
      return {
        outcomes: [
          { p: exactly(p), q: exactly(q) },
          { p: exactly(subtract(one, p)), q: exactly(subtract(one, q)) },
        ],
        rest: zero,
      };
    });
    const [epsilon, delta] = [parseRational(rule.epsilon), parseRational(rule.delta)];
    for (const pair of pairs) expect(refuted(pair, epsilon, delta)).toBe(false);
    // Every pair uses all of δ, but for the last, where the table ends at 1.
    const slack = pairs.filter((pair) => !refuted(pair, epsilon, multiply(delta, ratio(99n, 100n))));
    expect(slack.length).toBeLessThanOrEqual(1);
  });
});

describe("thresholds", () => {
  // 100,000 draws against a band of 5.5 standard deviations: false alarms below 4e-8 each, 3e-7 in all. A scale that is
  // 10 % off is seen at more than 9.
  it.each([
    [{ rule: "laplace-threshold", scale: "5", threshold: "12" }, "11/2", 1n],
    [{ rule: "laplace-threshold", scale: "5", threshold: "12" }, "11/2", 17n],
    [{ rule: "gaussian-threshold", sigma: "5", threshold: "12" }, "11/2", 5n],
    [{ rule: "gaussian-threshold", sigma: "5", threshold: "12" }, "11/2", 18n],
  ] as const)("are drawn as often as they are said to be: %o, wrong scale %s, n = %s", (rule, wrong, n) => {
    const draws = 100_000;
    const keeper = groupKeeper(rule);
    const coins = new SeededSource(20);
    let kept = 0;
    for (let i = 0; i < draws; i += 1) kept += keeper(n, coins) ? 1 : 0;
    const deviations = (p: number): number => Math.abs(kept - draws * p) / Math.sqrt(draws * p * (1 - p));
    expect(deviations(keepProbability(rule, n))).toBeLessThan(5.5);
    const off = rule.rule === "laplace-threshold" ? { ...rule, scale: wrong } : { ...rule, sigma: wrong };
    expect(deviations(keepProbability(off, n))).toBeGreaterThan(9);
  });

  const still: BitSource = { word: () => 0x12345678 };

  it("keep at the threshold and not below it", () => {
    // At a scale of 1/1000 the noise is 0 except with probability 1e-434.
    for (const rule of [
      { rule: "laplace-threshold", scale: "1/1000", threshold: "7" },
      { rule: "gaussian-threshold", sigma: "1/1000", threshold: "7" },
    ] as const) {
      for (const [minUnits, border] of [
        ["1", 7n],
        ["5", 11n],
      ] as const) {
        const keep = groupKeeper({ ...rule, minUnits });
        expect(keep(border, still)).toBe(true);
        expect(keep(border - 1n, still)).toBe(false);
        expect(keep(0n, still)).toBe(false);
      }
    }
  });

  it("never keep a group below the floor, however low the threshold", () => {
    const keep = groupKeeper({ rule: "laplace-threshold", scale: "1/1000", threshold: "1", minUnits: "3" });
    expect([0n, 1n, 2n, 3n].map((units) => keep(units, still))).toEqual([false, false, false, true]);
  });

  it("never keep an absent group, whatever the noise", () => {
    for (const rule of [
      { rule: "laplace-threshold", scale: "50", threshold: "1" },
      { rule: "gaussian-threshold", sigma: "50", threshold: "1" },
    ] as const) {
      const coins = new SeededSource(3);
      for (const [minUnits, absent, least] of [
        ["1", 0n, 1n],
        ["3", 2n, 3n],
      ] as const) {
        const keep = groupKeeper({ ...rule, minUnits });
        const kept = (units: bigint) =>
          Array.from({ length: 300 }, () => keep(units, coins)).filter(Boolean).length;
        expect(kept(absent)).toBe(0);
        expect(kept(least)).toBeGreaterThan(50);
      }
    }
  });

  it("are priced from the mass of what is drawn, tightly and upward", () => {
    for (const threshold of [1n, 2n, 9n, 25n]) {
      const mass = upperTail(discreteLaplaceMass(ratio(2n)), threshold - 1n, 160n);
      const priced = laplaceThresholdDelta(ratio(2n), threshold);
      expect(compare(priced, mass.lo)).toBeGreaterThanOrEqual(0);
      expect(toDouble(divide(priced, mass.lo), "up")).toBeLessThan(1 + 1e-12);
      const gaussianMass = upperTail(roundedGaussianMass(ratio(3n)), threshold - 1n, 80n);
      const gaussianPriced = gaussianThresholdDelta(ratio(3n), threshold);
      expect(compare(gaussianPriced, gaussianMass.lo)).toBeGreaterThanOrEqual(0);
      expect(toDouble(divide(gaussianPriced, gaussianMass.lo), "up")).toBeLessThan(1 + 1e-12);
    }
  });
});

describe("claims that are slightly false are refuted by the same checks", () => {
  const claim = (rule: SelectionRule, groups: number, extra = zero) => {
    const { mixed } = groupSelection.losses(event(rule, groups));
    return approximateFromMixed(mixed!, add(mixed!.delta, extra));
  };
  const anyRefuted = (pairs: readonly Neighbours[], epsilon: Rational, delta: Rational): boolean =>
    pairs.some((pair) => refuted(pair, epsilon, delta));

  it("m forgotten: the price of one group charged for two", () => {
    for (const rule of [geometric, laplace]) {
      const { epsilon, delta } = claim(rule, 1);
      expect(anyRefuted(changes(rule, 1), epsilon, delta)).toBe(false);
      expect(anyRefuted(changes(rule, 2), epsilon, delta)).toBe(true);
    }
    const { epsilon, delta } = claim(gaussian, 1, parseRational("1e-4"));
    expect(anyRefuted(changes(gaussian, 1), epsilon, delta)).toBe(false);
    expect(anyRefuted(changes(gaussian, 2), epsilon, delta)).toBe(true);
  });

  it("δ dropped", () => {
    for (const rule of [geometric, laplace]) {
      const { epsilon, delta } = claim(rule, 1);
      expect(anyRefuted(changes(rule, 1), epsilon, multiply(delta, ratio(99n, 100n)))).toBe(true);
    }
    const { mixed } = groupSelection.losses(event(gaussian, 1));
    const without = approximateFromMixed({ ...mixed!, delta: zero }, parseRational("1e-9"));
    expect(anyRefuted(changes(gaussian, 1), without.epsilon, without.delta)).toBe(true);
  });

  it("a threshold off by one, which is also > for ≥", () => {
    for (const rule of [laplace, gaussian]) {
      const next = { ...rule, threshold: `${BigInt(rule.threshold) + 1n}` };
      const { epsilon, delta } = claim(next, 1, parseRational("1e-9"));
      expect(anyRefuted(changes(rule, 1), epsilon, delta)).toBe(true);
    }
  });

  it("a floor that drops groups without shifting the rule", () => {
    // Keeps 4 units with π(4) and drops 3: P[keep] jumps from 0.
    const jump: Neighbours = {
      outcomes: [
        { p: keepMass(geometric)(4n), q: exactly(zero) },
        { p: exactly(subtract(one, keepMass(geometric)(4n).lo)), q: exactly(one) },
      ],
      rest: zero,
    };
    const { epsilon, delta } = claim(geometric, 1);
    expect(refuted(jump, epsilon, delta)).toBe(true);
  });

  it("the optimum with one more unit in the last place", () => {
    const { keep, bits } = keepTable(one, parseRational("1e-3"));
    const at = (n: number, more: bigint): Enclosure => exactly(ratio(keep[n]! + more, 1n << BigInt(bits)));
    const pair = (more: bigint): Neighbours => {
      const [p, q] = [at(3, more), at(2, 0n)];
      return {
        outcomes: [
          { p, q },
          { p: exactly(subtract(one, p.lo)), q: exactly(subtract(one, q.lo)) },
        ],
        rest: zero,
      };
    };
    expect(refuted(pair(0n), one, parseRational("1e-3"))).toBe(false);
    expect(refuted(pair(4n), one, parseRational("1e-3"))).toBe(true);
  });
});

describe("keepProbability", () => {
  it.each([geometric, laplace, gaussian])("is the mass that is drawn: %o", (rule) => {
    for (const each of [rule, { ...rule, minUnits: "3" }]) {
      const mass = keepMass(each);
      for (let units = 0n; units < 25n; units += 1n) {
        expect(keepProbability(each, units)).toBeCloseTo(toDouble(mass(units).lo, "down"), 13);
      }
      const half = halfwayUnits(each);
      expect(keepProbability(each, half)).toBeGreaterThanOrEqual(0.5);
      expect(keepProbability(each, half - 1n)).toBeLessThan(0.5);
    }
  });
  it("does not fail on a count beyond any table", () => {
    for (const rule of [geometric, laplace, gaussian]) expect(keepProbability(rule, 10n ** 30n)).toBe(1);
  });
});
