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

describe("unaryResponseFor", () => {
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
