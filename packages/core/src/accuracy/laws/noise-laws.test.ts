import { describe, expect, test } from "vitest";
import { expBracket } from "../../numeric/bracket.ts";
import { add, divide, multiply, one, ratio } from "../../numeric/rational.ts";
import { laplaceQuantile } from "./laplace-law.ts";
import { noiseLaw } from "./noise-laws.ts";

describe("noise laws", () => {
  test("without noise everything is at zero", () => {
    const law = noiseLaw({ mechanism: "constant@1" });
    expect([-1, 0, 1].map((z) => law.mass(z))).toEqual([0, 1, 0]);
    expect(law.beyond(0)).toBe(0);
    expect(law.quantile(ratio(1n, 1000n))).toBe(0n);
  });
  test("the summed tail of a discrete Gaussian falls and is 0 beyond its last mass", () => {
    const law = noiseLaw({ mechanism: "discrete-gaussian@1", sigmaSquared: "4" });
    expect(law.beyond(0)).toBeCloseTo(1 - law.mass(0), 10);
    expect(law.beyond(10)).toBeGreaterThan(0);
    for (const z of [83, 84, 10_000]) expect(law.beyond(z)).toBe(0);
  });
  test("the Laplace quantile is right where 64 bits cannot tell α from the tail", () => {
    const scale = ratio(10n);
    const a = expBracket(ratio(-1n, 10n), 400);
    // 2·a^(q+1)/(1+a) at q = 29, which rises in a: P[|Z| > 29] to about 400 bits from both sides.
    const tailAt = (base: typeof one) => {
      let power = one;
      for (let k = 0; k < 30; k++) power = multiply(power, base);
      return divide(multiply(ratio(2n), power), add(one, base));
    };
    expect(laplaceQuantile(scale, tailAt(a.hi))).toBe(29n);
    expect(laplaceQuantile(scale, tailAt(a.lo))).toBe(30n);
  });
});
