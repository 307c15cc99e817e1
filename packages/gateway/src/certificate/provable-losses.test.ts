import { type Event, type PrivacyLossText, parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { provableLosses } from "./provable-losses.ts";

const laplace: Event = { kind: "laplace", version: 1, scale: "2", l1: "1" };
const gaussian: Event = { kind: "rounded-gaussian", version: 1, sigma: "4", l2Squared: "1" };
const pure: PrivacyLossText = { measure: "pure", epsilon: "1" };
const approximate: PrivacyLossText = { measure: "approximate", epsilon: "1", delta: "1/100000" };

const measuresOf = (event: Event, price: PrivacyLossText): readonly string[] =>
  provableLosses({ event, price }).map(({ measure }) => measure);

describe("the losses of a certificate", () => {
  it("are those of every measure that has a price for the event, and of no other", () => {
    expect(measuresOf(laplace, pure)).toEqual(["pure", "approximate", "zcdp"]);
    expect(measuresOf(gaussian, approximate)).toEqual(["approximate", "zcdp"]);
    expect(measuresOf(gaussian, pure)).toEqual(["zcdp"]);
  });

  it("are as the event has them: Laplace noise of twice the distance has ε 1/2 and ρ of at most 1/8, and no δ", () => {
    const [first, second, third] = provableLosses({ event: laplace, price: pure });
    expect(first).toEqual({ measure: "pure", epsilon: "1/2" });
    expect(second).toEqual({ measure: "approximate", epsilon: "1/2", delta: "0" });
    const { num, den } = parseRational((third as { rho: string }).rho);
    expect(Number(num) / Number(den)).toBeLessThanOrEqual(1 / 8);
    expect(third).toMatchObject({ measure: "zcdp", delta: "0" });
  });

  it("have the δ of the price under (ε, δ), and none under another measure", () => {
    const deltas = (price: PrivacyLossText) =>
      provableLosses({ event: gaussian, price }).map((loss) => "delta" in loss && loss.delta);
    expect(deltas(approximate)).toEqual(["1/100000", "0"]);
    expect(deltas({ measure: "zcdp", rho: "1", delta: "1/100" })).toEqual(["0"]);
  });

  it.each<[string, Event]>([
    ["an event that core does not know", { kind: "unheard-of", version: 1 } as unknown as Event],
    ["a version that core does not know", { ...laplace, version: 2 } as unknown as Event],
    ["a number that is none", { ...laplace, scale: "a" }],
    ["a count below one", { kind: "repeat", version: 1, count: "0", event: laplace } as unknown as Event],
  ])("are not certified of %s: its error is let through", (_, event) => {
    expect(() => provableLosses({ event, price: pure })).toThrow();
  });
});
