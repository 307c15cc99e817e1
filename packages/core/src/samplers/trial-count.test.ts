import { describe, expect, test } from "vitest";
import { expBracket } from "../numeric/bracket.ts";
import {
  add,
  compare,
  divide,
  multiply,
  negate,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
} from "../numeric/rational.ts";
import { enumerateTapes, SeededSource } from "../tape.ts";
import { type CountSampler, poisson, truncatedNegativeBinomial } from "./trial-count.ts";

const power = (x: Rational, k: bigint): Rational => ratio(x.num ** k, x.den ** k);

function expectMasses(sampler: CountSampler, mass: (k: bigint) => Rational, tolerance: Rational): void {
  const { masses, residual } = enumerateTapes((bits) => sampler.sample(bits), { depth: 2 });
  expect(masses.size).toBeGreaterThan(5);
  for (const [k, found] of masses) {
    const due = mass(BigInt(k));
    expect(compare(found, add(due, tolerance)), `P[${k}] is not above`).toBeLessThanOrEqual(0);
    expect(
      compare(add(found, residual), subtract(due, tolerance)),
      `P[${k}] is not below`,
    ).toBeGreaterThanOrEqual(0);
  }
  expect(compare(residual, ratio(1n, 1n << 20n))).toBeLessThan(0);
}

describe("the number of runs, every tape enumerated", () => {
  const tiny = ratio(1n, 1n << 60n);

  test("shape 1 is the geometric law stop·(1 − stop)^(k−1)", () => {
    const stop = ratio(2n, 3n);
    const law = truncatedNegativeBinomial({ shape: one, stop });
    expectMasses(law, (k) => multiply(stop, power(subtract(one, stop), k - 1n)), tiny);
    // A stop that is a thousandth off is refuted.
    const wrong = parseRational("0.667");
    expect(() =>
      expectMasses(law, (k) => multiply(wrong, power(subtract(one, wrong), k - 1n)), tiny),
    ).toThrow();
  });

  test("shape 0 is the logarithmic law (1 − stop)^k/(k·ln(1/stop))", () => {
    const law = truncatedNegativeBinomial({ shape: ratio(0n), stop: ratio(1n, 4n) });
    // ln 4 to 30 digits.
    const ln4 = parseRational("1.386294361119890618834464242916");
    expectMasses(law, (k) => divide(power(ratio(3n, 4n), k), multiply(ratio(k), ln4)), tiny);
  });

  test("shape 2 is (1 − stop)^k·(k + 1)·stop²/(1 − stop²)", () => {
    const law = truncatedNegativeBinomial({ shape: ratio(2n), stop: ratio(1n, 2n) });
    expectMasses(law, (k) => multiply(ratio(k + 1n, 3n), power(ratio(1n, 2n), k)), tiny);
  });

  test("shape −1/2 has total weight 2·(1 − √stop)", () => {
    const law = truncatedNegativeBinomial({ shape: ratio(-1n, 2n), stop: ratio(1n, 4n) });
    // Π_{1≤l<k} (l − ½)/(l + 1), and the total (½ − 1)/(−½) = 1.
    const mass = (k: bigint): Rational => {
      let product = power(ratio(3n, 4n), k);
      for (let l = 1n; l < k; l++) product = multiply(product, ratio(2n * l - 1n, 2n * l + 2n));
      return product;
    };
    expectMasses(law, mass, tiny);
  });

  test("Poisson", () => {
    const mean = ratio(5n, 2n);
    const { lo } = expBracket(negate(mean), 120);
    const mass = (k: bigint): Rational => {
      let product = lo;
      for (let j = 1n; j <= k; j++) product = multiply(product, divide(mean, ratio(j)));
      return product;
    };
    expectMasses(poisson({ mean }), mass, tiny);
  });

  test("extreme parameters end, with the right mean (6.5 deviations, false alarm 1e-10)", () => {
    const bits = new SeededSource(2);
    const n = 200;
    let total = 0;
    for (let i = 0; i < n; i++) total += poisson({ mean: ratio(1000n) }).sample(bits);
    expect(Math.abs(total - n * 1000)).toBeLessThan(6.5 * Math.sqrt(n * 1000));
    const rare = truncatedNegativeBinomial({ shape: parseRational("1e-30"), stop: ratio(1n, 1000n) });
    for (let i = 0; i < 20; i++) expect(rare.sample(bits)).toBeGreaterThanOrEqual(1);
    expect(
      truncatedNegativeBinomial({ shape: ratio(1000n), stop: ratio(999n, 1000n) }).sample(bits),
    ).toBeLessThan(100);
  });

  test("refuses what has no law", () => {
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    for (const [shape, stop] of [
      ["-1", "1/2"],
      ["1001", "1/2"],
      ["1", "0"],
      ["1", "1"],
      ["1", "1e-7"],
    ] as const) {
      const make = () =>
        truncatedNegativeBinomial({ shape: parseRational(shape), stop: parseRational(stop) });
      expect(make).toThrow(refusal);
    }
    for (const mean of ["0", "-1", "10001"])
      expect(() => poisson({ mean: parseRational(mean) })).toThrow(refusal);
  });
});
