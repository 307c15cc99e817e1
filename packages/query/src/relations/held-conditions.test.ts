import { expect, it } from "vitest";
import { column } from "../resolve/testing/random-expressions.ts";
import { heldConditions } from "./held-conditions.ts";
import type { Relation } from "./relation.ts";

const table: Relation = {
  ...({ kind: "table", table: "people", source: null, oncePer: null, columns: {} } as const),
  unit: { kind: "row" },
};
const [married, member] = [column("married"), column("member")];
const ofMarried: Relation = { kind: "filter", of: table, where: married };
const ofMembers: Relation = { kind: "filter", of: table, where: member };

it.each([
  ["inner", [married, member]],
  ["left", [married]],
  ["right", [member]],
  ["full", []],
] as const)("a %s join keeps the conditions of the sides whose rows it cannot miss", (type, held) => {
  const joined: Relation = { kind: "join", type, left: ofMarried, right: ofMembers, keys: [], on: null };
  expect(heldConditions(joined)).toEqual(held);
});

it("filters one above the other all hold, and the ON of an inner join alone", () => {
  expect(heldConditions({ kind: "filter", of: ofMarried, where: member })).toEqual([married, member]);
  const on = (type: "inner" | "left"): readonly unknown[] =>
    heldConditions({ kind: "join", type, left: table, right: table, keys: [], on: married });
  expect([on("inner"), on("left")]).toEqual([[married], []]);
});
