import { describe, expect, it } from "vitest";
import { aggregate, output, post } from "./answer-shape.ts";
import { measurement, sum } from "./measurement-shape.ts";
import { Misshapen, type Read } from "./shape.ts";

const spread = { population: true, squares: 0, sum: 0, count: 0, half: "1", offset: "0", exponent: -3 };
const number = { type: "number", bounds: [0, 9], integer: true, nullable: false, values: null };
const x = { kind: "column", name: "x", domain: number };

/** Members of a certificate that count or point from a least value on. */
const counted: readonly (readonly [string, Read<unknown>, object, Readonly<Record<string, number>>])[] = [
  ["a count", aggregate, { kind: "count", count: 0 }, { count: 0 }],
  ["a sum", aggregate, { kind: "sum", sum: 0, exponent: -3 }, { sum: 0 }],
  [
    "an average",
    aggregate,
    { kind: "avg", sum: 0, count: 0, mid: "0", half: "1", exponent: 0 },
    { sum: 0, count: 0 },
  ],
  [
    "a covariance",
    aggregate,
    {
      kind: "covariance",
      population: false,
      products: 0,
      sum: 0,
      otherSum: 0,
      count: 0,
      half: "1",
      otherHalf: "1",
      exponent: 0,
    },
    { products: 0, sum: 0, otherSum: 0, count: 0 },
  ],
  ["a variance", aggregate, { kind: "variance", ...spread }, { squares: 0, sum: 0, count: 0 }],
  ["a deviation", aggregate, { kind: "stddev", ...spread }, { squares: 0, sum: 0, count: 0 }],
  ["a quantile", aggregate, { kind: "quantile", tree: 0, share: 0.5, standsFor: null }, { tree: 0 }],
  ["a key's column", output, { name: "k", kind: "key", key: 0 }, { key: 0 }],
  ["an aggregate's column", output, { name: "a", kind: "aggregate", aggregate: 0 }, { aggregate: 0 }],
  ["an interval's end", output, { name: "e", kind: "interval-end", end: "lower", output: 0 }, { output: 0 }],
  [
    "the rows that are shown",
    post,
    { having: null, orderBy: [], limit: 0, offset: 0 },
    { limit: 0, offset: 0 },
  ],
  ["distinct values", sum, { kind: "distinct", argument: x, most: 1 }, { most: 1 }],
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

  it("a measurement's terms", () => {
    const noise = { mechanism: "discrete-laplace@1", scale: "2" };
    const of = (column: number) => ({
      id: "m0",
      describes: "COUNT(*)",
      terms: [{ column, coefficient: "1" }],
      l1: "1",
      l2Squared: "1",
      noise,
    });
    expect(measurement(of(0), "it")).toEqual(of(0));
    expect(() => measurement(of(-1), "it")).toThrow(Misshapen);
  });
});
