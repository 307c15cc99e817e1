import { lnBracket, parseRational, type Rational, ratio, toDouble, zero } from "@lethe/core";
import { enumerateCoins, permuteAndFlipWith, sparseVectorScales, sparseVectorWith } from "@lethe/core/tape";
import { describe, expect, test } from "vitest";
import { enumerateNoise, type NoisePaths } from "../enumerate/enumerate-noise.ts";
import { lawOf } from "../enumerate/law-of.ts";
import { claimOf, pureClaim } from "./claim.ts";
import { exactly } from "./hockey-stick.ts";
import { refutedForms } from "./refuted-forms.ts";
import { verify } from "./verify.ts";

const law = (masses: Record<string, string>): NoisePaths => ({
  masses: new Map(Object.entries(masses).map(([name, mass]) => [name, exactly(parseRational(mass))])),
  residual: zero,
});
const ln = (x: bigint, y = 1n): Rational => lnBracket(ratio(x, y), 100).hi;

describe("randomized response with truth 3/4", () => {
  const mechanism = (epsilon: Rational) => ({
    claim: pureClaim(epsilon),
    law: (answer: number) =>
      lawOf(
        enumerateCoins((coins) => (coins.choose([3, 1]) === 0 ? answer : 1 - answer), 8),
        (said) => `says ${said}`,
      ),
  });
  test("is proven at ln 3, exactly", () => {
    const found = verify(mechanism(ln(3n)), [[0, 1]]);
    expect(found).toMatchObject({ proven: true, refuted: [] });
    expect(found.epsilon.hi).toBeCloseTo(Math.log(3), 3);
    expect(found.epsilon.lo).toBeCloseTo(Math.log(3), 3);
  });
  test("and refuted a thousandth below, in all three forms and both directions", () => {
    const { refuted } = verify(mechanism(ln(2997n, 1000n)), [[0, 1]]);
    expect(refuted.map(({ backwards }) => backwards)).toEqual([false, true]);
    for (const { forms } of refuted) expect(forms).toEqual({ sets: true, outcomes: true, losses: true });
  });
});

test("δ(ε) is looked at in both directions", () => {
  const laws = [law({ a: "1/100", b: "99/100" }), law({ b: "1" })];
  const mechanism = { claim: pureClaim(zero, parseRational("1/200")), law: (at: number) => laws[at]! };
  for (const pair of [
    [0, 1],
    [1, 0],
  ] as const) {
    const { refuted, deltas, proven } = verify(mechanism, [pair]);
    expect(refuted.length).toBeGreaterThan(0);
    expect(deltas[0]!.delta).toEqual(exactly(parseRational("1/100")));
    expect(proven).toBe(false);
  }
});

test("where the forms part: δ > 0", () => {
  const many = [..."abcdefgh"];
  const pair = {
    outcomes: many.map(() => ({ p: exactly(ratio(1n, 8n)), q: exactly(ratio(1n, 16n)) })),
    rest: zero,
  };
  expect(refutedForms(pair, { epsilon: zero, delta: ratio(1n, 8n) })).toEqual({
    sets: true,
    outcomes: false,
    losses: true,
  });
  const little = { outcomes: [{ p: exactly(ratio(1n, 2n)), q: exactly(ratio(1n, 5n)) }], rest: zero };
  expect(refutedForms(little, { epsilon: ln(2n), delta: ratio(1n, 10n) })).toEqual({
    sets: false,
    outcomes: false,
    losses: true,
  });
});

test("an open residual neither refutes nor proves", () => {
  const open = { ...law({ a: "1/2" }), residual: ratio(1n, 2n) };
  const found = verify({ claim: pureClaim(ratio(1n)), law: () => open }, [[0, 1]]);
  expect(found).toMatchObject({ refuted: [], proven: false, epsilon: { lo: 0, hi: null } });
});

describe("core's own, from given draws", () => {
  test("permute-and-flip attains its ε and no more", () => {
    const law = (scores: readonly bigint[]): NoisePaths => {
      const best = scores.reduce((a, b) => (a > b ? a : b));
      return lawOf(
        enumerateCoins(
          (coins) =>
            permuteAndFlipWith(
              scores.map((score) => best - score),
              {
                accepts: (gap) => coins.choose([1, 2 ** Number(gap) - 1]) === 0,
                below: (n) => coins.choose(Array<number>(n).fill(1)),
              },
            ),
          60,
        ),
      );
    };
    // Rate ln 2 and range 2: ε = ln 4.
    const neighbours: [bigint[], bigint[]][] = [
      [
        [0n, 1n, 1n],
        [1n, 0n, 0n],
      ],
      [
        [2n, 2n],
        [3n, 1n],
      ],
    ];
    expect(verify({ claim: pureClaim(ln(4n)), law }, neighbours)).toMatchObject({ proven: true });
    expect(verify({ claim: pureClaim(ln(3n)), law }, neighbours).refuted).not.toEqual([]);
  });

  test("the sparse vector is not refuted at its ε, but below what the pair attains", () => {
    const setting = {
      thresholdEpsilon: "2",
      comparisonEpsilon: "4",
      numberEpsilon: "0",
      sensitivity: 1n,
      cap: 1n,
      monotone: false,
    };
    const scales = sparseVectorScales(setting);
    const law = (values: readonly bigint[]): NoisePaths =>
      enumerateNoise((draw) => {
        const vector = sparseVectorWith(setting.cap, {
          threshold: () => draw(scales.threshold),
          comparison: () => draw(scales.comparison),
          number: null,
        });
        let told = "";
        for (const value of values) {
          if (vector.left === 0n) break;
          told += vector.ask({ value }).above ? "T" : "F";
        }
        return told;
      }, 24);
    const neighbours: [bigint[], bigint[]][] = [
      [
        [0n, 1n],
        [1n, 0n],
      ],
    ];
    const held = verify({ claim: pureClaim(ratio(6n)), law }, neighbours);
    expect(held.refuted).toEqual([]);
    expect(held.epsilon.lo).toBeGreaterThan(2);
    expect(verify({ claim: pureClaim(ratio(2n)), law }, neighbours).refuted).not.toEqual([]);
  });
});

test("claims are what the event costs", () => {
  expect(claimOf({ kind: "laplace", version: 1, scale: "2", l1: "1" })).toEqual({
    text: "ε = 0.5",
    points: [{ epsilon: ratio(1n, 2n), delta: zero }],
  });
  const gaussian = claimOf({ kind: "gaussian", version: 1, sigma: "1", sensitivity: "1" });
  const [variation] = gaussian.points;
  expect(variation!.epsilon).toEqual(zero);
  expect(toDouble(variation!.delta, "up")).toBeCloseTo(0.3829249, 6); // 2Φ(1/2) − 1
});
