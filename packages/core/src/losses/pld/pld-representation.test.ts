import { describe, expect, it } from "vitest";
import { account } from "../../account.ts";
import type { Event } from "../../events/event.ts";
import { add, multiply, one, parseRational, subtract, toText } from "../../numeric/rational.ts";

describe("a bound by a Gaussian", () => {
  const rounded: Event = { kind: "rounded-gaussian", version: 1, sigma: "1/10", l2Squared: "2" };

  it("stays a bound alone for a group", () => {
    // Rounding to integers hides nearly all of so little noise, so no group of two comes near the Gaussian's 519.7.
    const curve = account(
      { kind: "group", version: 1, size: "2", event: rounded },
      { representations: ["pld"] },
    );
    let bounds = null;
    try {
      bounds = curve.epsilon(1e-5);
    } catch (error) {
      // The Gaussian representation has it.
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

describe("a Poisson sample of nearly all units", () => {
  it.each([
    // Losses of the reverse hang on 1 − rate, which the double of the rate does not hold.
    ["0.9999999999999", "9/100000000000000"],
    ["0.999999999999997", "7/10000000000000000"],
    ["0.99999999999999999999", "0"],
    ["0.99999999", "3/1000000000"],
  ])("at rate %s is the finite pair that it is", (rate, first) => {
    const [s, p0, half] = [parseRational(rate), parseRational(first), parseRational("1/2")];
    const p = [p0, subtract(one, p0)];
    const blend = p.map((x) => toText(add(multiply(s, x), multiply(subtract(one, s), half))));
    const pair = (masses: readonly string[]): Event => ({
      kind: "finite-pair",
      version: 1,
      p: [...masses],
      q: ["1/2", "1/2"],
    });
    const sampled = account({ kind: "poisson-sample", version: 1, rate, event: pair(p.map(toText)) });
    const direct = account(pair(blend));
    const largest = direct.epsilon(0).upper;
    for (const epsilon of [0, 1, largest - 1, largest - 0.01, largest - 1e-4, largest - 1e-6]) {
      const [a, b] = [sampled.delta(epsilon), direct.delta(epsilon)];
      expect(a.lower).toBeLessThanOrEqual(b.upper);
      expect(b.lower).toBeLessThanOrEqual(a.upper);
      expect(a.upper).toBeLessThan(b.upper + 1e-11);
    }
    for (const delta of [0, 1e-9, 0.1]) {
      const [a, b] = [sampled.epsilon(delta), direct.epsilon(delta)];
      expect(a.lower).toBeLessThanOrEqual(b.upper);
      expect(b.lower).toBeLessThanOrEqual(a.upper);
    }
  });
});
