import { describe, expect, it } from "vitest";
import type { Cell, Release } from "../format/release.ts";
import { computedFollows } from "./computed.ts";

const domain = {
  type: "number",
  bounds: [-(2 ** 63), 2 ** 63],
  integer: true,
  nullable: false,
  values: null,
};
const key = { kind: "column", name: "k", domain };

/** A release whose one key is shown, and shown once more as a computed column. */
const shown = (cell: Cell, again: Cell): Release =>
  ({
    rows: [[cell, again]],
    certificate: {
      plan: {
        keys: { parts: [{ name: "k", expression: key }], program: { kind: "none" } },
        outputs: [
          { name: "k", kind: "key", key: "k" },
          { name: "again", kind: "computed", type: "number", expression: { kind: "key", key: "k" } },
        ],
        aggregates: [],
        post: { having: null, orderBy: [], limit: null, offset: 0 },
      },
    },
  }) as unknown as Release;

describe("a column that shows a key again", () => {
  it.each<[string, Cell, Cell, "passed" | "failed"]>([
    ["a number, as a number", 7, 7, "passed"],
    ["a number, as another", 7, 8, "failed"],
    ["an integer beyond 2^53, as the same text", "9007199254740993", "9007199254740993", "passed"],
    ["an integer beyond 2^53, as the next text", "9007199254740993", "9007199254740994", "failed"],
    ["an integer beyond 2^53, as the nearest double", "9007199254740993", 9007199254740992, "failed"],
    ["a negative one", "-9007199254740993", "-9007199254740993", "passed"],
    ["the greatest integer that is a number, as one", "9007199254740991", 9007199254740991, "passed"],
    ["the greatest integer that is a number, as a text", "9007199254740991", "9007199254740991", "failed"],
  ])("%s", (_, cell, again, outcome) => {
    expect(computedFollows(shown(cell, again)).outcome).toBe(outcome);
  });
});
