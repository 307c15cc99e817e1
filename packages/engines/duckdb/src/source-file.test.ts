import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readPolicy, type TablePolicy } from "@lethe/query";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkCsvSource } from "./check-csv-source.ts";
import { fileOf, sourceKind, sourcePath } from "./source-file.ts";
import { type Fixture, fixture, policyOf } from "./testing/engine-fixture.ts";

const table = (file: string, more = ""): TablePolicy =>
  policyOf(`t: { file: "${file}", ${more}unit: who, columns: { x: { type: number }, who: { type: text } } }`)
    .tables.t!;

let house: Fixture;
beforeEach(() => {
  house = fixture("t: { file: t.csv, unit: row, columns: { x: { type: number } } }");
});
afterEach(() => house.remove());

describe("a table's file", () => {
  it.each([
    ["a.csv", "csv"],
    ["b/A.CSV", "csv"],
    ["a.b.Parquet", "parquet"],
    ["a.csv.duckdb", "duckdb"],
  ])("%s is of the kind %s by the end of its name", (file, kind) => {
    expect(sourceKind("t", table(file))).toBe(kind);
  });

  it.each(["a.txt", "csv", "a.csv.gz", ".csv"])("%s is of no kind that can be asked", (file) => {
    expect(() => sourceKind("t", { ...table("a.csv"), file })).toThrow(
      expect.objectContaining({
        code: "engine.source",
        message: `t: ${file} is not a kind of file that can be asked`,
        fix: "name a .csv, .parquet or .duckdb file in the policy",
        fields: { table: "t", file },
      }),
    );
  });

  it("is none where the policy's tables lie in a database", () => {
    const { tables } = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
database: { kind: postgres }
tables: { t: { unit: row, columns: { x: { type: number } } } }
`);
    expect(() => fileOf(tables.t!)).toThrow(
      expect.objectContaining({
        code: "engine.source",
        message: "the policy's tables lie in a database, not in files",
        fix: "ask them there; only files are imported",
      }),
    );
    expect(fileOf(table("a.csv"))).toBe("a.csv");
  });

  it("is found from the policy's folder, and by an absolute path wherever that is", () => {
    house.write("t.csv", "");
    expect(sourcePath("t", table("t.csv"), house.baseDirectory)).toBe(house.path("t.csv"));
    expect(sourcePath("t", table("../t.csv"), house.path("none"))).toBe(house.path("t.csv"));
    expect(sourcePath("t", table(house.path("t.csv")), "/")).toBe(house.path("t.csv"));
  });

  it("that is missing or a folder is refused by the name in the policy", () => {
    mkdirSync(house.path("folder.csv"));
    for (const [file, words, fix] of [
      [
        "gone.csv",
        "is missing or cannot be read",
        "check the path in the policy, which is relative to the policy's folder",
      ],
      ["folder.csv", "is not a file", "name a file in the policy"],
    ] as const)
      expect(() => sourcePath("t", table(file), house.baseDirectory)).toThrow(
        expect.objectContaining({
          code: "engine.source",
          message: `t: ${file} ${words}`,
          fix,
          fields: { table: "t", file },
        }),
      );
  });

  it.each([..."*?[]{}"])(
    "is refused where %s stands in its name or its folder's: it would be a pattern",
    (mark) => {
      const pattern = expect.objectContaining({
        code: "engine.source",
        message: expect.stringContaining("has one of * ? [ ] { } in its path"),
        fix: "rename the file or its folder",
      });
      house.write(`a${mark}.csv`, "");
      expect(() => sourcePath("t", table(`a${mark}.csv`), house.baseDirectory)).toThrow(pattern);
      const folder = join(house.baseDirectory, `b${mark}`);
      mkdirSync(folder);
      expect(() => sourcePath("t", table("t.csv"), folder)).toThrow(pattern);
    },
  );
});

describe("a CSV that was not imported", () => {
  it("is accepted where its first line names the policy's columns and its unit's", () => {
    house.write("t.csv", "other,who,x\nnot,even,close,to,a,row\n");
    expect(() => checkCsvSource("t", table("t.csv"), house.baseDirectory)).not.toThrow();
  });

  it.each([
    ["x", "who"],
    ["who", "x"],
    ["Who,X", "x"],
  ])("is refused where its first line is %s, for it lacks %s", (line, column) => {
    house.write("t.csv", `${line}\n31337\n`);
    expect(() => checkCsvSource("t", table("t.csv"), house.baseDirectory)).toThrow(
      expect.objectContaining({
        code: "engine.schema",
        message: `t.csv has no column ${column}`,
        fields: { table: "t", column },
      }),
    );
  });

  it("without a first line of names has the policy's columns, whatever its first line is", () => {
    house.write("t.csv", "1\n");
    const bare = table("t.csv", "csv: { header: false }, ");
    expect(() => checkCsvSource("t", bare, house.baseDirectory)).not.toThrow();
  });

  it("that is not there is refused", () => {
    expect(() => checkCsvSource("t", table("gone.csv"), house.baseDirectory)).toThrow(
      expect.objectContaining({ code: "engine.source" }),
    );
  });
});
