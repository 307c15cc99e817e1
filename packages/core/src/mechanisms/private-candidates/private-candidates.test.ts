import { describe, expect, it } from "vitest";
import { pureFromRepeatAndSelect } from "../../conversions/composition/repeat-and-select.ts";
import type { TrialCount } from "../../events/event.ts";
import { expBracket } from "../../numeric/bracket.ts";
import {
  add,
  compare,
  divide,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  toDouble,
} from "../../numeric/rational.ts";
import { SeededSource } from "../../tape.ts";
import { type Candidate, privateCandidates } from "./private-candidates.ts";

const inner = { kind: "finite-pair", version: 1, p: ["3/4", "1/4"], q: ["1/4", "3/4"] } as const;
const geometric = (stop: Rational) => ({ law: "negative-binomial", shape: one, stop }) as const;

/**
 * The law of the best of K runs, outcomes from the worst to the best: f(Q(≤ y)) − f(Q(< y)) for the generating function f of K
 * (Papernot & Steinke 2022, proof of Thm 2); here K is geometric, f(x) = stop·x/(1 − (1 − stop)·x).
 */
function bestLaw(law: readonly Rational[], stop: Rational): Rational[] {
  const f = (x: Rational) => divide(multiply(stop, x), subtract(one, multiply(subtract(one, stop), x)));
  let upTo = ratio(0n);
  return law.map((mass) => {
    const before = upTo;
    upTo = add(upTo, mass);
    return subtract(f(upTo), f(before));
  });
}

describe("the pure price of repeat-and-select", () => {
  // e^ε₀ = 3. Outcomes from worst to best; the middle one is a sliver where the loss of the count is largest.
  const sliver = ratio(1n, 1_000_000n);
  const triple = multiply(ratio(3n), sliver);
  const p = [subtract(ratio(3n, 4n), triple), triple, ratio(1n, 4n)];
  const q = [subtract(ratio(1n, 4n), sliver), sliver, ratio(3n, 4n)];

  it.each(["1/2", "1/10", "1/1000"])(
    "geometric at stop %s: holds exactly, and is met within a ten-thousandth",
    (text) => {
      const stop = parseRational(text);
      // The inner law is 3-indistinguishable both ways.
      for (const [i, mass] of p.entries()) {
        expect(compare(mass, multiply(ratio(3n), q[i]!))).toBeLessThanOrEqual(0);
        expect(compare(q[i]!, multiply(ratio(3n), mass))).toBeLessThanOrEqual(0);
      }
      const factor = divide(add(ratio(3n), stop), add(one, multiply(ratio(3n), stop)));
      const growth = multiply(ratio(3n), multiply(factor, factor));
      const [a, b] = [bestLaw(p, stop), bestLaw(q, stop)];
      let worst = one;
      for (const [i, mass] of a.entries()) {
        for (const ofTwo of [divide(mass, b[i]!), divide(b[i]!, mass)])
          if (compare(ofTwo, worst) > 0) worst = ofTwo;
      }
      expect(compare(worst, growth)).toBeLessThanOrEqual(0);
      expect(toDouble(divide(worst, growth), "down")).toBeGreaterThan(0.9999);
      // What is charged covers e^ε and hardly more: ε₀ = ln 3 rounded up.
      const epsilon = pureFromRepeatAndSelect(geometric(stop), parseRational("1.0986122886682"));
      expect(compare(expBracket(epsilon, 80).hi, growth)).toBeGreaterThanOrEqual(0);
      expect(toDouble(expBracket(epsilon, 80).hi, "up") / toDouble(growth, "down")).toBeLessThan(1 + 1e-9);
    },
  );

  it("never exceeds (2 + η)·ε₀, nor falls below ε₀, and rises with ε₀, η and the number of runs", () => {
    const simple = ratio(3n);
    let before = one;
    for (const stop of ["999/1000", "1/2", "1/100", "1e-6"]) {
      const found = pureFromRepeatAndSelect(geometric(parseRational(stop)), one);
      expect(compare(found, simple)).toBeLessThanOrEqual(0);
      expect(compare(found, before)).toBe(1);
      before = found;
    }
    for (const [less, more] of [
      ["0", "1"],
      ["-1/2", "0"],
    ] as const) {
      const at = (shape: string) =>
        pureFromRepeatAndSelect(
          { law: "negative-binomial", shape: parseRational(shape), stop: ratio(1n, 9n) },
          one,
        );
      expect(compare(at(less), at(more))).toBe(-1);
    }
    expect(pureFromRepeatAndSelect(geometric(ratio(1n, 2n)), ratio(10n ** 9n))).toEqual(
      ratio(3n * 10n ** 9n),
    );
    expect(pureFromRepeatAndSelect(geometric(ratio(1n, 2n)), ratio(0n))).toEqual(ratio(0n));
  });

  it("Poisson: holds against the exact law, and is met within a ten-thousandth", () => {
    const mean = 2;
    const f = (x: number) => Math.exp(mean * (x - 1));
    const law = (masses: readonly Rational[]) => {
      let upTo = 0;
      return masses.map((mass) => {
        const before = upTo;
        upTo += toDouble(mass, "down");
        return f(upTo) - f(before);
      });
    };
    const [a, b] = [law(p), law(q)];
    const worst = Math.max(...a.map((mass, i) => Math.abs(Math.log(mass / b[i]!))));
    const epsilon = pureFromRepeatAndSelect(
      { law: "poisson", mean: ratio(2n) },
      parseRational("1.0986122886682"),
    );
    expect(toDouble(epsilon, "up")).toBeCloseTo(Math.log(3) + mean * 0.5, 9);
    expect(worst).toBeLessThan(toDouble(epsilon, "up"));
    expect(worst).toBeGreaterThan(toDouble(epsilon, "up") * 0.9999);
  });

  it("refuses what has no meaning", () => {
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    for (const [shape, stop, epsilon] of [
      ["-1", "1/2", "1"],
      ["1", "0", "1"],
      ["1", "1", "1"],
      ["1", "1/2", "-1"],
    ] as const) {
      const runs = {
        law: "negative-binomial",
        shape: parseRational(shape),
        stop: parseRational(stop),
      } as const;
      expect(() => pureFromRepeatAndSelect(runs, parseRational(epsilon))).toThrow(refusal);
    }
    expect(() => pureFromRepeatAndSelect({ law: "poisson", mean: ratio(0n) }, one)).toThrow(refusal);
  });
});

describe("privateCandidates", () => {
  const run = (bits: { word(): number }): Candidate<string> => {
    const score = bits.word() % 4;
    return { score, value: `run of ${score}` };
  };
  const laws: TrialCount[] = [
    { law: "negative-binomial", shape: "1", stop: "1/3" },
    { law: "negative-binomial", shape: "0", stop: "1/10" },
    { law: "poisson", mean: "3/2" },
  ];

  it("gives the best of K runs by the exact law, within 6.5 deviations (false alarm 1e-9)", () => {
    const stop = ratio(1n, 3n);
    const law = bestLaw(new Array<Rational>(4).fill(ratio(1n, 4n)), stop);
    const mechanism = privateCandidates({ trials: laws[0]!, event: inner });
    const [bits, n, counts] = [new SeededSource(6), 20_000, [0, 0, 0, 0]];
    for (let i = 0; i < n; i++) counts[mechanism.select(run, bits)!.score]! += 1;
    for (const [score, mass] of law.entries()) {
      const p = toDouble(mass, "down");
      expect(Math.abs(counts[score]! - n * p)).toBeLessThan(6.5 * Math.sqrt(n * p * (1 - p)));
    }
    // A stop of 0.38 instead of 1/3 would be seen.
    const wrong = bestLaw(new Array<Rational>(4).fill(ratio(1n, 4n)), parseRational("0.38"));
    const off = wrong.map((mass, score) => {
      const p = toDouble(mass, "down");
      return Math.abs(counts[score]! - n * p) / Math.sqrt(n * p * (1 - p));
    });
    expect(Math.max(...off)).toBeGreaterThan(6.5);
  });

  it("keeps the first of those that tie, and the largest, not the smallest", () => {
    const mechanism = privateCandidates({
      trials: { law: "negative-binomial", shape: "1", stop: "1/1000" },
      event: inner,
    });
    for (let seed = 1; seed <= 20; seed++) {
      let tried = 0;
      const best = mechanism.select(() => {
        tried += 1;
        return { score: Math.min(tried, 5), value: tried };
      }, new SeededSource(seed));
      expect(best).toEqual({ score: Math.min(tried, 5), value: Math.min(tried, 5) });
    }
  });

  it("makes no run sometimes under Poisson, and then gives nothing", () => {
    const mechanism = privateCandidates({ trials: { law: "poisson", mean: "1/1000" }, event: inner });
    expect(mechanism.select(run, new SeededSource(1))).toBeNull();
  });

  it("is recorded with the price of one run", () => {
    for (const trials of laws) {
      expect(privateCandidates({ trials, event: inner }).event).toEqual({
        kind: "repeat-and-select",
        version: 1,
        trials,
        event: inner,
      });
    }
  });

  it("refuses what has no meaning", () => {
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    for (const trials of [
      { law: "negative-binomial", shape: "-1", stop: "1/2" },
      { law: "negative-binomial", shape: "1", stop: "NaN" },
      { law: "poisson", mean: "0" },
      { law: "binomial", mean: "1" },
    ]) {
      expect(() => privateCandidates({ trials: trials as TrialCount, event: inner })).toThrow(refusal);
    }
    const mechanism = privateCandidates({ trials: laws[0]!, event: inner });
    expect(() => mechanism.select(() => ({ score: Number.NaN, value: 0 }), new SeededSource(1))).toThrow(
      refusal,
    );
  });
});
