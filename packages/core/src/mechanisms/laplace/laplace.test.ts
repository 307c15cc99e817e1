import { describe, expect, it } from "vitest";
import { mechanismContract, refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import { hockeyStick } from "../../../../../testing/src/contracts/mechanism-hockey-stick.ts";
import { discreteLaplaceMass, shifted } from "../../../../../testing/src/contracts/mechanism-masses.ts";
import { releaseContract } from "../../../../../testing/src/contracts/mechanism-release-contract.ts";
import { compare, multiply, parseRational, type Rational, ratio, zero } from "../../numeric/rational.ts";
import { laplace } from "./laplace.ts";
import { laplaceFor } from "./laplace-for.ts";

const event = (scale: string, l1: string) => ({ kind: "laplace", version: 1, scale, l1 }) as const;
const pair = (scale: string, shift: bigint, reach = 60n) =>
  shifted(discreteLaplaceMass(parseRational(scale)), shift, reach);

mechanismContract("discrete Laplace", {
  mechanism: laplace,
  proves: { pure: true, mixed: true, zcdp: true },
  cases: [
    { name: "unit counts, scale 2", event: event("2", "1"), neighbours: [pair("2", 1n)] },
    {
      name: "sums, scale 7/3, sensitivity 5",
      event: event("7/3", "5"),
      neighbours: [1n, 3n, 5n].map((shift) => pair("7/3", shift)),
    },
    { name: "little noise", event: event("1/3", "1"), neighbours: [pair("1/3", 1n, 20n)] },
  ],
  ladder: ["10", "2", "3/2", "1/4"].map((scale) => event(scale, "3")),
});
releaseContract("discrete Laplace", { mechanism: "discrete-laplace@1", scale: "5/2" }, "laplace");

describe("the price of the discrete Laplace", () => {
  it("is attained: no smaller ε holds", () => {
    const neighbours = pair("2", 3n);
    const { epsilon } = laplace.losses(event("2", "3")).pure!;
    expect(epsilon).toEqual(ratio(3n, 2n));
    expect(refuted(neighbours, epsilon, zero)).toBe(false);
    expect(refuted(neighbours, multiply(epsilon, ratio(999n, 1000n)), zero)).toBe(true);
  });

  it("is that of randomized response on unit counts, which the continuous Laplace's δ(ε) would undercut", () => {
    // Continuous: δ(ε) = 1 − e^((ε − ε₀)/2) for ε < ε₀ = 1/2; at ε = 1/4 that is 0.1175.
    const epsilon = ratio(1n, 4n);
    const neighbours = pair("2", 1n);
    const continuous = parseRational("0.11750310");
    expect(compare(hockeyStick(neighbours, epsilon).lo, continuous)).toBe(1);
  });
});

describe("laplaceFor", () => {
  it.each([
    ["1", 1n, "1"],
    ["1/10", 1n, "10"],
    ["0.3", 7n, "70/3"],
  ])("costs exactly ε = %s at l1 = %s", (text, l1, scale) => {
    const epsilon: Rational = parseRational(text);
    const noise = laplaceFor({ l1, epsilon });
    expect(noise).toEqual({ mechanism: "discrete-laplace@1", scale });
    expect(laplace.losses(event(scale, l1.toString())).pure!.epsilon).toEqual(epsilon);
  });
  it("needs no noise at sensitivity 0", () => {
    expect(laplaceFor({ l1: 0n, epsilon: ratio(1n) })).toEqual({ mechanism: "constant@1" });
  });
  it.each([
    [-1n, "1"],
    [1n, "0"],
    [1n, "-1"],
  ])("refuses l1 = %s, ε = %s", (l1, epsilon) => {
    expect(() => laplaceFor({ l1, epsilon: parseRational(epsilon) })).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
  it.each(["0", "-2", "NaN", ""])("refuses an event of scale %s", (scale) => {
    expect(() => laplace.losses(event(scale, "1"))).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
});
