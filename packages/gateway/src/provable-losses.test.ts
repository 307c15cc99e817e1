import type { Event, PrivacyLossText } from "@lethe/core";
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

  it.each<[string, Event]>([
    ["an event that core does not know", { kind: "unheard-of", version: 1 } as unknown as Event],
    ["a version that core does not know", { ...laplace, version: 2 } as unknown as Event],
    ["a number that is none", { ...laplace, scale: "a" }],
    ["a count below one", { kind: "repeat", version: 1, count: "0", event: laplace } as unknown as Event],
  ])("are not certified of %s: its error is let through", (_, event) => {
    expect(() => provableLosses({ event, price: pure })).toThrow();
  });
});
