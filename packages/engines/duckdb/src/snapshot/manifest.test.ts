import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileStem, manifestPath, readManifest, snapshotsDirectory } from "./manifest.ts";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "lethe-manifest-"));
  mkdirSync(snapshotsDirectory(state));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const good = { version: 1, id: "i", table: "people", source: "p.csv", file: "people-i.duckdb", bytes: 1 };
const written = (content: unknown): void =>
  writeFileSync(
    manifestPath(state, "people"),
    typeof content === "string" ? content : JSON.stringify(content),
  );

describe("a table's name as a file name", () => {
  it("keeps small letters, digits, _ and -; everything else is its code, so that no two names meet", () => {
    expect(fileStem("a-z_09")).toBe("a-z_09");
    expect(fileStem("A/b.é")).toBe("%41.%2f.b%2e.%e9.");
    const names = ["a", "A", "á", "a.", "a%", "%61.", "a b", "a/b", "..", "\u{1f600}", "a\\b", "A.B", "a.b"];
    const stems = names.map((name) => fileStem(name).toLowerCase());
    expect(new Set(stems).size).toBe(names.length);
    for (const stem of stems) expect(stem).toMatch(/^[a-z0-9_%.-]+$/);
  });

  it("leads to its manifest among the snapshots", () => {
    expect(manifestPath("/s", "My table")).toBe(`/s/snapshots/${fileStem("My table")}.json`);
  });
});

describe("a manifest", () => {
  it("is what import wrote; there is none where the table was never imported", () => {
    expect(readManifest(state, "people")).toBeNull();
    expect(readManifest(join(state, "none"), "people")).toBeNull();
    written(good);
    expect(readManifest(state, "people")).toEqual(good);
  });

  it.each([
    ["no JSON", "{"],
    ["empty", ""],
    ["null", "null"],
    ["a number", "1"],
    ["of another version", { ...good, version: 2 }],
    ["of no version", { ...good, version: undefined }],
    ["of another table", { ...good, table: "visits" }],
    ["about a file elsewhere", { ...good, file: "../people.duckdb" }],
    ["about a file elsewhere on Windows", { ...good, file: "..\\people.duckdb" }],
    ["about a file of another kind", { ...good, file: "people.csv" }],
    ["about a file without a name", { ...good, file: ".duckdb" }],
  ])("that is %s is refused, and says how to mend it", (_, content) => {
    written(content);
    expect(() => readManifest(state, "people")).toThrow(
      expect.objectContaining({
        code: "engine.source",
        message: "the snapshot of people has no readable manifest",
        fix: "import people again",
        fields: { table: "people" },
      }),
    );
  });

  it("that cannot be read is refused, and not taken for a table that was never imported", () => {
    mkdirSync(manifestPath(state, "people"));
    expect(() => readManifest(state, "people")).toThrow(
      expect.objectContaining({ code: "engine.source", fields: { table: "people" } }),
    );
  });
});
