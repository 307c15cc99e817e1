import { parseRational } from "@lethe/core";
import { zero } from "@lethe/core/numeric";
import { describe, expect, test } from "vitest";
import type { NoisePaths } from "../enumerate/enumerate-noise.ts";
import { type Subject, type SubjectOf, subject } from "../subject.ts";
import { pureClaim } from "../verify/claim.ts";
import { exactly } from "../verify/hockey-stick.ts";
import { countImpossible, impossibleMass } from "./impossible.ts";

type Of = Partial<SubjectOf<number>>;
const made = (of: Of): Subject =>
  subject<number>({
    id: "",
    describes: "",
    claim: pureClaim(zero),
    neighbours: [[0, 1]],
    run: (value) => [value],
    ...of,
  });

describe("outputs that a neighbour cannot give", () => {
  test("are counted in both directions", () => {
    const own = made({ canGive: (value, [output]) => output === value });
    expect(countImpossible(own, { seed: 1, samples: 10 })).toEqual({ drawn: 10, impossible: 10 });
    // 0 is possible for both; 1 for its own data alone.
    const above = made({ canGive: (value, [output]) => Number(output) <= value });
    expect(countImpossible(above, { seed: 1, samples: 10 })).toEqual({ drawn: 10, impossible: 5 });
    expect(countImpossible(made({ canGive: () => true }), { seed: 1, samples: 10 })!.impossible).toBe(0);
  });
  test("are drawn as often on each data set of each pair, at least as many in all as are asked for", () => {
    const neighbours: [number, number][] = [
      [0, 1],
      [2, 3],
    ];
    const drawn: number[] = [];
    const counted = made({
      neighbours,
      run(value) {
        drawn.push(value);
        return [value];
      },
      canGive: () => true,
    });
    expect(countImpossible(counted, { seed: 1, samples: 9 })).toEqual({ drawn: 12, impossible: 0 });
    expect(drawn).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
  });
  test("are not counted where a subject cannot tell them", () => {
    expect(countImpossible(made({}), { seed: 1, samples: 10 })).toBe(null);
  });
});

describe("the mass of what a neighbour cannot give", () => {
  const law = (masses: Record<string, string>, residual = "0"): NoisePaths => ({
    masses: new Map(Object.entries(masses).map(([name, mass]) => [name, exactly(parseRational(mass))])),
    residual: parseRational(residual),
  });
  test.each<[string, NoisePaths, NoisePaths, number]>([
    ["both ways, in the mean", law({ a: "1/4", b: "3/4" }), law({ b: "1/2", c: "1/4", d: "1/4" }), 3 / 8],
    ["one way", law({ a: "1/4", b: "3/4" }), law({ b: "1" }), 1 / 8],
    ["of an outcome whose mass is 0", law({ a: "1/4", b: "3/4" }), law({ a: "0", b: "1" }), 1 / 8],
    ["none, where the same is possible", law({ a: "1/4", b: "3/4" }), law({ a: "1/2", b: "1/2" }), 0],
    [
      "none that is certain, where a residual may hold it",
      law({ a: "1/2", b: "1/2" }),
      law({ b: "1/2" }, "1/2"),
      0,
    ],
  ])("is counted %s", (_, left, right, mass) => {
    expect(impossibleMass(made({ law: (value) => [left, right][value]! }))).toBe(mass);
  });
  test("is the mean over all pairs", () => {
    const laws = [law({ a: "1" }), law({ b: "1" }), law({ a: "1" }), law({ a: "1" })];
    const neighbours: [number, number][] = [
      [0, 1],
      [2, 3],
    ];
    expect(impossibleMass(made({ neighbours, law: (value) => laws[value]! }))).toBe(1 / 2);
  });
  test("is 0 where no law is known", () => {
    expect(impossibleMass(made({}))).toBe(0);
  });
});
