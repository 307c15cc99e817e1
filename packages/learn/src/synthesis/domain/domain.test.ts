import { elementAt } from "@lethe/core/numeric";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readColumn } from "../../model/read-columns.ts";
import { people } from "../../testing/people.ts";
import { type Attribute, attributeSize, evenEdges } from "./attribute.ts";
import { checkedDomain, domainOf, sizesOf } from "./domain.ts";
import { decodeValue, encodeColumn, encoderOf, noCode } from "./encode.ts";
import { membersOf, mergeCounts, mergeRare, unmerged } from "./merged-values.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const sector: Attribute = { kind: "categories", name: "sector", categories: ["a", "b"], nullable: true };
const level: Attribute = { kind: "categories", name: "level", categories: [1, 2, 3], nullable: false };
const age: Attribute = { kind: "bins", name: "age", edges: [0, 10, 15, 100], integer: true, nullable: true };

describe("a domain", () => {
  it("comes from the columns of a policy", async () => {
    const columns = await Promise.all(["sector", "age"].map((name) => readColumn("people", name, people)));
    const domain = domainOf(columns, 8);
    expect(domain.map(({ name, kind }) => [name, kind])).toEqual([
      ["sector", "categories"],
      ["age", "bins"],
    ]);
    for (const [at, column] of columns.entries()) {
      const values = column.kind === "category" ? column.categories.length : 8;
      expect(elementAt(sizesOf(domain), at)).toBe(values + Number(column.nullable));
    }
  });

  it("is refused for no columns, names or categories that come twice, edges that do not rise", () => {
    const bins = (edges: readonly number[]): Attribute => ({ ...age, edges }) as Attribute;
    for (const wrong of [
      [],
      [sector, sector],
      [{ ...sector, categories: ["a", "a"] } as Attribute],
      [{ ...level, categories: [] } as Attribute],
      [bins([0])],
      [bins([0, 0])],
      [bins([0, Number.NaN])],
    ]) {
      expect(() => checkedDomain(wrong)).toThrow(invalid);
    }
    expect(() => evenEdges([3, 3], 4)).toThrow(invalid);
    expect(() => evenEdges([0, 1], 0)).toThrow(invalid);
    expect(evenEdges([0, 0.3], 3).at(-1)).toBe(0.3);
  });
});

describe("codes", () => {
  it("of categories: NULL and what is no category are the last, or in no cell", () => {
    expect([...encodeColumn(sector, ["a", null, "b", "zz", 7, undefined])]).toEqual([0, 2, 1, 2, 2, 2]);
    expect([...encodeColumn(level, [3, 1n, null, Number.NaN, "1"])]).toEqual([2, 0, noCode, noCode, noCode]);
  });
  it("of numbers: bins hold their lower edge, and numbers are cut to the bounds", () => {
    const values = [-5, 0, 9.9, 10, 14, 15, 100, 1e300, Number.POSITIVE_INFINITY, null, Number.NaN, "7", 12n];
    expect([...encodeColumn(age, values)]).toEqual([0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 1]);
  });
  it("are those of the values that they become, whatever the share", () => {
    const edges = fc
      .uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 9 })
      .map((each) => each.sort((a, b) => a - b));
    fc.assert(
      fc.property(
        edges,
        fc.boolean(),
        fc.boolean(),
        fc.double({ min: 0, max: 1 - 1e-9, noNaN: true }),
        (cuts, integer, nullable, share) => {
          const attribute: Attribute = { kind: "bins", name: "x", edges: cuts, integer, nullable };
          const encode = encoderOf(attribute);
          for (let code = 0; code < attributeSize(attribute); code++) {
            const value = decodeValue(attribute, code, share);
            expect(encode(value)).toBe(code);
            if (integer && typeof value === "number") expect(Number.isInteger(value)).toBe(true);
          }
        },
      ),
    );
    expect([0, 1, 2].map((code) => decodeValue(sector, code, 0.5))).toEqual(["a", "b", null]);
    // A bin without whole numbers still gives a number.
    expect(decodeValue({ ...age, edges: [0.2, 0.4, 3] } as Attribute, 0, 0.5)).toBe(0);
  });
});

describe("merged values", () => {
  it("are those of rare counts, together, and the rest in order", () => {
    const merged = mergeRare(Float64Array.of(90, 2, 50, -1, 30), 30);
    expect([...merged.places]).toEqual([0, 3, 1, 3, 2]);
    expect(merged.size).toBe(4);
    expect([...mergeCounts(Float64Array.of(90, 2, 50, -1, 30), merged)]).toEqual([90, 50, 30, 1]);
    expect(membersOf(merged)).toEqual([[0], [2], [4], [1, 3]]);
  });
  it("are none where at most one is rare, and one where all are", () => {
    expect(mergeRare(Float64Array.of(90, 2), 30)).toEqual(unmerged(2));
    expect(mergeRare(Float64Array.of(0, 0, -4), 30)).toEqual({ places: Int32Array.of(0, 0, 0), size: 1 });
  });
});
