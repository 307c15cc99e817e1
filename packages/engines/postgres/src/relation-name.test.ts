import { columnsOfUnits, usedColumns } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { relationName } from "./relation-name.ts";
import { policyOfPeople } from "./testing/asked-server.ts";

const people = (lines: string) =>
  policyOfPeople(`${lines}, columns: { id: { type: text }, k: { type: text }, x: { type: number } }`).tables
    .people!;

describe("a table of the policy", () => {
  it("is the relation of its own name in schema public, dots and all, unless the policy says otherwise", () => {
    const plain = people("unit: row");
    expect(relationName("people", plain)).toEqual(["public", "people"]);
    expect(relationName("hr.people", plain)).toEqual(["public", "hr.people"]);
    const staff = (relation: string) => relationName("people", { ...plain, relation });
    expect(staff("staff")).toEqual(["public", "staff"]);
    expect(staff("hr.staff")).toEqual(["hr", "staff"]);
    expect(staff("hr.staff.old")).toEqual(["hr", "staff.old"]);
  });

  it("is read by the columns that it declares; its unit's and its key say whose a row is", () => {
    const rows = people("unit: row");
    expect([usedColumns(rows), columnsOfUnits(rows)]).toEqual([["id", "k", "x"], []]);
    const owned = people("unit: id, key: k");
    expect([usedColumns(owned), columnsOfUnits(owned)]).toEqual([
      ["id", "k", "x"],
      ["id", "k"],
    ]);
    const free = { ...rows, unit: { kind: "public" }, key: "k" } as const;
    expect(columnsOfUnits(free)).toEqual(["k"]);
  });

  it("is read by its unit's column and its key also where it does not declare them", () => {
    const { x } = people("unit: row").columns;
    const owned = { ...people("unit: id, key: k"), columns: { x: x! } };
    expect(usedColumns(owned)).toEqual(["x", "id", "k"]);
  });
});
