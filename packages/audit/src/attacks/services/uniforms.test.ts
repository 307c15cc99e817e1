import { expect, test } from "vitest";
import { uniforms } from "./uniforms.ts";

const drawn = (seed: number, count: number): number[] => {
  const uniform = uniforms(seed);
  return Array.from({ length: count }, () => uniform());
};

test("an attacker's coins lie in (0, 1) and have 53 bits, each set in half of them", () => {
  const all = drawn(1, 2_000);
  for (const x of all) {
    expect(x > 0 && x < 1).toBe(true);
    expect(Number.isInteger(x * 2 ** 53)).toBe(true);
  }
  for (let bit = 1; bit <= 53; bit += 1) {
    const set = all.filter((x) => Math.floor(x * 2 ** bit) % 2 === 1).length;
    // Seven standard deviations of 22: of 53 bits one is beyond with chance 2e-10.
    expect(Math.abs(set - 1_000), `bit ${bit}`).toBeLessThan(157);
  }
});

test("an attacker's coins are the same in every run of a seed, and others of another", () => {
  expect(drawn(7, 20)).toEqual(drawn(7, 20));
  expect(drawn(7, 20)).not.toEqual(drawn(8, 20));
});
