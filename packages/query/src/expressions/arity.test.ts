import { describe, expect, it } from "vitest";
import { operands, operandsOf } from "./arity.ts";
import { applyOperator, resultDomain } from "./operators/apply-operator.ts";
import { numberDomain } from "./operators/domains.ts";

const wrong = expect.objectContaining({ code: "internal.invariant" });

describe("operands", () => {
  it.each([
    ["one", [1]],
    ["two", [2]],
    ["three", [3]],
    ["four", [4]],
    ["one or two", [1, 2]],
    ["two or three", [2, 3]],
    ["some", [1, 2, 5, 100]],
  ] as const)("%s: %j", (arity, counts) => {
    for (let count = 0; count <= 5; count += 1) {
      const given = Array.from({ length: count }, (_, at) => at);
      if (counts.some((due) => due === count) || (arity === "some" && count > 0))
        expect(operands(arity, given)).toBe(given);
      else expect(() => operands(arity, given)).toThrow(wrong);
    }
  });

  it("are counted before an operator sees them", () => {
    expect(operandsOf("+", [1, 2])).toEqual([1, 2]);
    expect(() => applyOperator("+", [1])).toThrow(wrong);
    expect(() => applyOperator("not", [true, false])).toThrow(wrong);
    expect(() => applyOperator("and", [])).toThrow(wrong);
    expect(() => resultDomain("power", [numberDomain([0, 1], true, false)])).toThrow(wrong);
  });
});

describe("operators on times", () => {
  it("are not applied to values without their types", () => {
    expect(() => applyOperator("extract", [0, "year"])).toThrow(wrong);
    expect(applyOperator("extract", [null, "year"])).toBe(null);
  });
});
