import { elementAt } from "@lethe/core/numeric";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { DeclaredColumn } from "../model/model.ts";
import {
  type Design,
  designRow,
  designRows,
  designWidth,
  entriesOf,
  mostSquaredNorm,
  unscaled,
} from "./index.ts";

const age: DeclaredColumn = { kind: "number", name: "age", bounds: [18, 90] };
const sector: DeclaredColumn = { kind: "category", name: "sector", categories: ["a", "b", "c"] };
const member: DeclaredColumn = { kind: "category", name: "member", categories: [false, true] };

it("scales a number about the middle of its bounds, and gives each category an entry", () => {
  const design: Design = { columns: [age, sector], intercept: true };
  expect(entriesOf(design).map(({ kind }) => kind)).toEqual([
    "intercept",
    "number",
    "category",
    "category",
    "category",
  ]);
  expect([...designRow(design, { age: 90, sector: "b" })]).toEqual([1, 1, 0, 1, 0]);
  expect([...designRow(design, { age: 36, sector: "c" })]).toEqual([1, -0.5, 0, 0, 1]);
  expect([...designRow(design, { age: 1e9, sector: "other" })]).toEqual([1, 1, 0, 0, 0]);
  expect([...designRow(design, { age: null })]).toEqual([1, 0, 0, 0, 0]);
  expect(unscaled({ ...age, kind: "number", bounds: [18, 90] }, -0.5)).toBe(36);
});

it("gives sealed columns the vectors that it gives records", () => {
  const design: Design = { columns: [age, sector], intercept: false };
  const rows = designRows(design, member, {
    columns: [
      Float64Array.of(90, 36, Number.NaN),
      Float64Array.of(1, 2, Number.NaN),
      Float64Array.of(1, 0, 7),
    ],
    offsets: Uint32Array.of(0, 2, 3),
  });
  expect([...rows.inputs]).toEqual([1, 0, 1, 0, -0.5, 0, 0, 1, 0, 0, 0, 0]);
  expect([...rows.targets]).toEqual([1, 0, Number.NaN]);
});

/** Columns of any kind, and whatever a row can hold of them. */
const column = fc.oneof(
  fc
    .tuple(
      fc.double({ noNaN: true, min: -1e300, max: 1e300 }),
      fc.double({ noNaN: true, min: 1e-300, max: 1e300 }),
    )
    .filter(([lo, width]) => lo + width > lo)
    .map(([lo, width]): DeclaredColumn => ({ kind: "number", name: "x", bounds: [lo, lo + width] })),
  fc.integer({ min: 1, max: 5 }).map(
    (size): DeclaredColumn => ({
      kind: "category",
      name: "x",
      categories: [0, 1, 2, 3, 4].slice(0, size),
    }),
  ),
);

it("no value makes a vector longer than its bound, or an entry larger than 1", () => {
  fc.assert(
    fc.property(
      fc.array(column, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      fc.array(fc.oneof(fc.double(), fc.integer({ min: -1, max: 6 })), { minLength: 7, maxLength: 7 }),
      (columns, intercept, values) => {
        const design: Design = { columns, intercept };
        const { inputs, width } = designRows(design, age, {
          columns: [...columns.map((_, at) => Float64Array.of(elementAt(values, at))), Float64Array.of(0)],
          offsets: Uint32Array.of(0, 1),
        });
        expect(width).toBe(designWidth(design));
        expect(inputs.length).toBe(width);
        expect(inputs.every((x) => Math.abs(x) <= 1)).toBe(true);
        expect(inputs.reduce((sum, x) => sum + x * x, 0)).toBeLessThanOrEqual(mostSquaredNorm(design));
      },
    ),
    { numRuns: 2000 },
  );
});
