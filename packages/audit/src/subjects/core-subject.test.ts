import { ratio } from "@lethe/core";
import { zero } from "@lethe/core/numeric";
import { expect, test } from "vitest";
import type { NoisePaths } from "../enumerate/enumerate-noise.ts";
import { exactly } from "../verify/hockey-stick.ts";
import { type CoreSubjectOf, coreSubject } from "./core-subject.ts";
import { measuredIntegers } from "./measured-integers.ts";

const event = { kind: "laplace", version: 1, scale: "2", l1: "1" } as const;
const law = (residual = zero): NoisePaths => ({
  masses: new Map([
    ["a", exactly(ratio(1n))],
    ["never", exactly(zero)],
  ]),
  residual,
});
const made = (change: Partial<CoreSubjectOf<number>> = {}) =>
  coreSubject<number>("id", () => ({
    event,
    neighbours: [[0, 1]],
    run: () => ["a"],
    law: () => law(),
    ...change,
  })).subject();

test("a subject claims what its own event costs, under its own name", () => {
  expect(made()).toMatchObject({ id: "id", describes: "laplace", claim: { text: "ε = 0.5" } });
});

test("data give what their law gives mass, or what it may have left over, and canGive does not deny", () => {
  const gives = (of: Partial<CoreSubjectOf<number>>, output: string): boolean =>
    made(of).pairs[0]![0].canGive!([output]);
  expect([gives({}, "a"), gives({}, "never"), gives({}, "unknown")]).toEqual([true, false, false]);
  const open = { law: () => law(ratio(1n, 100n)) };
  expect([gives(open, "a"), gives(open, "never"), gives(open, "unknown")]).toEqual([true, false, true]);
  expect(gives({ canGive: () => false }, "a")).toBe(false);
  expect(gives({ canGive: () => true }, "never")).toBe(false);
  expect(gives({ nameOf: () => "a" }, "called otherwise")).toBe(true);
});

test("a law is made once for each data set", () => {
  const asked: number[] = [];
  const counted = (data: number): NoisePaths => {
    asked.push(data);
    return law();
  };
  const [sides] = made({ law: counted }).pairs;
  for (const side of [...sides!, ...sides!]) side.law!();
  expect(asked).toEqual([0, 1]);
});

test("measured integers give what noise can reach from each of them, and no other number of values", () => {
  const subject = measuredIntegers<readonly bigint[]>("id", () => ({
    event,
    scale: ratio(1n),
    neighbours: [
      [
        [0n, 5n],
        [2n, 5n],
      ],
    ],
    measured: (values) => values,
    run: (values) => values,
  })).subject();
  const [left] = subject.pairs[0]!;
  expect(left.canGive!([-9n, 30n])).toBe(true);
  expect(left.canGive!([0n])).toBe(false);
  // The first lies between 0 and 2 in the two data sets, the second is 5 in both.
  expect(left.nameOf([-9n, 30n])).toBe("0,5");
  expect(left.nameOf([1n, 5n])).toBe("1,5");
  expect([...left.law!().masses.keys()]).toEqual(["0,5", "1,5", "2,5"]);
});
