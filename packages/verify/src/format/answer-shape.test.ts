import { describe, expect, it } from "vitest";
import { aggregate, output, post } from "./answer-shape.ts";
import { measurement, sum } from "./measurement-shape.ts";
import { Misshapen, type Read } from "./shape.ts";

const spread = { population: true, squares: "s", sum: "t", count: "n", half: "1", offset: "0", exponent: -3 };
const number = { type: "number", bounds: [0, 9], integer: true, nullable: false, values: null };
const x = { kind: "column", name: "x", domain: number };

/** Members of a certificate that count from a least value on. */
const counted: readonly (readonly [string, Read<unknown>, object, Readonly<Record<string, number>>])[] = [
  [
    "the rows that are shown",
    post,
    { having: null, orderBy: [], limit: 0, offset: 0 },
    { limit: 0, offset: 0 },
  ],
  ["distinct values", sum, { name: "d", kind: "distinct", argument: x, most: 1 }, { most: 1 }],
];

describe("a number of a certificate is from its least value on", () => {
  it.each(counted)("%s", (_, read, least, members) => {
    expect(read(least, "it")).toEqual(least);
    for (const [member, value] of Object.entries(members)) {
      expect(read({ ...least, [member]: value + 1 }, "it")).toHaveProperty(member, value + 1);
      for (const wrong of [value - 1, value + 0.5, `${value}`])
        expect(() => read({ ...least, [member]: wrong }, "it"), member).toThrow(Misshapen);
    }
  });
});

/** Answers, and their members that are names. */
const answers: readonly (readonly [object, readonly string[]])[] = [
  [{ name: "a", kind: "count", count: "n" }, ["name", "count"]],
  [{ name: "a", kind: "sum", sum: "t", exponent: -3 }, ["name", "sum"]],
  [
    { name: "a", kind: "avg", sum: "t", count: "n", mid: "0", half: "1", exponent: 0 },
    ["name", "sum", "count"],
  ],
  [
    {
      name: "a",
      kind: "covariance",
      population: false,
      products: "p",
      sum: "t",
      otherSum: "u",
      count: "n",
      half: "1",
      otherHalf: "1",
      exponent: 0,
    },
    ["name", "products", "sum", "otherSum", "count"],
  ],
  [{ name: "a", kind: "variance", ...spread }, ["name", "squares", "sum", "count"]],
  [{ name: "a", kind: "stddev", ...spread }, ["name", "squares", "sum", "count"]],
  [{ name: "a", kind: "quantile", tree: "t", share: 0.5, standsFor: null }, ["name", "tree"]],
];

describe("a certificate names", () => {
  it.each(answers)("the measurements of %o", (answer, members) => {
    expect(aggregate(answer, "it")).toEqual(answer);
    for (const member of members)
      for (const wrong of [0, null, undefined])
        expect(() => aggregate({ ...answer, [member]: wrong }, "it"), member).toThrow(Misshapen);
  });

  it.each([
    [{ name: "k", kind: "key", key: "ward" }, "key"],
    [{ name: "a", kind: "aggregate", aggregate: "COUNT(*)" }, "aggregate"],
    [{ name: "e", kind: "interval-end", end: "lower", output: "a" }, "output"],
  ])("what a column shows: %o", (column, member) => {
    expect(output(column, "it")).toEqual(column);
    for (const wrong of [0, null, undefined])
      expect(() => output({ ...column, [member]: wrong }, "it")).toThrow(Misshapen);
  });

  it("the sums of a measurement", () => {
    const noise = { mechanism: "discrete-laplace@1", scale: "2" };
    const of = (named: unknown) => ({
      name: "COUNT(*)",
      terms: [{ sum: named, coefficient: "1" }],
      l1: "1",
      l2Squared: "1",
      noise,
    });
    expect(measurement(of("count"), "it")).toEqual(of("count"));
    expect(() => measurement(of(0), "it")).toThrow(Misshapen);
  });
});
