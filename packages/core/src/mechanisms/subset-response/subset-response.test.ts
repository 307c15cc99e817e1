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
import { randomizedResponseFor } from "../randomized-response/randomized-response.ts";
import { subsetResponse, subsetResponseFor, subsetResponseOf } from "./subset-response.ts";

const supports = (report: readonly number[]) => report;

localContract({
  name: "subset selection of one in three",
  mechanism: subsetResponse({ options: 3, size: 1, own: ratio(3n, 4n) }),
  lowBits: 2,
  words: 2,
  supports,
  p: ratio(3n, 4n),
  q: ratio(1n, 8n),
});
localContract({
  name: "subset selection of two in three",
  mechanism: subsetResponse({ options: 3, size: 2, own: ratio(7n, 8n) }),
  lowBits: 3,
  words: 3,
  supports,
  p: ratio(7n, 8n),
  q: ratio(9n, 16n),
});

describe("subset selection of three in six, own 3/4", () => {
  const mechanism = subsetResponse({ options: 6, size: 3, own: ratio(3n, 4n) });
  it("is told apart by sets with the one option and not the other: 3/4·3/5 against 1/4·3/5", () => {
    expect(mechanism.event).toEqual({
      ...{ kind: "finite-pair", version: 1, of: "subset-response" },
      ...{ p: ["9/20", "2/5", "3/20"], q: ["3/20", "2/5", "9/20"] },
    });
    expect(toDouble(mechanism.epsilon, "up")).toBeCloseTo(Math.log(3), 11);
    expect(mechanism.options).toBe(6);
    expect(mechanism.parameters).toEqual({ mechanism: "subset-response@1", options: 6, size: 3, own: "3/4" });
  });
  it("supports an option that a unit has not with chance 9/20", () => {
    // 100 reports: 45 support an option of nobody, 75 one of everybody.
    const { estimates } = mechanism.aggregateCounts([45, 75, 60, 45, 45, 30], 100);
    for (const [i, due] of [0, 1, 0.5, 0, 0, -0.5].entries()) expect(estimates[i]).toBeCloseTo(due, 12);
  });
  it("reports three options in order, for every value, and takes no other value", () => {
    const bits = new SeededSource(3);
    for (let value = 0; value < 6; value += 1) {
      for (let i = 0; i < 40; i += 1) {
        const report = mechanism.respond(value, bits);
        expect(new Set(report).size).toBe(3);
        expect([...report].sort((a, b) => a - b)).toEqual(report);
        expect(report.every((option) => option >= 0 && option < 6)).toBe(true);
      }
    }
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    for (const value of [-1, 6, 0.5, Number.NaN])
      expect(() => mechanism.respond(value, bits)).toThrow(refusal);
  });
  it("of one in two is told by the option alone", () => {
    expect(subsetResponse({ options: 2, size: 1, own: ratio(2n, 3n) }).event).toMatchObject({
      ...{ p: ["2/3", "1/3"], q: ["1/3", "2/3"] },
    });
  });
});

describe("subsetResponseFor", () => {
  it.each([
    // d/(e^ε + 1), to the nearest, at least 1.
    [16, "1", 4],
    [10, "1/1000", 5],
    [100, "2", 12],
    [10, "5", 1],
    [2, "1", 1],
    [1000, "3", 47],
  ])("of %i options at ε = %s has sets of %i", (options, epsilon, size) => {
    expect(subsetResponseFor({ options, epsilon: parseRational(epsilon) }).parameters.size).toBe(size);
  });

  it.each(
    [2, 3, 16, 1000].flatMap((options) =>
      ["1e-200", "1/10", "1", "5", "60", "1e9"].map((epsilon) => [options, epsilon] as const),
    ),
  )("of %i options never costs more than ε = %s", (options, text) => {
    const epsilon = parseRational(text);
    const { parameters, epsilon: cost } = subsetResponseFor({ options, epsilon });
    const [own, size] = [parseRational(parameters.own), BigInt(parameters.size)];
    expect(compare(cost, max(epsilon, ratio(1n, 1n << 40n)))).toBeLessThanOrEqual(0);
    if (compare(epsilon, ratio(64n)) > 0) return;
    const growth = divide(
      multiply(own, ratio(BigInt(options) - size)),
      multiply(subtract(one, own), ratio(size)),
    );
    expect(compare(growth, expBracket(epsilon, 900).hi)).toBeLessThanOrEqual(0);
    expect(compare(growth, one)).toBe(1);
  });

  it("takes the size near d/(e^ε + 1) and beats randomized response where options are many", () => {
    const [options, epsilon, reports] = [64, ratio(1n), 10_000];
    const subset = subsetResponseFor({ options, epsilon });
    expect(subset.parameters.size).toBe(17);
    const direct = randomizedResponseFor({ options, epsilon });
    const counts = new Array<number>(options).fill(0);
    const [ours, theirs] = [subset, direct].map(
      (mechanism) => mechanism.aggregateCounts(counts, reports).standardErrors[0]!,
    );
    expect(ours).toBeLessThan(theirs! / 2);
  });

  it("is the same on the other side", () => {
    const client = subsetResponseFor({ options: 20, epsilon: ratio(2n) });
    expect(subsetResponseOf(JSON.parse(JSON.stringify(client.parameters))).event).toEqual(client.event);
  });

  it("refuses what has no meaning", () => {
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    for (const size of [0, 3, 1.5, Number.NaN]) {
      expect(() => subsetResponse({ options: 3, size, own: ratio(9n, 10n) })).toThrow(refusal);
    }
    for (const own of ["1/3", "0", "1"]) {
      expect(() => subsetResponse({ options: 3, size: 1, own: parseRational(own) })).toThrow(refusal);
    }
    expect(() => subsetResponseFor({ options: 3, epsilon: ratio(0n) })).toThrow(refusal);
    expect(() => subsetResponseOf({ mechanism: "x", options: 3, size: 1, own: "1/2" } as never)).toThrow(
      refusal,
    );
    const mechanism = subsetResponse({ options: 4, size: 2, own: ratio(3n, 4n) });
    for (const report of [[0], [0, 1, 2], [1, 0], [0, 0], [0, 4]]) {
      expect(() => mechanism.aggregate([report])).toThrow(refusal);
    }
  });
});
