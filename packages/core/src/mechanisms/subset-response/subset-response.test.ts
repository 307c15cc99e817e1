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
} from "../../numeric/rational.ts";
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

describe("subsetResponseFor", () => {
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
