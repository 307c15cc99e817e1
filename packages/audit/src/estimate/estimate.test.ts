import { ratio } from "@lethe/core";
import { describe, expect, test } from "vitest";
import { subject } from "../subject.ts";
import { pureClaim } from "../verify/claim.ts";
import { estimate } from "./estimate.ts";
import { lowestBit } from "./features.ts";

/** Randomized response with this chance (of 1000) of the truth. */
const coin = (truth: number, claimed: bigint) =>
  subject<number>({
    id: "coin",
    describes: "",
    claim: pureClaim(ratio(claimed, 1000n)),
    neighbours: [[0, 1]],
    run: (value, bits) => [(bits.word() / 2 ** 32) * 1000 < truth ? value : 1 - value],
  });

describe("randomized response of ε = ln 3", () => {
  const options = { seed: 5, samples: 60_000, falseAlarm: 1e-6 };
  test("is not flagged at its ε, and the bound comes within a tenth of it", () => {
    const { broken, worst } = estimate(coin(750, 1099n), options);
    expect(broken).toBe(false);
    expect(worst.epsilon).toBeGreaterThan(0.98);
    expect(worst.epsilon).toBeLessThan(1.0987);
  });
  test("is flagged where a tenth less is claimed, both ways", () => {
    const { broken, all } = estimate(coin(750, 980n), options);
    expect(broken).toBe(true);
    expect(all.map(({ backwards }) => backwards)).toEqual([false, true]);
  });
});

test("a loss in one direction alone is found whichever way the pair is given", () => {
  const rare = (neighbours: [number, number][]) =>
    subject<number>({
      id: "rare",
      describes: "",
      claim: pureClaim(ratio(1n)),
      neighbours,
      run: (value, bits) => [value === 1 && bits.word() < 2 ** 27],
    });
  for (const pair of [
    [0, 1],
    [1, 0],
  ] as [number, number][]) {
    expect(estimate(rare([pair]), { seed: 1, samples: 6000, falseAlarm: 1e-6 }).broken).toBe(true);
  }
});

test("the lowest bit of a double", () => {
  expect([1, 2, 3, 0.5, -12, 2 ** -1074, 1 + 2 ** -52].map(lowestBit)).toEqual([0, 1, 0, -1, 2, -1074, -52]);
  expect([0, Number.POSITIVE_INFINITY, Number.NaN].map(lowestBit)).toEqual([
    Number.NaN,
    Number.NaN,
    Number.NaN,
  ]);
});
