import { expect, it } from "vitest";
import { releaseContract } from "../../../../../testing/src/contracts/mechanism-release-contract.ts";
import { ratio, zero } from "../../numeric/rational.ts";
import { price } from "../../price.ts";
import { noiseEvent } from "../registry.ts";
import { constant } from "./constant.ts";

releaseContract("constant", { mechanism: "constant@1" }, "constant");

it("costs nothing under any measure", () => {
  const event = noiseEvent({ mechanism: "constant@1" }, { l1: 0n, l2Squared: 0n });
  expect(price(event, { measure: "pure" })).toEqual({ measure: "pure", epsilon: zero });
  expect(price(event, { measure: "approximate", delta: ratio(1n, 10n) })).toEqual({
    measure: "approximate",
    epsilon: zero,
    delta: zero,
  });
  expect(price(event, { measure: "zcdp" })).toEqual({ measure: "zcdp", rho: zero, delta: zero });
});

it.each([
  [1n, 0n],
  [0n, 1n],
])("refuses to stand for a sensitivity of (%s, %s)", (l1, l2Squared) => {
  expect(() => constant.event({ mechanism: "constant@1" }, { l1, l2Squared })).toThrow(
    expect.objectContaining({ code: "internal.invariant" }),
  );
});
