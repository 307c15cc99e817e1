import fc from "fast-check";
import { expect, test } from "vitest";
import { GatheredRows } from "./gathered-rows.ts";

/** Rows of units 1, 2, … of these sizes: column c of row r holds r + c/10. */
function gathered(columns: number, sizes: readonly number[]): ReturnType<GatheredRows["finish"]> {
  const rows = new GatheredRows(columns, 2 ** 24);
  let row = 0;
  for (const [at, size] of sizes.entries())
    for (let n = 0; n < size; n += 1, row += 1) {
      const own = row;
      rows.add(at + 1, (column) => own + column / 10);
    }
  return rows.finish();
}

test("keeps every value in its place, and the rows of each unit together", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 30 });
  fc.assert(
    fc.property(fc.nat(4), sizes, (width, each) => {
      const { columns, offsets } = gathered(width, each);
      const rows = each.reduce((a, b) => a + b, 0);
      expect(columns.length).toBe(width);
      for (const [c, column] of columns.entries())
        expect([...column]).toEqual(Array.from({ length: rows }, (_, row) => row + c / 10));
      expect(offsets[0]).toBe(0);
      expect(Array.from(offsets.subarray(1), (end, u) => end - (offsets[u] ?? Number.NaN))).toEqual(each);
    }),
  );
});

test.each([2 ** 16 - 1, 2 ** 16, 2 ** 16 + 1, 3 * 2 ** 16])("puts blocks together: %d rows", (rows) => {
  const { columns, offsets } = gathered(2, [1, rows - 1]);
  const wrong = columns.flatMap((column, c) =>
    column.length === rows && column.every((value, row) => value === row + c / 10) ? [] : [c],
  );
  expect(wrong).toEqual([]);
  expect([...offsets]).toEqual([0, 1, rows]);
});

test("no row at all is no unit", () => {
  const { columns, offsets } = new GatheredRows(3, 9).finish();
  expect(columns.map(({ length }) => length)).toEqual([0, 0, 0]);
  expect([...offsets]).toEqual([0]);
});

test("takes as many values as it may, and not one row more", () => {
  for (const [width, most, rows] of [
    [3, 9, 3],
    [3, 11, 3],
    [0, 2, 2],
    [1, Number.NaN, 0],
  ] as const) {
    const gathering = new GatheredRows(width, most);
    for (let row = 1; row <= rows; row += 1) gathering.add(row, () => 0);
    expect(() => gathering.add(rows + 1, () => 0)).toThrow();
  }
});

test.each([[[1, 2, 1]], [[2]], [[1, 3]], [[1, 0]], [[1, Number.NaN]], [[1, 1.5]]])(
  "refuses units out of their order: %j",
  (units) => {
    const gathering = new GatheredRows(1, 100);
    expect(() => {
      for (const unit of units) gathering.add(unit, () => 0);
    }).toThrow("one after another");
  },
);
