import { describe, expect, it } from "vitest";
import { account } from "../../account.ts";
import type { Event } from "../../events/event.ts";

describe("a bound by a Gaussian", () => {
  const rounded: Event = { kind: "rounded-gaussian", version: 1, sigma: "1/10", l2Squared: "2" };

  it("stays a bound alone for a group", () => {
    // Rounding to integers hides nearly all of so little noise, so no group of two comes near the Gaussian's 519.7.
    const curve = account({ kind: "group", version: 1, size: "2", event: rounded }, { carriers: ["pld"] });
    let bounds = null;
    try {
      bounds = curve.epsilon(1e-5);
    } catch (error) {
      // The Gaussian form has it.
      expect(error).toMatchObject({ code: "account.unprovable" });
    }
    expect(bounds?.lower ?? 0).toBe(0);
    const whole = account({ kind: "group", version: 1, size: "2", event: rounded }).epsilon(1e-5);
    expect(whole.lower).toBe(0);
    expect(whole.upper).toBeGreaterThan(519);
  });

  it("and beside another mechanism", () => {
    const both: Event = {
      kind: "compose",
      version: 1,
      events: [
        { kind: "continuous-laplace", version: 1, scale: "10", sensitivity: "1" },
        { kind: "group", version: 1, size: "2", event: rounded },
      ],
    };
    // What is proven from below is the Laplace noise's part.
    expect(account(both).epsilon(1e-5).lower).toBeLessThanOrEqual(0.1);
  });
});
