import { describe, expect, it } from "vitest";
import { localContract } from "../../../../../testing/src/contracts/local-contract.ts";
import { expBracket } from "../../numeric/bracket.ts";
import {
  compare,
  divide,
  max,
  multiply,
  one,
  parseRational,
  ratio,
  subtract,
  toDouble,
} from "../../numeric/rational.ts";
import { SeededSource } from "../../tape.ts";
import { unaryResponse, unaryResponseFor, unaryResponseOf } from "./unary-response.ts";

const supports = (report: readonly number[]) => report;

localContract({
  name: "symmetric unary response of three options",
  mechanism: unaryResponse({ options: 3, own: ratio(3n, 4n), other: ratio(1n, 4n) }),
  lowBits: 4,
  words: 3,
  supports,
  p: ratio(3n, 4n),
  q: ratio(1n, 4n),
});
localContract({
  name: "optimized unary response of three options",
  mechanism: unaryResponse({ options: 3, own: ratio(1n, 2n), other: ratio(1n, 8n) }),
  lowBits: 4,
  words: 3,
  supports,
  p: ratio(1n, 2n),
  q: ratio(1n, 8n),
});

describe("unary response, own 3/4, other 1/8", () => {
  const mechanism = unaryResponse({ options: 4, own: ratio(3n, 4n), other: ratio(1n, 8n) });
  it("is told apart by two bits: 3/4·7/8 kept against 1/4·1/8 turned", () => {
    expect(mechanism.event).toEqual({
      ...{ kind: "finite-pair", version: 1, of: "unary-response" },
      ...{ p: ["21/32", "5/16", "1/32"], q: ["1/32", "5/16", "21/32"] },
    });
    expect(toDouble(mechanism.epsilon, "up")).toBeCloseTo(Math.log(21), 11);
    expect(mechanism.options).toBe(4);
    expect(mechanism.parameters).toEqual({
      ...{ mechanism: "unary-response@1", options: 4, own: "3/4", other: "1/8" },
    });
  });
  it("has shares of (count − n/8)/(5n/8), counted from its reports", () => {
    const { estimates, reports } = mechanism.aggregate([[0, 2], [0], [], [0, 1, 2, 3], [0], [0], [0], [0]]);
    expect(reports).toBe(8);
    for (const [i, count] of [7, 1, 2, 1].entries()) expect(estimates[i]).toBeCloseTo((count - 1) / 5, 12);
  });
  it("takes one of its options as a value", () => {
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    for (const value of [-1, 4, 0.5, Number.NaN])
      expect(() => mechanism.respond(value, new SeededSource(1))).toThrow(refusal);
  });
});

describe("unaryResponseFor", () => {
  it("is optimized unless stated, where the own bit is a fair coin, and symmetric chances add up to 1", () => {
    const epsilon = ratio(2n);
    const plain = unaryResponseFor({ options: 4, epsilon });
    expect(plain.parameters).toEqual(unaryResponseFor({ options: 4, epsilon, form: "optimized" }).parameters);
    expect(plain.parameters.own).toBe("1/2");
    expect(toDouble(parseRational(plain.parameters.other), "up")).toBeCloseTo(1 / (Math.exp(2) + 1), 11);
    const { own, other } = unaryResponseFor({ options: 4, epsilon, form: "symmetric" }).parameters;
    expect(subtract(one, parseRational(own))).toEqual(parseRational(other));
    expect(toDouble(parseRational(other), "up")).toBeCloseTo(1 / (Math.E + 1), 11);
  });

  it.each(
    (["symmetric", "optimized"] as const).flatMap((form) =>
      ["1e-200", "1e-7", "1/2", "1", "6", "40", "1e9"].map((epsilon) => [form, epsilon] as const),
    ),
  )("%s: never costs more than ε = %s", (form, text) => {
    const epsilon = parseRational(text);
    const { parameters, epsilon: cost } = unaryResponseFor({ options: 4, epsilon, form });
    const [own, other] = [parseRational(parameters.own), parseRational(parameters.other)];
    expect(compare(cost, max(epsilon, ratio(1n, 1n << 40n)))).toBeLessThanOrEqual(0);
    if (compare(epsilon, ratio(64n)) > 0) return;
    const growth = divide(multiply(own, subtract(one, other)), multiply(subtract(one, own), other));
    expect(compare(growth, expBracket(epsilon, 900).hi)).toBeLessThanOrEqual(0);
    expect(compare(growth, one)).toBe(1);
    if (text === "1") expect(toDouble(growth, "down")).toBeCloseTo(Math.E, 9);
  });

  it("optimized has the smaller variance where options are many (Wang et al. 2017, Table 1)", () => {
    const reports = 10_000;
    const rare = (form: "symmetric" | "optimized") => {
      const mechanism = unaryResponseFor({ options: 2, epsilon: ratio(2n), form });
      const q = toDouble(parseRational(mechanism.parameters.other), "down");
      return mechanism.aggregateCounts([0, Math.round(reports * q)], reports).standardErrors[1]!;
    };
    // 4e^ε/(e^ε − 1)² against e^{ε/2}/(e^{ε/2} − 1)², over n.
    expect(rare("optimized") ** 2 * reports).toBeCloseTo((4 * Math.exp(2)) / Math.expm1(2) ** 2, 2);
    expect(rare("symmetric") ** 2 * reports).toBeCloseTo(Math.E / Math.expm1(1) ** 2, 2);
    expect(rare("optimized")).toBeLessThan(rare("symmetric"));
  });

  it("is the same on the other side", () => {
    const client = unaryResponseFor({ options: 7, epsilon: ratio(2n) });
    expect(unaryResponseOf(JSON.parse(JSON.stringify(client.parameters))).event).toEqual(client.event);
  });

  it("refuses what has no meaning", () => {
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    for (const [own, other] of [
      ["1/2", "1/2"],
      ["1/4", "1/2"],
      ["1", "1/4"],
      ["1/2", "0"],
    ] as const) {
      const make = () => unaryResponse({ options: 3, own: parseRational(own), other: parseRational(other) });
      expect(make).toThrow(refusal);
    }
    expect(() => unaryResponseFor({ options: 3, epsilon: ratio(0n) })).toThrow(refusal);
    expect(() => unaryResponseFor({ options: 3, epsilon: ratio(1n), form: "best" as "optimized" })).toThrow(
      refusal,
    );
    expect(() => unaryResponseOf({ mechanism: "x", options: 3, own: "1/2", other: "1/4" } as never)).toThrow(
      refusal,
    );
    const mechanism = unaryResponseFor({ options: 3, epsilon: ratio(1n) });
    for (const report of [[3], [1, 0], [0, 0], [0.5], "01", null]) {
      expect(() => mechanism.aggregate([[0], report as number[]])).toThrow(refusal);
    }
    expect(mechanism.aggregate([[], [0, 1, 2]]).reports).toBe(2);
  });
});
