import { describe, expect, it } from "vitest";
import { compare, parseRational, ratio, toDouble, zero } from "../../numeric/rational.ts";
import { finitePair } from "./finite-pair.ts";

const event = (p: readonly string[], q: readonly string[]) =>
  ({ kind: "finite-pair", version: 1, p, q }) as const;

describe("a finite pair", () => {
  it("has the largest log-ratio as its ε, rounded up", () => {
    const { pure, zcdp } = finitePair.losses(event(["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]));
    const epsilon = toDouble(pure!.epsilon, "down");
    expect(epsilon).toBeGreaterThanOrEqual(Math.log(3));
    expect(epsilon).toBeLessThan(Math.log(3) + 2 ** -39);
    expect(toDouble(zcdp!.rho, "up")).toBeCloseTo(Math.log(3) ** 2 / 2, 9);
  });
  it("costs nothing where both laws are one, to the last bit", () => {
    const losses = finitePair.losses(event(["1/3", "2/3"], ["1/3", "2/3"]));
    expect(losses.pure?.epsilon).toEqual(zero);
    expect(losses.renyi?.at(7)).toBe(0);
  });
  it("takes as δ the larger mass that only one law has", () => {
    const losses = finitePair.losses(event(["1/10", "9/10", "0"], ["0", "4/5", "1/5"]));
    expect(losses.pure).toBeNull();
    expect(losses.mixed?.delta).toEqual(ratio(1n, 5n));
    expect(toDouble(losses.mixed!.epsilon, "up")).toBeCloseTo(Math.log(9 / 8), 10);
    // p({0,1}) = 1 ≤ e^ε·4/5 + 1/5 holds with equality at the exact ε.
    expect(compare(losses.mixed!.epsilon, parseRational("0.11778"))).toBe(1);
    expect(losses.renyi?.at(2)).toBe(Number.POSITIVE_INFINITY);
    expect(losses.pair).toMatchObject({ tight: true });
  });
  it.each([
    [["1/2", "1/2"], ["1"]],
    [
      ["1/2", "1/3"],
      ["1/2", "1/2"],
    ],
    [
      ["3/2", "-1/2"],
      ["1/2", "1/2"],
    ],
    [[], []],
  ])("refuses %j against %j", (p, q) => {
    expect(() => finitePair.losses(event(p, q))).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
});
