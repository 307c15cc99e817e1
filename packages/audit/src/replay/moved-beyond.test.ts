import { describe, expect, test } from "vitest";
import { movedBeyond } from "./moved-beyond.ts";
import type { Limits, MechanismCall } from "./recorded-call.ts";

const beyond = (limits: Limits, inputs: readonly bigint[], other: readonly bigint[]): string[] =>
  movedBeyond({ limits, inputs } as unknown as MechanismCall, other);

describe("inputs that move", () => {
  // By 2, −3, 0 and 1.
  const sides = [
    [5n, 5n, 5n, 5n],
    [7n, 2n, 5n, 6n],
  ] as const;
  test("as far as is declared, are as they should be", () => {
    expect(beyond({ l1: 6n, l2Squared: 14n, max: 3n, range: 5n }, ...sides)).toEqual([]);
    expect(beyond({ l1: 6n, l2Squared: 14n, max: 3n, range: 5n }, sides[1], sides[0])).toEqual([]);
    expect(beyond({}, ...sides)).toEqual([]);
  });
  test("farther are told by each distance", () => {
    expect(beyond({ l1: 5n, l2Squared: 13n, max: 2n, range: 4n }, ...sides)).toEqual([
      "ℓ1 6 > 5",
      "ℓ2² 14 > 13",
      "the most that one input moves 3 > 2",
      "the most that a difference of inputs moves 5 > 4",
    ]);
    expect(beyond({ max: 2n }, sides[1], sides[0])).toEqual(["the most that one input moves 3 > 2"]);
    expect(beyond({ l1: 0n }, [1n], [1n])).toEqual([]);
    expect(beyond({ l1: 0n }, [1n], [0n])).toEqual(["ℓ1 1 > 0"]);
  });
  test("all one way differ from each other by less", () => {
    expect(beyond({ max: 3n, range: 2n }, [0n, 0n], [3n, 1n])).toEqual([]);
    expect(beyond({ range: 1n }, [0n, 0n, 0n], [-3n, -1n, -2n])).toEqual([
      "the most that a difference of inputs moves 2 > 1",
    ]);
    expect(beyond({ max: 0n, range: 0n }, [4n], [9n])).toEqual(["the most that one input moves 5 > 0"]);
    expect(beyond({ range: 0n }, [4n], [9n])).toEqual([]);
  });
  test("must be as many", () => {
    expect(beyond({ l1: 9n }, [1n, 2n], [1n, 2n, 3n])).toEqual(["3 inputs in place of 2"]);
    expect(beyond({ l1: 0n, range: 0n }, [], [])).toEqual([]);
  });
});

describe("rows in no order", () => {
  const added = (most: bigint): Limits => ({ rows: { most, adjacency: "add-or-remove-one" } });
  const replaced = (most: bigint): Limits => ({ rows: { most, adjacency: "replace-one" } });
  test("that come and go count each", () => {
    expect(beyond(added(0n), [1n, 2n, 2n], [2n, 1n, 2n])).toEqual([]);
    expect(beyond(added(1n), [1n, 2n], [2n, 1n, 2n])).toEqual([]);
    expect(beyond(added(1n), [2n, 1n, 2n], [1n, 2n])).toEqual([]);
    expect(beyond(added(1n), [1n, 2n], [1n, 3n])).toEqual(["rows that differ 2 > 1"]);
    expect(beyond(added(2n), [], [7n, 7n, 7n])).toEqual(["rows that differ 3 > 2"]);
    expect(beyond(added(2n), [7n, 7n, 7n], [])).toEqual(["rows that differ 3 > 2"]);
  });
  test("that are replaced count once, and their number stays", () => {
    expect(beyond(replaced(1n), [1n, 2n], [3n, 1n])).toEqual([]);
    expect(beyond(replaced(1n), [1n, 2n], [3n, 4n])).toEqual(["rows that differ 2 > 1"]);
    expect(beyond(replaced(9n), [1n, 2n], [1n, 2n, 2n])).toEqual(["3 rows in place of 2"]);
  });
});
