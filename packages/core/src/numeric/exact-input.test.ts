import { describe, expect, it } from "vitest";
import { integerOf, type RationalInput, rationalOf } from "./exact-input.ts";
import { ratio } from "./rational.ts";

const refusal = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });

describe("rationalOf", () => {
  it.each<[RationalInput, bigint, bigint]>([
    [0.1, 1n, 10n],
    [-2.5, -5n, 2n],
    [1e-7, 1n, 10_000_000n],
    [1e21, 10n ** 21n, 1n],
    [5e-324, 5n, 10n ** 324n],
    [-0, 0n, 1n],
    ["0.30", 3n, 10n],
    ["1/3", 1n, 3n],
    [7n, 7n, 1n],
    [ratio(2n, 6n), 1n, 3n],
    [{ num: 4n, den: 12n }, 1n, 3n],
  ])("takes %s exactly as written", (input, num, den) => {
    expect(rationalOf(input, "epsilon")).toEqual(ratio(num, den));
  });
  it.each([
    ...[Number.NaN, Number.POSITIVE_INFINITY, "", "a lot", "0,5", null, undefined, true, {}],
    ...[
      { num: 1n, den: 0n },
      { num: -1n, den: -2n },
      { num: 1n, den: -2n },
    ],
  ])("refuses %s", (input) => {
    expect(() => rationalOf(input as number, "epsilon")).toThrow(refusal("epsilon"));
  });
});

describe("integerOf", () => {
  it.each([3, 3n, "3", "3.0", "6/2"])("reads %s", (input) => {
    expect(integerOf(input, "l1")).toBe(3n);
  });
  it.each([0.5, "1/2", 2 ** 60, Number.NaN, null])("refuses %s", (input) => {
    expect(() => integerOf(input as number, "l1")).toThrow(refusal("l1"));
  });
  it("takes a bigint of any size", () => {
    expect(integerOf(10n ** 40n, "l1")).toBe(10n ** 40n);
  });
});
