import { describe, expect, it } from "vitest";
import { greatestBelow, leastWhere } from "./monotone-search.ts";

const inf = Number.POSITIVE_INFINITY;

describe("the least point with a property", () => {
  it.each([1e-9, 0.3, 1, 7, 12345, 1e8])("is found from above, to the last digits: %d", (edge) => {
    for (const start of [1e-3, 1, 1e9]) {
      const found = leastWhere((x) => x >= edge, start, inf);
      expect(found).toBeGreaterThanOrEqual(edge);
      expect(found - edge).toBeLessThanOrEqual(2e-14 * (1 + edge));
    }
  });

  it("is 0 where 0 has it, and no other is asked for", () => {
    const asked: number[] = [];
    const holds = (x: number): boolean => asked.push(x) > 0;
    expect(leastWhere(holds, 5, inf)).toBe(0);
    expect(asked).toEqual([0]);
  });

  it("is not sought beyond the limit, which may be the one that has it", () => {
    expect(leastWhere((x) => x >= 3, 1, 3)).toBeCloseTo(3, 12);
    expect(leastWhere((x) => x >= 3, 10, 3)).toBe(3);
    expect(leastWhere((x) => x > 3, 1, 3)).toBe(inf);
    const asked: number[] = [];
    leastWhere((x) => asked.push(x) < 0, 100, 3);
    expect(Math.max(...asked)).toBe(3);
  });

  it("is infinite where nothing has it", () => {
    expect(leastWhere(() => false, 1, inf)).toBe(inf);
    expect(leastWhere(() => false, 1, 1e12)).toBe(inf);
    // Far out the search gives up but for the limit itself.
    expect(leastWhere((x) => x >= 1e12, 1, 1e12)).toBe(1e12);
  });
});

describe("the greatest point with a property below an end", () => {
  it.each([1e-9, 0.3, 1, 7, 9.999])("is found from below, to the last digits: %d", (edge) => {
    for (const step of [1e-6, 0.1, 100]) {
      const found = greatestBelow((x) => x <= edge, 10, step);
      expect(found).toBeLessThanOrEqual(edge);
      expect(edge - found).toBeLessThanOrEqual(2e-14 * (1 + edge));
    }
  });

  it("is the end itself where that has it, and 0 where nothing has", () => {
    expect(greatestBelow(() => true, 4, 1)).toBe(4);
    expect(greatestBelow(() => false, 4, 1)).toBe(0);
    expect(greatestBelow((x) => x === 0, 4, 1)).toBeLessThan(1e-13);
    for (const end of [0, -1, Number.NaN]) expect(greatestBelow(() => true, end, 1)).toBe(0);
  });

  it("is the one nearest the end where the property is not seen far below", () => {
    // Shown in (1.9, 3.1) alone: a search from 0 upwards would not see it.
    expect(greatestBelow((x) => x > 1.9 && x < 3.1, 4, 0.25)).toBeCloseTo(3.1, 12);
  });
});
