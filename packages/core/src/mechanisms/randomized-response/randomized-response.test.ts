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
import { randomizedResponse, randomizedResponseFor, randomizedResponseOf } from "./randomized-response.ts";

const supports = (report: number) => [report];

localContract({
  name: "randomized response of two options, truth 3/4",
  mechanism: randomizedResponse({ options: 2, truth: ratio(3n, 4n) }),
  lowBits: 2,
  words: 2,
  supports,
  p: ratio(3n, 4n),
  q: ratio(1n, 4n),
});
localContract({
  name: "randomized response of five options, truth 3/8",
  mechanism: randomizedResponse({ options: 5, truth: ratio(3n, 8n) }),
  lowBits: 3,
  words: 2,
  supports,
  p: ratio(3n, 8n),
  q: ratio(5n, 32n),
});

describe("randomized response", () => {
  it("says yes with chance 1/4 + θ/2 at truth 3/4, at ε = ln 3 (D)", () => {
    const { event, epsilon } = randomizedResponse({ options: 2, truth: ratio(3n, 4n) });
    expect(event).toEqual({
      kind: "finite-pair",
      version: 1,
      p: ["3/4", "1/4"],
      q: ["1/4", "3/4"],
      of: "randomized-response",
    });
    expect(toDouble(epsilon, "up")).toBeCloseTo(Math.log(3), 11);
    expect(toDouble(epsilon, "up")).toBeGreaterThan(Math.log(3));
  });

  it.each(
    [2, 3, 10, 1000, 2 ** 24].flatMap((options) =>
      ["1e-300", "1e-9", "1/3", "1", "8", "50", "1e9"].map((epsilon) => [options, epsilon] as const),
    ),
  )("of %i options never costs more than ε = %s, nor needlessly less", (options, text) => {
    const epsilon = parseRational(text);
    const mechanism = randomizedResponseFor({ options, epsilon });
    const truth = parseRational(mechanism.parameters.truth);
    const growth = divide(multiply(truth, ratio(BigInt(options - 1))), subtract(one, truth));
    expect(compare(growth, one)).toBe(1);
    expect(compare(mechanism.epsilon, max(epsilon, ratio(1n, 1n << 40n)))).toBeLessThanOrEqual(0);
    if (compare(epsilon, ratio(64n)) > 0) return;
    expect(compare(growth, expBracket(epsilon, 1200).hi)).toBeLessThanOrEqual(0);
    // Two more steps of 2^−40 would cost more than ε.
    const step = ratio(1n, truth.den > 1n << 40n ? truth.den : 1n << 40n);
    const more = subtract(truth, multiply(ratio(-2n), step));
    if (compare(more, one) >= 0) return;
    const dearer = divide(multiply(more, ratio(BigInt(options - 1))), subtract(one, more));
    expect(compare(dearer, expBracket(epsilon, 1200).lo)).toBe(1);
  });

  it("of five options is told apart by the true one, the other and the three that neither has", () => {
    const mechanism = randomizedResponse({ options: 5, truth: ratio(3n, 8n) });
    expect(mechanism.event).toMatchObject({
      ...{ p: ["3/8", "15/32", "5/32"], q: ["5/32", "15/32", "3/8"] },
    });
    expect(toDouble(mechanism.epsilon, "up")).toBeCloseTo(Math.log(12 / 5), 11);
    expect(mechanism.parameters).toEqual({ mechanism: "randomized-response@1", options: 5, truth: "3/8" });
    // 32 reports: an option of nobody has 5 on average, one of everybody 12.
    const { estimates } = mechanism.aggregateCounts([5, 12, 5, 5, 5], 32);
    for (const [i, due] of [0, 1, 0, 0, 0].entries()) expect(estimates[i]).toBeCloseTo(due, 12);
    expect(mechanism.aggregate([0, 1, 1, 4]).estimates[1]).toBeCloseTo(
      (2 - 4 * (5 / 32)) / (4 * (7 / 32)),
      12,
    );
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    for (const value of [-1, 5, 0.5, Number.NaN])
      expect(() => mechanism.respond(value, new SeededSource(1))).toThrow(refusal);
  });

  it("is the same on the other side", () => {
    const client = randomizedResponseFor({ options: 7, epsilon: ratio(2n) });
    const server = randomizedResponseOf(JSON.parse(JSON.stringify(client.parameters)));
    expect(server.event).toEqual(client.event);
  });

  it.each([
    [1, "3/4"],
    [2, "1/2"],
    [2, "1"],
    [2.5, "3/4"],
    [Number.NaN, "3/4"],
    [4, "1/4"],
    [2 ** 25, "1/2"],
  ])("refuses %s options with truth %s", (options, truth) => {
    expect(() => randomizedResponse({ options, truth: parseRational(truth) })).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });

  it("refuses ε ≤ 0, other mechanisms' parameters and reports that it cannot have made", () => {
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    for (const epsilon of ["0", "-1"]) {
      expect(() => randomizedResponseFor({ options: 2, epsilon: parseRational(epsilon) })).toThrow(refusal);
    }
    const parameters = { mechanism: "unary-response@1", options: 2, truth: "3/4" };
    expect(() => randomizedResponseOf(parameters as never)).toThrow(refusal);
    const mechanism = randomizedResponse({ options: 2, truth: ratio(3n, 4n) });
    for (const report of [2, -1, 0.5, "1"])
      expect(() => mechanism.aggregate([0, report as number])).toThrow(refusal);
  });
});
