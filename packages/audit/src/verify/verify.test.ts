import { parseRational, type Rational, ratio, toDouble } from "@lethe/core";
import { lnBracket, zero } from "@lethe/core/numeric";
import { enumerateCoins, permuteAndFlipWith, sparseVectorScales, sparseVectorWith } from "@lethe/core/tape";
import { describe, expect, test } from "vitest";
import { enumerateNoise, type NoisePaths, pairOf } from "../enumerate/enumerate-noise.ts";
import { lawOf } from "../enumerate/law-of.ts";
import { type Side, subject } from "../subject.ts";
import { verifySubject } from "../verify-subject.ts";
import { claimOf, pureClaim } from "./claim.ts";
import { exactly, type Neighbours } from "./hockey-stick.ts";
import { refutedForms } from "./refuted-forms.ts";
import { leastEpsilon, verify } from "./verify.ts";

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

describe("the least ε of laws in thirds and halves", () => {
  const pair = (p: Record<string, string>, q: Record<string, string>): Neighbours => pairOf(law(p), law(q));
  test.each<[string, Record<string, string>, Record<string, string>, string, number]>([
    ["p over q", { a: "2/3", b: "1/3" }, { a: "1/3", b: "2/3" }, "0", Math.log(2)],
    ["with a δ", { a: "2/3", b: "1/3" }, { a: "1/3", b: "2/3" }, "1/6", Math.log(3 / 2)],
    ["nothing", { a: "2/3", b: "1/3" }, { a: "2/3", b: "1/3" }, "0", 0],
    ["what δ pays for", { a: "1/10", b: "9/10" }, { b: "1" }, "1/10", 0],
    [
      "nearly all of it",
      { a: "1", b: "0" },
      { a: "1/1000000000000000000000000", b: "1" },
      "0",
      24 * Math.log(10),
    ],
  ])("is %s", (_, p, q, delta, due) => {
    const { lo, hi } = leastEpsilon([pair(p, q)], parseRational(delta));
    expect(lo).toBeLessThanOrEqual(due);
    expect(hi).toBeGreaterThanOrEqual(due);
    expect(hi! - lo).toBeLessThanOrEqual(2 ** -13);
  });
  test("is that of the worst pair", () => {
    const pairs = [
      pair({ a: "1" }, { a: "1" }),
      pair({ a: "2/3" }, { a: "1/3" }),
      pair({ a: "1/2" }, { a: "1/3" }),
    ];
    expect(leastEpsilon(pairs, zero).lo).toBeCloseTo(Math.log(2), 3);
  });
  test("is none that is known where one side alone has an outcome, or above 64", () => {
    const { lo, hi } = leastEpsilon([pair({ a: "1" }, { b: "1" })], zero);
    expect(lo).toBe(64);
    expect(hi).toBe(null);
    // e^64 is 6e27.
    const near = (digits: number) => pair({ a: "1" }, { a: `1/1${"0".repeat(digits)}` });
    expect(leastEpsilon([near(27)], zero).hi).toBeCloseTo(27 * Math.log(10), 3);
    expect(leastEpsilon([near(28)], zero).hi).toBe(null);
  });
});

describe("a claim of several points", () => {
  const laws = [law({ a: "3/4", b: "1/4" }), law({ a: "1/4", b: "3/4" })];
  const points = [
    { epsilon: zero, delta: parseRational("1/2") },
    { epsilon: ln(2n), delta: parseRational("1/8") },
  ];
  const found = verify({ claim: { text: "", points }, law: (at: number) => laws[at]! }, [
    [0, 0],
    [0, 1],
  ]);
  test("has the least δ of each, over all pairs, and what is refuted with its place", () => {
    expect(found.deltas.map(({ point, delta }) => [point, toDouble(delta.lo, "up")])).toEqual([
      [points[0], 0.5],
      [points[1], expect.closeTo(0.25, 12)],
    ]);
    expect(found.refuted.map(({ pair, backwards, point }) => [pair, backwards, point])).toEqual([
      [1, false, points[1]],
      [1, true, points[1]],
    ]);
    expect(toDouble(found.refuted[0]!.delta.hi, "up")).toBeCloseTo(0.25, 12);
    expect(found.proven).toBe(false);
  });
  test("has its least ε at the δ of its first", () => {
    expect(found.epsilon).toEqual({ lo: 0, hi: 0 });
  });
  test("is proven where each point just holds", () => {
    const just = [points[0]!, { epsilon: ln(2n), delta: parseRational("1/4") }];
    const held = verify({ claim: { text: "", points: just }, law: (at: number) => laws[at]! }, [[0, 1]]);
    expect(held).toMatchObject({ proven: true, refuted: [] });
  });
});

describe("claims", () => {
  test("say their ε and their δ, where there is one", () => {
    expect(pureClaim(ratio(1n)).text).toBe("ε = 1");
    // Rounded up to four places.
    expect(pureClaim(ratio(1n, 3n)).text).toBe("ε = 0.3334");
    expect(pureClaim(ratio(2n), parseRational("1/3000")).text).toBe("ε = 2, δ = 0.000333");
    expect(pureClaim(ratio(2n), parseRational("1/3000")).points).toEqual([
      { epsilon: ratio(2n), delta: parseRational("1/3000") },
    ]);
  });
  test("of a Gaussian lie on its curve, rounded toward more loss, where it asks for less than certainty", () => {
    const sigma = { kind: "gaussian", version: 1, sigma: "1", sensitivity: "1" } as const;
    const { points, text } = claimOf(sigma);
    expect(points.map(({ epsilon }) => toDouble(epsilon, "up"))).toEqual([
      0, 0.1, 0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8,
    ]);
    // δ(ε) = Φ(½ − ε) − e^ε·Φ(−½ − ε).
    const at = (epsilon: number) => points.find((each) => toDouble(each.epsilon, "up") === epsilon)!.delta;
    expect(toDouble(at(1), "up")).toBeCloseTo(0.1269367, 6);
    expect(toDouble(at(1), "up")).toBeGreaterThanOrEqual(0.12693673);
    // 1e-6 is the first δ that is shown, where ε is a little below 5.
    expect(text).toMatch(/^ε = 4\.[89]\d\d at δ = 1e-6, and its curve$/);
    expect(claimOf(sigma, "add-or-remove-one", [0, 3]).points).toHaveLength(2);
  });
  test("of an event that is broken are none", () => {
    expect(() => claimOf({ kind: "gaussian", version: 1, sigma: "-1", sensitivity: "1" })).toThrow();
  });
});

describe("a subject", () => {
  const of = (...laws: readonly (NoisePaths | null)[]) =>
    subject<number>({
      id: "",
      describes: "",
      claim: pureClaim(ratio(1n)),
      neighbours: [[0, 1]],
      run: () => [],
      ...(laws[0] ? { law: (at: number) => laws[at]! } : {}),
    });
  test("is verified where its laws are known, and else not", () => {
    const [a, b] = [law({ a: "1" }), law({ b: "1" })];
    expect(verifySubject(of(a, b))!.refuted).toHaveLength(2);
    expect(verifySubject(of(a, a))!.refuted).toHaveLength(0);
    expect(verifySubject(of(null))).toBe(null);
  });
  test("names outcomes by their values with commas unless told otherwise", () => {
    const [[side]] = of(null).pairs as [[Side, Side]];
    expect(side.nameOf([1n, true, "x", 0.5])).toBe("1,true,x,0.5");
    expect(side.canGive).toBe(null);
  });
});
