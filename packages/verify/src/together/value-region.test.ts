import { describe, expect, it } from "vitest";
import { anything, intersection, isEmpty, type Region } from "./value-region.ts";

const below = (at: number, within: boolean): Region => ({ ...anything, except: [null], to: { at, within } });
const above = (at: number, within: boolean): Region => ({
  ...anything,
  except: [null],
  from: { at, within },
});
const listed = (...only: readonly (string | number | null)[]): Region => ({ ...anything, only });

describe("regions of values", () => {
  it("are empty where their ends have crossed, or touch at an end that does not belong to one of them", () => {
    expect(isEmpty(intersection(below(2, true), above(3, true)))).toBe(true);
    expect(isEmpty(intersection(below(3, true), above(3, true)))).toBe(false);
    expect(isEmpty(intersection(below(3, false), above(3, true)))).toBe(true);
    expect(isEmpty(intersection(above(3, false), below(3, true)))).toBe(true);
    expect(isEmpty(intersection(below(3, true), below(3, false)))).toBe(false);
  });

  it("hold NULL unless it is excepted, whatever their ends are", () => {
    const ends = { from: { at: 3, within: true }, to: { at: 2, within: true } };
    expect(isEmpty({ ...anything, ...ends })).toBe(false);
    expect(isEmpty({ ...anything, ...ends, except: [null] })).toBe(true);
    expect(isEmpty(intersection(listed(null), above(0, true)))).toBe(true);
    expect(isEmpty(intersection(listed(null), anything))).toBe(false);
  });

  it("of a list hold what is in all lists, within the ends, and not excepted", () => {
    expect(isEmpty(intersection(listed("a", "b"), listed("b", "c")))).toBe(false);
    expect(isEmpty(intersection(listed("a"), listed("b")))).toBe(true);
    expect(isEmpty(intersection(listed(1, 5), above(5, false)))).toBe(true);
    expect(isEmpty(intersection(listed(1, 5), above(5, true)))).toBe(false);
    expect(isEmpty(intersection(listed("a"), { ...anything, except: ["a"] }))).toBe(true);
  });
});
