import { describe, expect, it } from "vitest";
import { comparable, differenceOf } from "./compare-answers.ts";
import type { CatalogRows } from "./real-catalog.ts";

const columns = [
  { name: "oid", type: 26, typmod: -1 },
  { name: "relname", type: 19, typmod: -1 },
  { name: "xmin", type: 28, typmod: -1 },
];
const answer = (...rows: CatalogRows["rows"]): CatalogRows => ({ columns, rows });
const labels = (oid: string): ReadonlyMap<string, string> => new Map([[oid, "<relation public.people>"]]);
const isTransaction = (column: string): "value" | null => (column === "xmin" ? "value" : null);
const real = (held: CatalogRows) => comparable(held, labels("16385"), isTransaction);
const ours = (held: CatalogRows) => comparable(held, labels("20001"), isTransaction);

describe("the comparison of two answers", () => {
  const row = ["16385", "people", "744"];
  it("calls objects by their names, and passes over what must differ", () => {
    expect(differenceOf(real(answer(row)), ours(answer(["20001", "people", "0"])), true)).toBeNull();
    expect(
      differenceOf(real(answer(["{16385,11}", "a", "1"])), ours(answer(["{20001,11}", "a", "2"])), true),
    ).toBeNull();
  });

  it.each<readonly [string, CatalogRows]>([
    ["another object", answer(["20002", "people", "0"])],
    ["another value", answer(["20001", "People", "0"])],
    ["NULL in its place", answer(["20001", null, "0"])],
    ["NULL where something must differ", answer(["20001", "people", null])],
    ["the row twice", answer(["20001", "people", "0"], ["20001", "people", "0"])],
    ["no row", answer()],
    [
      "another name",
      { ...answer(["20001", "people", "0"]), columns: columns.with(1, { ...columns[1]!, name: "name" }) },
    ],
    [
      "another type",
      { ...answer(["20001", "people", "0"]), columns: columns.with(1, { ...columns[1]!, type: 25 }) },
    ],
    [
      "another modifier",
      { ...answer(["20001", "people", "0"]), columns: columns.with(1, { ...columns[1]!, typmod: 8 }) },
    ],
  ])("sees %s", (_, held) => {
    expect(differenceOf(real(answer(row)), ours(held), false)).toMatch(/^(columns|\d+ rows)/);
  });

  it("sees another order where the statement states one", () => {
    const [one, other] = [
      ["11", "a", "0"],
      ["12", "b", "0"],
    ] as const;
    expect(differenceOf(real(answer(one, other)), ours(answer(other, one)), false)).toBeNull();
    expect(differenceOf(real(answer(one, other)), ours(answer(other, one)), true)).toMatch(/^order/);
  });
});
