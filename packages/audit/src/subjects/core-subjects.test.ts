import { ratio, toDouble } from "@lethe/core";
import { SeededSource } from "@lethe/core/tape";
import { describe, expect, test } from "vitest";
import { binomialAtLeast } from "../estimate/binomial-tail.ts";
import { estimate } from "../estimate/estimate.ts";
import { countImpossible, impossibleMass } from "../estimate/impossible.ts";
import type { Side } from "../subject.ts";
import { discreteLaplaceMass } from "../verify/masses.ts";
import { verifySubject } from "../verify-subject.ts";
import { coreSubjects } from "./registry.ts";

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

describe.each(coreSubjects)("$id", ({ id, subject }) => {
  const made = subject();
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
