import { describe, expect, it } from "vitest";
import { aggregate, output, post } from "./answer-shape.ts";
import { measurement, sum } from "./measurement-shape.ts";
import { Misshapen, type Read } from "./shape.ts";

const spread = { population: true, squares: "s", sum: "t", count: "n", half: "1", offset: "0", exponent: -3 };
const number = { type: "number", bounds: [0, 9], integer: true, nullable: false, values: null };
const x = { kind: "column", name: "x", domain: number };

/** Members of a certificate that count or point from a least value on. */
const counted: readonly (readonly [string, Read<unknown>, object, Readonly<Record<string, number>>])[] = [
  ["a key's column", output, { name: "k", kind: "key", key: 0 }, { key: 0 }],
  ["an aggregate's column", output, { name: "a", kind: "aggregate", aggregate: 0 }, { aggregate: 0 }],
  ["an interval's end", output, { name: "e", kind: "interval-end", end: "lower", output: 0 }, { output: 0 }],
  [
    "the rows that are shown",
    post,
    { having: null, orderBy: [], limit: 0, offset: 0 },
    { limit: 0, offset: 0 },
  ],
  ["distinct values", sum, { name: "d", kind: "distinct", argument: x, most: 1 }, { most: 1 }],
];

describe("a place or a number of a certificate is from its least value on", () => {
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
  [{ kind: "count", count: "n" }, ["count"]],
  [{ kind: "sum", sum: "t", exponent: -3 }, ["sum"]],
  [{ kind: "avg", sum: "t", count: "n", mid: "0", half: "1", exponent: 0 }, ["sum", "count"]],
  [
    {
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
    ["products", "sum", "otherSum", "count"],
  ],
  [{ kind: "variance", ...spread }, ["squares", "sum", "count"]],
  [{ kind: "stddev", ...spread }, ["squares", "sum", "count"]],
  [{ kind: "quantile", tree: "t", share: 0.5, standsFor: null }, ["tree"]],
];

describe("a certificate names", () => {
  it.each(answers)("the measurements of %o", (answer, members) => {
    expect(aggregate(answer, "it")).toEqual(answer);
    for (const member of members)
      for (const wrong of [0, null, undefined])
        expect(() => aggregate({ ...answer, [member]: wrong }, "it"), member).toThrow(Misshapen);
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
