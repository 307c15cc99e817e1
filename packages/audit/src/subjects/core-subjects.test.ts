import { ratio, toDouble } from "@lethe/core";
import { SeededSource } from "@lethe/core/tape";
import { describe, expect, test } from "vitest";
import { binomialAtLeast } from "../estimate/binomial-tail.ts";
import { estimate } from "../estimate/estimate.ts";
import { countImpossible, impossibleMass } from "../estimate/impossible.ts";
import type { Output, Side } from "../subject.ts";
import { discreteLaplaceMass } from "../verify/masses.ts";
import { verifySubject } from "../verify-subject.ts";
import { coreSubjects } from "./registry.ts";

const all = new Map(coreSubjects.map(({ id, subject }) => [id, subject()] as const));
const sideOf = (id: string, pair = 0, at: 0 | 1 = 0): Side => all.get(id)!.pairs[pair]![at];

/* False alarm of the whole file below 1e-6; `lethe audit --soak` runs a thousand seeds. */

test("ids are told apart", () => {
  expect(new Set(coreSubjects.map(({ id }) => id)).size).toBe(coreSubjects.length);
});

/** Names of outcomes that are met more or less often than their law allows: each with chance below 1e-10. */
function strangers(side: Side, seed: number, draws: number): string[] {
  const { masses, residual } = side.law!();
  const bits = new SeededSource(seed);
  const met = new Map<string, number>();
  for (let i = 0; i < draws; i += 1) {
    const name = side.nameOf(side.run(bits));
    met.set(name, (met.get(name) ?? 0) + 1);
  }
  const wrong = [...met.keys()].filter((name) => !masses.has(name) && residual.num === 0n);
  for (const [name, { lo, hi }] of masses) {
    const times = met.get(name) ?? 0;
    const [least, most] = [toDouble(lo, "down"), Math.min(1, toDouble(hi, "up") + toDouble(residual, "up"))];
    const tooMany = times > 0 && binomialAtLeast(times, draws, most).hi < 1e-10;
    const tooFew = times < draws && binomialAtLeast(draws - times, draws, 1 - least).hi < 1e-10;
    if (tooMany || tooFew) wrong.push(name);
  }
  return wrong;
}

/** The pure ε of settings whose worst outcome stands among these neighbours. */
const attained = new Map<string, number>([
  ["discrete-laplace", 1],
  ["discrete-laplace-vector", 12 / 7],
  ["bounded-geometric", 1],
  ["histogram", 1],
  ["marginals", 1],
  ["quantile-tree", 1],
  ["continual-counting", 1],
  ["decision", 1],
  ["randomized-response", 1],
  ["unary-response", 1],
  ["subset-response", 1],
]);

describe.each(coreSubjects)("$id", ({ id }) => {
  const made = all.get(id)!;
  test("its exact law keeps the claim", () => {
    const { refuted, epsilon, deltas } = verifySubject(made)!;
    expect(refuted).toEqual([]);
    for (const { point, delta } of deltas)
      expect(toDouble(delta.hi, "up")).toBeLessThanOrEqual(toDouble(point.delta, "up") + 1e-14);
    if (attained.has(id)) expect(epsilon.lo).toBeGreaterThan(attained.get(id)! - 1e-3);
    expect(impossibleMass(made)).toBeLessThanOrEqual(
      Math.min(...made.claim.points.map(({ delta }) => toDouble(delta, "up"))) + 1e-14,
    );
  });
  test("follows that law", () => {
    for (const [pair, sides] of made.pairs.entries())
      for (const [at, side] of sides.entries()) {
        expect(strangers(side, 40 + 2 * pair + at, 1200), `${pair} ${at}`).toEqual([]);
      }
  });
  test("can give what it gave", () => {
    const bits = new SeededSource(9);
    for (const { run, canGive } of made.pairs.flat()) {
      const outputs = Array.from({ length: 40 }, () => run(bits));
      expect(outputs.filter((output) => !canGive!(output))).toEqual([]);
    }
  });
  test("is not flagged, and gives nothing that its neighbour cannot", () => {
    const found = estimate(made, { seed: 11, samples: 1500, falseAlarm: 1e-6 / coreSubjects.length });
    expect(found.broken).toBe(false);
    const { impossible, drawn } = countImpossible(made, { seed: 12, samples: 400 })!;
    if (impossible > 0)
      expect(binomialAtLeast(impossible, drawn, impossibleMass(made)).hi).toBeGreaterThan(1e-8);
  });
});

test("a law whose scale is a fifth larger than the noise's is seen not to be followed", () => {
  const [[left]] = coreSubjects.find(({ id }) => id === "discrete-laplace")!.subject().pairs as [
    [Side, Side],
  ];
  const larger = discreteLaplaceMass(ratio(6n, 5n));
  const masses = new Map(
    Array.from({ length: 97 }, (_, at) => [String(at - 48), larger.at(BigInt(at - 48))] as const),
  );
  const law = () => ({ masses, residual: larger.beyond(48n) });
  expect(strangers({ ...left, law }, 5, 6000)).toContain("0");
});

/* A subject that claimed more than its own setting costs would stand whatever it lost. */
describe("the price that a subject is held to is its setting's own", () => {
  test.each([
    ["discrete-laplace", "1"],
    // ℓ1 of 3 + 1 over a scale of 7/3.
    ["discrete-laplace-vector", "1.7143"],
    ["bounded-geometric", "1"],
    ["histogram", "1"],
    ["marginals", "1"],
    ["quantile-tree", "1"],
    ["continual-counting", "1"],
    ["exponential", "1"],
    ["permute-and-flip", "1"],
    ["noisy-max-laplace", "1"],
    ["noisy-max-exponential", "1"],
    ["noisy-max-gumbel", "1"],
    ["top-k", "2"],
    ["decision", "1"],
    ["quantile", "1"],
    ["private-bounds", "1"],
    ["sparse-vector", "2"],
    ["sparse-vector-numbers", "2"],
    ["thresholdout", "2"],
    ["randomized-response", "1"],
    ["unary-response", "1"],
    ["subset-response", "1"],
  ])("%s: ε = %s", (id, epsilon) => {
    const { claim } = all.get(id)!;
    expect(claim.text).toBe(`ε = ${epsilon}`);
    expect(claim.points.map(({ delta }) => delta.num)).toEqual([0n]);
  });
  test.each([
    // 2Φ(μ/2) − 1 for μ = 2/2, and for √3 over 3/2.
    ["rounded-gaussian", 0, 0.3829249],
    ["rounded-gaussian-vector", 0, 0.4362971],
    // (e − 1 + 2δ)/(e + 1) for the δ that is paid for beside ε = 1.
    ["smooth-median", 0, 0.462117 + 0.02 / (Math.E + 1)],
  ])("%s: total variation of at most %d + %d", (id, epsilon, delta) => {
    const point = all.get(id)!.claim.points.find((each) => toDouble(each.epsilon, "up") === epsilon)!;
    expect(toDouble(point.delta, "up")).toBeCloseTo(delta, 5);
  });
});

describe("outputs of no such data", () => {
  test.each<[string, number, 0 | 1, Output]>([
    ["discrete-laplace", 0, 0, [1n, 2n]],
    ["discrete-laplace", 0, 0, [1]],
    ["rounded-gaussian-vector", 0, 0, [1n, 2n]],
    ["rounded-gaussian-vector", 0, 0, [1n, 2n, 1]],
    ["bounded-geometric", 0, 0, [10n]],
    ["bounded-geometric", 0, 0, [-1n]],
    ["histogram", 0, 0, [1n, 2n]],
    ["quantile-tree", 0, 0, [1n, 2n, 3n, 4n, 5n, 6n]],
    ["sparse-vector", 0, 0, [true, true, true]],
    ["sparse-vector", 0, 0, [false, true]],
    ["sparse-vector-numbers", 0, 0, [true, 0n, true]],
    ["thresholdout", 0, 0, ["holdout", 0n]],
    ["private-candidates", 0, 0, []],
    ["private-candidates", 0, 0, [1n, 2n]],
    ["propose-test-release", 0, 0, [1n, 2n]],
    ["keys-laplace-threshold", 0, 0, [true]],
    ["keys-truncated-geometric", 0, 0, [true]],
    ["permute-and-flip", 0, 0, [4]],
    ["top-k", 0, 0, [1, 1]],
    ["top-k", 0, 0, [0]],
    ["decision", 0, 0, [2]],
    ["quantile", 0, 0, [8n]],
    ["private-bounds", 0, 0, [1n, 2n]],
    ["private-bounds", 0, 0, [0n, 0n]],
    ["randomized-response", 0, 0, [4]],
    ["unary-response", 0, 0, [1, 0]],
    ["subset-response", 0, 0, [0, 1, 2, 3]],
  ])("%s, pair %d, side %d: %s", (id, pair, at, output) => {
    expect(sideOf(id, pair, at).canGive!(output)).toBe(false);
  });
  test("a key that nobody has is never shown, and one below the threshold neither", () => {
    const [without, having] = all.get("sparse-histogram")!.pairs[0]!;
    // One unit is behind key 1 in the second data set alone.
    expect([without, having].map(({ canGive }) => canGive!([0, 9n, 1, 9n]))).toEqual([false, true]);
    expect(having.canGive!([0, 9n, 1, 1n])).toBe(false);
    expect([without, having].map(({ canGive }) => canGive!([0, 9n]))).toEqual([true, true]);
    expect([without, having].map(({ canGive }) => canGive!([]))).toEqual([true, true]);
  });
  test("a kept group without units is none, and with one it is one", () => {
    for (const id of ["keys-laplace-threshold", "keys-gaussian-threshold", "keys-truncated-geometric"])
      expect(
        [0, 1].map((at) => sideOf(id, 0, at as 0 | 1).canGive!([true])),
        id,
      ).toEqual([false, true]);
  });
});

test("draws that are alike have one name, whatever their order", () => {
  const { nameOf } = sideOf("rounded-gaussian-vector");
  expect(nameOf([3n, -1n, 2n])).toBe("-1,2,3");
  expect(nameOf([2n, 3n, -1n])).toBe("-1,2,3");
  expect(sideOf("discrete-laplace-vector").nameOf([9n, -9n])).toBe("3,0");
  expect(sideOf("sparse-vector-numbers").nameOf([false, true, 7n, true, -7n])).toBe("false,true,1,true,0");
  expect(sideOf("propose-test-release").nameOf([12n])).toBe("9");
  expect(sideOf("sparse-histogram").nameOf([1, 9n])).toMatch(/^hidden,\d$/);
});

test("a stream of sums is told by the noisy sums of its intervals", () => {
  // Prefix sums 1, 3, 6 and 10: steps 1; 1 and 2; 3; all. In the data sets they lie at 0–1, 0–1, 1 and 2–3.
  const { nameOf } = sideOf("continual-counting");
  expect(nameOf([1n, 0n, 9n, 10n])).toBe("1,0,1,3");
  expect(nameOf([-5n, 8n, 8n, 2n])).toBe("0,1,1,2");
});
