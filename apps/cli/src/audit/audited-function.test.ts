import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { inFolder } from "../testing/command-line.ts";
import { auditedFunction, pairsOf } from "./audited-function.ts";

it("a function is named by its file and, behind the last #, its name; without one it is the default", () =>
  inFolder({ "f.mjs": "", "a#b.mjs": "" }, async (folder) => {
    const url = (name: string): string => pathToFileURL(`${folder}/${name}`).href;
    expect(auditedFunction("f.mjs#count")).toEqual({ url: url("f.mjs"), name: "count" });
    expect(auditedFunction("f.mjs")).toEqual({ url: url("f.mjs"), name: "default" });
    expect(auditedFunction("a#b.mjs#count")).toEqual({ url: url("a#b.mjs"), name: "count" });
    expect(() => auditedFunction("none.mjs#count")).toThrow(
      "cannot read the function's file none.mjs (ENOENT)",
    );
    expect(() => auditedFunction("#count")).toThrow("cannot read the function's file");
  }));

it.each([
  [
    "[[[1, 2], [1, 2, 9]]]",
    [
      [
        [1, 2],
        [1, 2, 9],
      ],
    ],
  ],
  [
    '[[0, 1], ["a", null]]',
    [
      [0, 1],
      ["a", null],
    ],
  ],
])("the neighbours %s are pairs", (text, pairs) =>
  inFolder({ "pairs.json": text }, async () => {
    expect(pairsOf("pairs.json")).toEqual(pairs);
  }),
);

it.each([
  ["[", "pairs.json is not JSON"],
  ["{}", "pairs.json is not a list of pairs"],
  ["[]", "pairs.json is not a list of pairs"],
  ["[[1]]", "pairs.json is not a list of pairs"],
  ["[[1, 2], [1, 2, 3]]", "pairs.json is not a list of pairs"],
  ["[[1, 2], 3]", "pairs.json is not a list of pairs"],
  ['["ab"]', "pairs.json is not a list of pairs"],
])("the neighbours %s are refused: %s", (text, message) =>
  inFolder({ "pairs.json": text }, async () => {
    expect(() => pairsOf("pairs.json")).toThrowError(
      expect.objectContaining({ code: "cli.usage", message, fix: expect.stringContaining("--neighbours") }),
    );
  }),
);

it("neighbours are asked for, and a file that is not there is refused as such", () =>
  inFolder({}, async () => {
    expect(() => pairsOf(undefined)).toThrow("a function is audited on neighbours");
    expect(() => pairsOf("none.json")).toThrowError(expect.objectContaining({ code: "cli.file" }));
  }));
