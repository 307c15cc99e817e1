import { describe, expect, it } from "vitest";
import { pureEitherWay } from "../../../../../testing/src/contracts/pure-forms.ts";
import {
  exponentialLaw,
  neighbouringScores,
  powerOf,
} from "../../../../../testing/src/contracts/selection-laws.ts";
import {
  compare,
  divide,
  multiply,
  parseRational,
  type Rational,
  ratio,
  toDouble,
  toText,
} from "../../numeric/rational.ts";
import { BitTape, RecordingSource, SeededSource } from "../../tape.ts";
import { topKFor } from "./top-k.ts";

/** The law of the first two in order, with `decay` for e^−rate. */
function firstTwoLaw(scores: readonly bigint[], decay: Rational): Map<string, Rational> {
  const law = new Map<string, Rational>();
  const first = exponentialLaw(scores, decay);
  for (const i of scores.keys()) {
    const left = [...scores.keys()].filter((at) => at !== i);
    const second = exponentialLaw(
      left.map((at) => scores[at]!),
      decay,
    );
    for (const [at, j] of left.entries()) law.set(`${i},${j}`, multiply(first[i]!, second[at]!));
  }
  return law;
}

describe("top-k", () => {
  it.each([
    [false, 2n],
    [true, 1n],
  ])(
    "two of three in order are pure at e^(2·rate·range), by all three forms; monotone %s",
    (monotone, range) => {
      const growth = powerOf(ratio(2n), 2n * range);
      let worst = ratio(1n);
      for (const [a, b] of neighbouringScores(3, 2, monotone)) {
        const [p, q] = [firstTwoLaw(a, ratio(1n, 2n)), firstTwoLaw(b, ratio(1n, 2n))];
        expect(pureEitherWay([...p.values()], [...q.values()], growth)).toBe(true);
        for (const [pair, mass] of p) {
          const factor = divide(mass, q.get(pair)!);
          if (compare(factor, worst) > 0) worst = factor;
        }
      }
      // A claim of the price of one choice would be refuted.
      expect(compare(worst, powerOf(ratio(2n), range))).toBe(1);
    },
  );

  it("draws that law, each pair within 6.5 deviations (false alarm 1e-9)", () => {
    const mechanism = topKFor({ k: 2, budget: { epsilon: ratio(2n) }, sensitivity: 1n, monotone: true });
    expect(mechanism.each.parameters.rate).toBe("1");
    const scores = [0n, 2n, 1n, 1n];
    const [bits, n] = [new SeededSource(8), 40_000];
    const counts = new Map<string, number>();
    for (let i = 0; i < n; i++) {
      const pair = mechanism.choose(scores, bits).join();
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    const decay = parseRational("0.36787944117144233");
    let off = 0;
    for (const [pair, mass] of firstTwoLaw(scores, decay)) {
      const p = toDouble(mass, "down");
      expect(Math.abs((counts.get(pair) ?? 0) - n * p)).toBeLessThan(6.5 * Math.sqrt(n * p * (1 - p)));
    }
    // A rate that is 15 % off would be seen.
    for (const [pair, mass] of firstTwoLaw(scores, parseRational("0.4274"))) {
      const p = toDouble(mass, "down");
      off = Math.max(off, Math.abs((counts.get(pair) ?? 0) - n * p) / Math.sqrt(n * p * (1 - p)));
    }
    expect(off).toBeGreaterThan(6.5);
  });

  it("is k choices of the exponential mechanism, on the same coins", () => {
    const mechanism = topKFor({ k: 3, budget: { epsilon: ratio(1n) }, sensitivity: 1n });
    const scores = [4n, 8n, 1n, 0n, 7n];
    for (let seed = 1; seed <= 50; seed++) {
      const recorded = new RecordingSource(new SeededSource(seed));
      const chosen = mechanism.choose(scores, recorded);
      const tape = new BitTape(recorded.words);
      const left = [...scores.keys()];
      const peeled = [1, 2, 3].map(
        () =>
          left.splice(
            mechanism.each.choose(
              left.map((at) => scores[at]!),
              tape,
            ),
            1,
          )[0],
      );
      expect(chosen).toEqual(peeled);
      expect(tape.read).toBe(recorded.words.length);
    }
  });

  it("orders by score where the noise cannot turn it; k may be all", () => {
    const mechanism = topKFor({ k: 4, budget: { epsilon: ratio(1n) }, sensitivity: 1n });
    const big = 10n ** 18n;
    expect(mechanism.choose([-big, 2n * big, 0n, big], new SeededSource(1))).toEqual([1, 3, 2, 0]);
  });

  it("costs what it says: k·ε pure, k·ε²/8 ≤ ρ in zCDP and hardly less", () => {
    const pure = topKFor({ k: 4, budget: { epsilon: ratio(1n) }, sensitivity: 1n });
    expect(pure.event).toEqual({
      kind: "repeat",
      version: 1,
      count: "4",
      event: { kind: "bounded-range", version: 1, epsilon: "1/4", of: "top-k" },
    });
    for (const rho of ["1/2", "1e-30", "3"].map((text) => parseRational(text))) {
      const { each } = topKFor({ k: 10, budget: { rho }, sensitivity: 1n });
      const spent = divide(multiply(ratio(10n), multiply(each.epsilon, each.epsilon)), ratio(8n));
      expect(compare(spent, rho)).toBeLessThanOrEqual(0);
      expect(toDouble(divide(spent, rho), "down")).toBeGreaterThan(0.999);
    }
  });

  it("takes for each choice the whole root of 8ρ/k where that is short, and a fine one where ρ is tiny", () => {
    const each = (k: number, rho: string): string =>
      toText(topKFor({ k, budget: { rho: parseRational(rho) }, sensitivity: 1n }).each.epsilon);
    expect([each(1, "1/2"), each(4, "1/2"), each(2, "1")]).toEqual(["2", "1", "2"]);
    for (const text of ["1e-40", "1e-300"]) {
      const rho = parseRational(text);
      const { epsilon } = topKFor({ k: 3, budget: { rho }, sensitivity: 1n }).each;
      const spent = divide(multiply(ratio(3n), multiply(epsilon, epsilon)), ratio(8n));
      expect(compare(spent, rho)).toBeLessThanOrEqual(0);
      expect(compare(spent, divide(rho, ratio(1n << 12n)))).toBeGreaterThan(0);
    }
  });

  it("chooses up to 2^20", () => {
    const budget = { epsilon: ratio(1n) };
    expect(topKFor({ k: 2 ** 20, budget, sensitivity: 1n }).event.count).toBe("1048576");
    expect(() => topKFor({ k: 2 ** 20 + 1, budget, sensitivity: 1n })).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });

  it("refuses what has no meaning", () => {
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    const budget = { epsilon: ratio(1n) };
    for (const k of [0, -1, 1.5, Number.NaN, 1e9]) {
      expect(() => topKFor({ k, budget, sensitivity: 1n })).toThrow(refusal);
    }
    for (const wrong of [{ epsilon: ratio(0n) }, { rho: ratio(0n) }, { rho: ratio(-1n) }]) {
      expect(() => topKFor({ k: 1, budget: wrong, sensitivity: 1n })).toThrow(refusal);
    }
    expect(() => topKFor({ k: 1, budget, sensitivity: 0n })).toThrow(refusal);
    const two = topKFor({ k: 2, budget, sensitivity: 1n });
    for (const scores of [[], [1n], [1, 2]]) {
      expect(() => two.choose(scores as bigint[], new SeededSource(1))).toThrow(refusal);
    }
    expect(toText(two.each.epsilon)).toBe("1/2");
  });
});
