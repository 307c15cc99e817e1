import type { Event } from "@lethe/core";
import { odds } from "@lethe/core/accounting";
import { describe, expect, it } from "vitest";
import type { Odds } from "../format/release.ts";
import { oddsHold } from "./odds-checks.ts";

const charge = { measure: "approximate", epsilon: "3", delta: "1/100000" } as const;
const adjacency = "add-or-remove-one";
const laplace: Event = { kind: "laplace", version: 1, scale: "2", l1: "1" };
const gaussian: Event = { kind: "rounded-gaussian", version: 1, sigma: "4", l2Squared: "1" };
const selection: Event = {
  kind: "select-groups",
  version: 1,
  rule: { rule: "laplace-threshold", scale: "2", threshold: "24" },
  groups: "2",
};
const compose = (...events: readonly Event[]): Event => ({ kind: "compose", version: 1, events });
const outcome = (ran: Event, stated: Odds, asked: string | null = null): string =>
  oddsHold({ odds: stated, charge, ran, adjacency }, asked).outcome;

describe("odds that are stated", () => {
  it.each([
    ["Laplace", laplace],
    ["Gaussian", gaussian],
    ["both", compose(laplace, gaussian)],
    ["with a selection", compose(laplace, selection)],
  ] as const)("of %s noise hold as core has them, and none may be a twentieth smaller", (_, ran) => {
    const genuine = odds(ran, adjacency);
    expect(outcome(ran, genuine)).toBe("passed");
    expect(outcome(ran, { ...genuine, mu: null })).toBe("passed");
    for (const key of ["advantage", "truePositives", "mu"] as const) {
      const value = genuine[key];
      if (value === null) expect(outcome(ran, { ...genuine, [key]: 5 })).toBe("failed");
      else {
        expect(outcome(ran, { ...genuine, [key]: value * 0.95 }), key).toBe("failed");
        expect(outcome(ran, { ...genuine, [key]: value * 1.01 }), key).toBe("passed");
      }
    }
  });

  it("keep to the advantage that the question asks for", () => {
    const genuine = odds(gaussian, adjacency);
    expect(genuine.advantage).toBeLessThan(0.1);
    expect(outcome(gaussian, genuine, "0.1")).toBe("passed");
    expect(outcome(gaussian, genuine, "1/20")).toBe("failed");
    // What is stated smaller, to keep to it, is too small.
    expect(outcome(gaussian, { ...genuine, advantage: 0.05 }, "1/20")).toBe("failed");
  });

  it("of mechanisms that are not known here hold where they are the worst of what was charged", () => {
    const unknown: Event = { kind: "bounded-range", version: 1, epsilon: "1" };
    const worst = { advantage: 0.91, mu: null, truePositives: 0.21 };
    expect(outcome(unknown, worst)).toBe("passed");
    expect(outcome(unknown, { ...worst, truePositives: 0.1 })).toBe("not-made");
  });
});
