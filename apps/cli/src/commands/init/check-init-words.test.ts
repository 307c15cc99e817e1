import { expect, it } from "vitest";
import { booleanColumns, checkInitWords, isAboveZero } from "./check-init-words.ts";
import type { InitFlags } from "./init-flags.ts";

const flags: InitFlags = {
  policy: "lethe.yaml",
  unitName: "person",
  adjacency: "add-or-remove-one",
  bounds: [],
  categories: [],
  delimiter: ",",
  measure: "approximate",
  epsilon: "5",
  delta: "1e-6",
};

it.each<Partial<InitFlags>>([
  {},
  { unit: "row", bounds: ["wage=0..60"], categories: ["sector=a,b"], booleans: "married, employed" },
  { unit: "row", expectedRows: "999999999999999" },
  { unit: "pid", maxGroups: "1", maxRows: "10", limit: "rows-before-filter" },
  { maxGroups: "3", limit: "groups-after-filter" },
  { delimiter: "😀" },
  { epsilon: "1/3", delta: "0.999999" },
  { measure: "pure", delta: "2" },
  { measure: "zcdp", delta: "1e-9" },
])("the words %j are accepted", (words) => {
  expect(() => checkInitWords({ ...flags, ...words })).not.toThrow();
});

it.each<[Partial<InitFlags>, string]>([
  [{ delimiter: "" }, "--delimiter must be one character"],
  [{ delimiter: ";;" }, "--delimiter must be one character"],
  [{ booleans: "married," }, "--booleans names no column"],
  [{ bounds: ["wage=0..1"], booleans: "wage" }, "the column wage is declared twice"],
  [{ categories: ["a=x"], booleans: "b,a" }, "the column a is declared twice"],
  [{ unit: "pid", bounds: ["pid=0..1"] }, "the column pid names the unit"],
  [{ unit: "pid", booleans: "pid" }, "the column pid names the unit"],
  [{ unit: "row", limit: "rows-before-filter" }, "--limit is for units with many rows"],
  [{ unit: "row", maxGroups: "3" }, "--max-groups is for units with many rows"],
  [{ unit: "row", maxRows: "3" }, "--max-rows is for units with many rows"],
  [{ maxGroups: "0" }, "--max-groups must be a whole number, at least 1, got 0"],
  [{ maxRows: "1.5" }, "--max-rows must be a whole number, at least 1, got 1.5"],
  [{ maxRows: "-1" }, "--max-rows must be a whole number, at least 1, got -1"],
  [{ expectedRows: "01" }, "--expected-rows must be a whole number, at least 1, got 01"],
  [{ expectedRows: "1000000000000000" }, "--expected-rows must be a whole number"],
  [{ epsilon: "0" }, "--epsilon must be a number above 0, got 0"],
  [{ epsilon: "-1" }, "--epsilon must be a number above 0, got -1"],
  [{ measure: "pure", epsilon: "x" }, "--epsilon must be a number above 0, got x"],
  [{ delta: "0" }, "--delta must be a number above 0, got 0"],
  [{ delta: "1" }, "--delta must be below 1"],
  [{ measure: "zcdp", delta: "3/2" }, "--delta must be below 1"],
])("the words %j are refused: %s", (words, message) => {
  expect(() => checkInitWords({ ...flags, ...words })).toThrowError(
    expect.objectContaining({ code: "cli.usage", message: expect.stringContaining(message) }),
  );
});

it("a column may be called row where no row is the unit", () => {
  expect(() => checkInitWords({ ...flags, unit: "row", booleans: "row" })).not.toThrow();
});

it("columns that are true or false are named with commas, with or without blanks", () => {
  expect(booleanColumns(flags)).toEqual([]);
  expect(booleanColumns({ ...flags, booleans: "married, employed ,x" })).toEqual([
    "married",
    "employed",
    "x",
  ]);
});

it("a text is above zero where it is an exact number that is", () => {
  expect(["0.5", "1e-400", "1/3"].map(isAboveZero)).toEqual([true, true, true]);
  expect(["0", "-1", "much", "", "1/0", "Infinity"].map(isAboveZero)).toEqual(Array(6).fill(false));
});
