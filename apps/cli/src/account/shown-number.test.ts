import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shown } from "./shown-number.ts";

describe("a number that is claimed", () => {
  it.each([
    [1.13374473, "up", "1.13375"],
    [1.13374473, "down", "1.13374"],
    [1e-5, "down", "1e-5"],
    [0.00001234567, "up", "1.23457e-5"],
    [0.99999999, "up", "1"],
    [0, "up", "0"],
    [Number.POSITIVE_INFINITY, "up", "∞"],
    [5e-324, "up", "5e-324"],
    [123456789.4, "up", "123457000"],
    [0.0001, "up", "0.0001"],
    [0.00009999, "down", "9.999e-5"],
    [999_999_000, "up", "999999000"],
    [1e9, "down", "1e+9"],
    [1.5, "up", "1.5"],
    [-1.13374473, "up", "-1.13374"],
    [-1.13374473, "down", "-1.13375"],
  ] as const)("%s rounded %s is %s", (x, direction, text) => {
    expect(shown(x, direction)).toBe(text);
  });

  it("has as many digits as it is asked for", () => {
    expect(shown(1.23456, "up", 3)).toBe("1.24");
    expect(shown(1.23456, "down", 3)).toBe("1.23");
    expect(shown(1.23456, "up", 1)).toBe("2");
    expect(shown(987_654, "down", 2)).toBe("980000");
    expect(shown(1.1337447312, "up", 9)).toBe("1.13374474");
  });

  it("is never on the wrong side, and close", () => {
    const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true });
    fc.assert(
      fc.property(positive, (x) => {
        const [low, high] = [Number(shown(x, "down")), Number(shown(x, "up"))];
        expect(low).toBeLessThanOrEqual(x);
        expect(high).toBeGreaterThanOrEqual(x);
        expect(high / low - 1).toBeLessThan(2.1e-5);
      }),
    );
  });
});
