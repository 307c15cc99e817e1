import { type Event, ratio } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { plainEpsilon, plainRho } from "./plain-price.ts";

const laplace: Event = { kind: "laplace", version: 1, scale: "8/3", l1: "2" };
const gaussian: Event = { kind: "discrete-gaussian", version: 1, sigmaSquared: "9/2", l2Squared: "3" };
const rounded: Event = { kind: "rounded-gaussian", version: 1, sigma: "3/2", l2Squared: "3" };
const nothing: Event = { kind: "constant", version: 1 };
const compose = (...events: readonly Event[]): Event => ({ kind: "compose", version: 1, events });
const repeat = (event: Event, count: string): Event => ({ kind: "repeat", version: 1, event, count });

describe("the plain price", () => {
  it("of Laplace noise is Δ₁/scale, summed as often as it was run", () => {
    expect(plainEpsilon(laplace)).toEqual(ratio(3n, 4n));
    expect(plainEpsilon(nothing)).toEqual(ratio(0n));
    expect(plainEpsilon(repeat(laplace, "5"))).toEqual(ratio(15n, 4n));
    expect(plainEpsilon(compose(laplace, nothing, repeat(laplace, "2")))).toEqual(ratio(9n, 4n));
  });

  it("of Gaussian noise is Δ₂²/(2σ²), whichever of the two it is", () => {
    expect(plainRho(gaussian)).toEqual(ratio(1n, 3n));
    expect(plainRho(rounded)).toEqual(ratio(2n, 3n));
    expect(plainRho(compose(repeat(gaussian, "3"), rounded))).toEqual(ratio(5n, 3n));
  });

  it("is not stated, rather than understated, where a single leaf has none", () => {
    expect(plainEpsilon(gaussian)).toBeNull();
    expect(plainRho(laplace)).toBeNull();
    for (const mixed of [
      compose(laplace, gaussian),
      compose(gaussian, laplace),
      compose(nothing, repeat(compose(laplace, rounded), "2")),
    ]) {
      expect(plainEpsilon(mixed)).toBeNull();
      expect(plainRho(mixed)).toBeNull();
    }
  });
});
