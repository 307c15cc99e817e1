import { LetheError } from "@lethe/core";
import type { Release } from "@lethe/gateway";
import { describe, expect, test } from "vitest";
import { differences, refusal, type Said } from "./what-leaves.ts";

const estimate = (value: number, width = 1) => ({ value, lower: value - width, upper: value + width });
const release = {
  version: 1,
  columns: [
    { name: "town", kind: "key" },
    { name: "n", kind: "aggregate" },
  ],
  rows: [
    ["ur", estimate(3)],
    ["uruk", estimate(5)],
  ],
  missing: [{ units: 1, chance: 0.5 }],
  notes: ["a note"],
  certificate: { charge: { epsilon: "1" }, rowsHash: "x" },
  signature: "s",
} as unknown as Release;
const answered = (change: object = {}): Said => ({ kind: "answered", release: { ...release, ...change } });
const between = (a: Said, b: Said): string[] =>
  differences({ said: [a], ledger: "" }, { said: [b], ledger: "" });
const changed = (change: object): string[] => between(answered(), answered(change));

describe("two releases", () => {
  test("that are the same differ in nothing", () => {
    expect(changed({})).toEqual([]);
    expect(changed({ rows: structuredClone(release.rows) })).toEqual([]);
  });
  test.each<[string, object, readonly string[]]>([
    ["columns", { columns: [...release.columns].reverse() }, ["other columns"]],
    ["notes", { notes: [] }, ["other notes"]],
    ["missing groups", { missing: [] }, ["other chances of missing groups"]],
    ["groupings", { groupings: [{ grouping: 0, over: null }] }, ["other marks of groupings"]],
    ["the signature", { signature: "t" }, ["other signature"]],
    [
      "certificates",
      { certificate: { charge: { epsilon: "2" }, rowsHash: "x" } },
      ["other charge in the certificate"],
    ],
    [
      "what one certificate alone has",
      { certificate: { charge: { epsilon: "1" }, rowsHash: "x", more: 1 } },
      ["other more in the certificate"],
    ],
    ["a field that nobody names", { beside: 1 }, []],
    [
      "how many rows there are",
      { rows: release.rows.slice(1) },
      ["other types of cells", "another number of rows"],
    ],
    ["the order of rows", { rows: [...release.rows].reverse() }, ["another order of rows"]],
    ["a label", { rows: [["UR", estimate(3)], release.rows[1]] }, ["other groups or labels"]],
    ["a value", { rows: [["ur", { ...estimate(3), value: 4 }], release.rows[1]] }, ["other values"]],
    ["a lower end", { rows: [["ur", { ...estimate(3), lower: 0 }], release.rows[1]] }, ["other intervals"]],
    ["an upper end", { rows: [["ur", { ...estimate(3), upper: 9 }], release.rows[1]] }, ["other intervals"]],
    [
      "values and their ends",
      { rows: [["ur", estimate(4)], release.rows[1]] },
      ["other values", "other intervals"],
    ],
    [
      "the type of a cell",
      { rows: [["ur", { ...estimate(3), upper: "4" }], release.rows[1]] },
      ["other types of cells", "other intervals"],
    ],
    [
      "a label that is null",
      { rows: [[null, estimate(3)], release.rows[1]] },
      ["other types of cells", "other groups or labels"],
    ],
    [
      "an end that is null",
      { rows: [["ur", { ...estimate(3), upper: null }], release.rows[1]] },
      ["other types of cells", "other intervals"],
    ],
  ])("that differ in %s are told apart by it, and by their bytes", (_, change, what) => {
    expect(changed(change)).toEqual([...what, "other bytes"]);
  });
  test("with times for values differ in these", () => {
    const rows = (value: string, upper = "2020") => ({ rows: [["ur", { value, lower: "2019", upper }]] });
    const times = (a: object, b: object): string[] => between(answered(a), answered(b));
    expect(times(rows("2019"), rows("2020"))).toEqual(["other values", "other bytes"]);
    expect(times(rows("2019"), rows("2019", "2021"))).toEqual(["other intervals", "other bytes"]);
  });
  test("whose members stand in another order differ in their bytes alone", () => {
    const { notes, ...rest } = release;
    const turned: Said = { kind: "answered", release: { notes, ...rest } };
    expect(between(answered(), turned)).toEqual(["other bytes"]);
  });
});

describe("refusals", () => {
  const error = new LetheError("query.type", "it is no number", { fix: "cast it", offset: 4 });
  test("are told by all that whoever asked sees", () => {
    expect(refusal(error)).toEqual({
      kind: "refused",
      error: {
        code: "query.type",
        message: "it is no number",
        fix: "cast it",
        fields: error.fields,
        offset: 4,
      },
    });
    const nowhere = new LetheError("query.type", "no", { fix: "no" });
    expect(refusal(nowhere)).toMatchObject({ error: { offset: null } });
    expect(refusal(new TypeError("x"))).toEqual({
      kind: "refused",
      error: { code: "not coded", message: "TypeError: x" },
    });
  });
  test("differ by their parts", () => {
    const other = new LetheError("query.type", "it is a number", { fix: "cast it", offset: 5 });
    expect(between(refusal(error), refusal(error))).toEqual([]);
    expect(between(refusal(error), refusal(other))).toEqual([
      "another error: message",
      "another error: offset",
    ]);
    expect(between(refusal(new Error("x")), refusal(error)).toSorted()).toEqual(
      ["code", "fields", "fix", "message", "offset"].map((part) => `another error: ${part}`),
    );
  });
  test("are no answers", () => {
    expect(between(refusal(error), answered())).toEqual(["one is answered, and the other refused"]);
    expect(between(answered(), refusal(error))).toEqual(["one is answered, and the other refused"]);
  });
});

test("of several requests the one that differs is named, and the ledger by itself", () => {
  const same = answered();
  const found = differences(
    { said: [same, same], ledger: "one" },
    { said: [same, answered({ notes: [] })], ledger: "other" },
  );
  expect(found).toEqual([
    "request 2: other notes",
    "request 2: other bytes",
    "the ledger holds other records",
  ]);
});
