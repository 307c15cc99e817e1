import { describe, expect, it } from "vitest";
import { parseRational, ratio } from "../numeric/rational.ts";
import { decimalText } from "./decimal-text.ts";
import {
  between,
  checkWeights,
  fraction,
  integer,
  list,
  nameOf,
  notNegative,
  only,
  part,
  positive,
  probabilities,
  record,
} from "./event-fields.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const tiny = "1e-300";

describe("a number of an event", () => {
  it.each([
    ["positive", positive, ["1", tiny, "2/3"], ["0", "-1", `-${tiny}`]],
    ["notNegative", notNegative, ["0", tiny, "7"], ["-1", `-${tiny}`]],
    ["fraction", fraction, ["0", "1", "1/2"], [`-${tiny}`, "1.0000000001", "2"]],
    ["between", between, [tiny, "0.9999999999"], ["0", "1", "-1", "2"]],
    ["integer", (fields: never, name: string) => integer(fields, name, 2n), ["2", "3"], ["1", "5/2", "-2"]],
  ] as const)(
    "%s takes both ends of its domain, as a text, and nothing beyond",
    (_, read, taken, refused) => {
      for (const text of taken)
        expect(parseRational(read({ x: text } as never, "x"))).toEqual(parseRational(text));
      for (const text of [...refused, "", "x", 1, null, undefined, ["1"]])
        expect(() => read({ x: text } as never, "x"), String(text)).toThrow(invalid);
    },
  );

  it("that is a part is an integer from 1 to the whole", () => {
    expect(part({ x: "3", n: "3" }, "x", "n")).toBe("3");
    expect(part({ x: "1", n: "3" }, "x", "n")).toBe("1");
    for (const [x, n] of [
      ["4", "3"],
      ["0", "3"],
      ["1", "0"],
      ["1/2", "3"],
    ])
      expect(() => part({ x, n }, "x", "n"), `${x} of ${n}`).toThrow(invalid);
  });

  it("that was a double is written as the shortest decimal, where it is finite", () => {
    expect([0.1, 1e300, -2, 5e-324].map((x) => decimalText(x))).toEqual(["0.1", "1e+300", "-2", "5e-324"]);
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(() => decimalText(x)).toThrow(invalid);
  });
});

describe("what holds numbers", () => {
  it("is an object of known fields", () => {
    expect(record({ a: 1 }, "event")).toEqual({ a: 1 });
    for (const json of [null, [], "a", 1, undefined]) expect(() => record(json, "event")).toThrow(invalid);
    expect(() => only({ a: 1 }, ["a", "b"], "event")).not.toThrow();
    expect(() => only({}, [], "event")).not.toThrow();
    expect(() => only({ a: 1, c: 2 }, ["a", "b"], "event")).toThrow(invalid);
  });

  it("is a list of 1 to 10,000 entries", () => {
    expect(list([1], "x")).toEqual([1]);
    expect(list(Array(10_000).fill(0), "x")).toHaveLength(10_000);
    for (const json of [[], Array(10_001).fill(0), {}, "a", null])
      expect(() => list(json, "x")).toThrow(invalid);
  });

  it("may name its mechanism in 1 to 40 letters, digits and hyphens", () => {
    expect(nameOf({})).toEqual({});
    for (const of of ["a", "z-9", "a".repeat(40)]) expect(nameOf({ of })).toEqual({ of });
    for (const of of ["", "a".repeat(41), "A", "a b", "a_b", "a\n", 1, null])
      expect(() => nameOf({ of }), String(of)).toThrow(invalid);
  });
});

describe("weights", () => {
  it("sum to 1 exactly, none below 0", () => {
    expect(probabilities({ p: ["1/2", "0", "0.5"] }, "p")).toEqual(["1/2", "0", "1/2"]);
    expect(probabilities({ p: ["1"] }, "p")).toEqual(["1"]);
    for (const p of [["1/2"], ["1/2", "1/2", tiny], ["3/2", "-1/2"], [], ["x"], [1]])
      expect(() => probabilities({ p }, "p"), String(p)).toThrow(invalid);
  });

  it("have a common denominator of at most 2^8192", () => {
    const fine = 1n << 8192n;
    expect(() => checkWeights([ratio(1n, fine), ratio(fine - 1n, fine)], "p")).not.toThrow();
    const more = fine + 1n;
    expect(() => checkWeights([ratio(1n, more), ratio(more - 1n, more)], "p")).toThrow(/common denominator/);
  });
});
