import { describe, expect, it } from "vitest";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import { parseRational, type Rational, ratio, toText } from "../../numeric/rational.ts";
import { SeededSource } from "../../tape.ts";
import { exponentialFor } from "../exponential/exponential.ts";
import { permuteAndFlip } from "../permute-and-flip/permute-and-flip.ts";
import { decisionFor } from "./decision.ts";

const table = (rows: readonly (readonly string[])[]): Rational[][] =>
  rows.map((row) => row.map((text) => parseRational(text)));

const tables = {
  "treat or wait": table([
    ["3", "-5/2"],
    ["0", "0"],
  ]),
  "three actions, three outcomes": table([
    ["1", "2", "7"],
    ["0", "5", "-1/3"],
    ["4", "4", "4"],
  ]),
  "one outcome": table([["1"], ["5/2"]]),
};

/** All data sets of n units, as outcome counts. */
function datasets(outcomes: number, n: bigint): bigint[][] {
  if (outcomes === 1) return [[n]];
  const all: bigint[][] = [];
  for (let first = 0n; first <= n; first += 1n) {
    for (const rest of datasets(outcomes - 1, n - first)) all.push([first, ...rest]);
  }
  return all;
}

/** The largest movement of a difference of two actions between neighbours, by trying all data sets of at most 3 units. */
function bruteRange(utilities: readonly (readonly Rational[])[], adjacency: Adjacency): string {
  const score = (action: number, counts: readonly bigint[]): number =>
    counts.reduce((total, count, at) => {
      const { num, den } = utilities[action]![at]!;
      return total + (Number(num) / Number(den)) * Number(count);
    }, 0);
  let range = 0;
  const outcomes = utilities[0]!.length;
  for (const n of [1n, 2n, 3n]) {
    for (const counts of datasets(outcomes, n)) {
      const others = adjacency === "replace-one" ? datasets(outcomes, n) : datasets(outcomes, n - 1n);
      for (const other of others) {
        const distance = counts.reduce((sum, count, at) => sum + Math.abs(Number(count - other[at]!)), 0);
        if (distance > (adjacency === "replace-one" ? 2 : 1)) continue;
        for (const a of utilities.keys()) {
          for (const b of utilities.keys()) {
            const move = score(a, counts) - score(b, counts) - score(a, other) + score(b, other);
            range = Math.max(range, Math.abs(move));
          }
        }
      }
    }
  }
  return range.toFixed(9);
}

describe("a decision by expected utility", () => {
  const adjacencies: Adjacency[] = ["add-or-remove-one", "replace-one"];
  it.each(
    Object.entries(tables).flatMap(([name, utilities]) =>
      adjacencies.map((adjacency) => [name, adjacency, utilities] as const),
    ),
  )("%s, %s: the derived range is met by brute force and never exceeded", (_name, adjacency, utilities) => {
    const { range } = decisionFor({ utilities, adjacency, epsilon: ratio(1n) });
    expect((Number(range.num) / Number(range.den)).toFixed(9)).toBe(bruteRange(utilities, adjacency));
  });

  it("is permute-and-flip, or the exponential mechanism, on total utilities", () => {
    const request = {
      utilities: tables["treat or wait"],
      adjacency: "add-or-remove-one",
      epsilon: ratio(3n),
    } as const;
    const decision = decisionFor(request);
    expect(toText(decision.range)).toBe("3");
    expect(decision.event).toEqual({ kind: "pure", version: 1, epsilon: "3", of: "decision" });
    // In halves: utilities 6, −5 and 0, 0; range 6; rate 1/2.
    const byHand = permuteAndFlip({ rate: ratio(1n, 2n), range: 6n });
    for (let seed = 1; seed <= 100; seed++) {
      expect(decision.choose([5n, 6n], new SeededSource(seed))).toBe(
        byHand.choose([0n, 0n], new SeededSource(seed)),
      );
      expect(decision.choose([1n, 2n], new SeededSource(seed))).toBe(
        byHand.choose([-4n, 0n], new SeededSource(seed)),
      );
    }
    const exponential = decisionFor({ ...request, by: "exponential" });
    expect(exponential.event).toEqual({ kind: "bounded-range", version: 1, epsilon: "3", of: "decision" });
    const same = exponentialFor({ epsilon: ratio(3n), sensitivity: 3n });
    expect(same.parameters.rate).toBe("1/2");
    for (let seed = 1; seed <= 50; seed++) {
      expect(exponential.choose([1n, 2n], new SeededSource(seed))).toBe(
        same.choose([-4n, 0n], new SeededSource(seed)),
      );
    }
  });

  it("chooses the action of the largest expected utility where units are many", () => {
    const decision = decisionFor({
      utilities: tables["three actions, three outcomes"],
      adjacency: "replace-one",
      epsilon: ratio(1n),
    });
    const bits = new SeededSource(5);
    expect(decision.choose([0n, 0n, 10_000n], bits)).toBe(0);
    expect(decision.choose([0n, 10_000n, 0n], bits)).toBe(1);
    expect(decision.choose([10_000n, 0n, 0n], bits)).toBe(2);
  });

  it("costs nothing where no unit can move it, and then takes the best", () => {
    const shifted = decisionFor({
      utilities: table([
        ["1", "2"],
        ["3", "4"],
      ]),
      adjacency: "replace-one",
      epsilon: ratio(1n),
    });
    expect(shifted.event).toEqual({ kind: "constant", version: 1 });
    expect(toText(shifted.epsilon)).toBe("0");
    expect(shifted.choose([3n, 1n], new SeededSource(1))).toBe(1);
    // The number of units is not public where one may be added.
    const counted = decisionFor({
      utilities: table([
        ["1", "2"],
        ["3", "4"],
      ]),
      adjacency: "add-or-remove-one",
      epsilon: ratio(1n),
    });
    expect(toText(counted.range)).toBe("2");
  });

  it("refuses what has no meaning", () => {
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    const request = { utilities: table([["1", "2"]]), adjacency: "replace-one", epsilon: ratio(1n) } as const;
    for (const utilities of [[], [[]], table([["1", "2"], ["1"]])]) {
      expect(() => decisionFor({ ...request, utilities })).toThrow(refusal);
    }
    expect(() => decisionFor({ ...request, epsilon: ratio(0n) })).toThrow(refusal);
    expect(() => decisionFor({ ...request, adjacency: "row" as Adjacency })).toThrow(refusal);
    expect(() => decisionFor({ ...request, by: "best" as "exponential" })).toThrow(refusal);
    const decision = decisionFor({ ...request, utilities: tables["treat or wait"] });
    for (const counts of [[1n], [1n, -1n], [1, 2], [1n, Number.NaN]]) {
      expect(() => decision.choose(counts as bigint[], new SeededSource(1))).toThrow(refusal);
    }
  });
});
