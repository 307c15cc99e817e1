import { describe, expect, it } from "vitest";
import { firstRows, orderOfRows } from "./order-rows.ts";
import { hidden, type Seen, type SeenRow } from "./released/released-value.ts";

const row = (...keys: readonly Seen[]): SeenRow => ({
  key: ({ key }) => keys[Number(key)] ?? null,
  aggregate: () => hidden,
});
const by = (key: number, descending = false, nullsFirst = false): never =>
  ({ by: { kind: "key", key: `${key}` }, descending, nullsFirst }) as never;
const shown = {
  by: { kind: "aggregate", aggregate: "COUNT(*)" },
  descending: false,
  nullsFirst: false,
} as never;

describe("the order of two rows", () => {
  it.each<[string, Seen, Seen, readonly never[], number | typeof hidden]>([
    ["rises", 1, 2, [by(0)], -1],
    ["falls where it is asked", 1, 2, [by(0, true)], 1],
    ["of equal ones is none", 2, 2, [by(0, true)], 0],
    ["is of texts too", "b", "a", [by(0)], 1],
    ["has NULL last", null, 1, [by(0)], 1],
    ["has NULL first where it is asked", null, 1, [by(0, false, true)], -1],
    ["has NULL where it is asked, falling or not", 1, null, [by(0, true, true)], 1],
    ["has NULL last of what falls", 1, null, [by(0, true, false)], -1],
    ["of two NULLs is none", null, null, [by(0, false, true)], 0],
    ["is not seen of what is not shown", 1, 2, [shown], hidden],
    ["is not seen behind what is not shown", 1, 2, [shown, by(0)], hidden],
    ["is seen before it", 1, 2, [by(0), shown], -1],
    ["is not seen of doubles that rounding may tell apart", 1, 1 + 2 ** -52, [by(0)], hidden],
    ["of nothing asked is none", 1, 2, [], 0],
  ])("%s", (_, a, b, orderBy, due) => {
    const order = orderOfRows(row(a), row(b), orderBy);
    expect(typeof order === "number" ? Math.sign(order) : order).toBe(due);
  });

  it("asks the next item where the first tells nothing", () => {
    expect(orderOfRows(row(1, "b"), row(1, "a"), [by(0), by(1)])).toBeGreaterThan(0);
    expect(orderOfRows(row(1, "b"), row(2, "a"), [by(0), by(1)])).toBeLessThan(0);
  });
});

describe("the rows that OFFSET and LIMIT leave", () => {
  const rows = [3, 1, 2].map((value) => ({ value, seen: row(value) }));
  const left = (orderBy: readonly never[], limit: number | null, offset: number): readonly number[] | null =>
    firstRows(rows, { orderBy, limit, offset })?.map(({ value }) => value) ?? null;
  it("are cut in their order", () => {
    expect(left([by(0)], 2, 0)).toEqual([1, 2]);
    expect(left([by(0)], 2, 1)).toEqual([2, 3]);
    expect(left([by(0)], null, 1)).toEqual([2, 3]);
    expect(left([by(0)], 0, 0)).toEqual([]);
    expect(left([by(0)], 1, 3)).toEqual([]);
    expect(left([by(0, true)], 1, 0)).toEqual([3]);
    expect(left([], 2, 0)).toEqual([3, 1]);
  });
  it("are all, as they are, where none is cut off, and not told where their order is not seen", () => {
    expect(left([shown], null, 0)).toEqual([3, 1, 2]);
    expect(left([shown], 1, 0)).toBeNull();
    expect(left([shown], null, 1)).toBeNull();
  });
});
