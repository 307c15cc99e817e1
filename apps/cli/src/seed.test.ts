import { createHmac } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createSeed, readSeed } from "./seed.ts";
import { inFolder } from "./testing/command-line.ts";

it("a new seed is 32 random bytes that only the owner may read, and never replaces one", () =>
  inFolder({}, async () => {
    createSeed("one");
    createSeed("two");
    const [one, two] = ["one", "two"].map((path) => readFileSync(path, "utf8"));
    expect(one).toMatch(/^[0-9a-f]{64}\n$/);
    expect(two).toMatch(/^[0-9a-f]{64}\n$/);
    expect(one).not.toBe(two);
    expect(statSync("one").mode & 0o777).toBe(0o600);
    expect(() => createSeed("one")).toThrowError(
      expect.objectContaining({ code: "cli.file", message: "cannot write the secret seed one (EEXIST)" }),
    );
    expect(readFileSync("one", "utf8")).toBe(one);
  }));

it("engines are told what HMAC-SHA256 makes of the seed, and never the seed", () =>
  inFolder({ seed: `  ${"ab".repeat(32)}\n` }, async () => {
    const purpose = "lethe: which rows and groups of a unit count, version 1";
    expect(readSeed("seed")).toBe(createHmac("sha256", "ab".repeat(32)).update(purpose).digest("hex"));
  }));

it.each([
  ["is too short", "a".repeat(63)],
  ["is too long", "a".repeat(65)],
  ["has other letters", "g".repeat(64)],
  ["has capitals", "A".repeat(64)],
  ["is empty", ""],
])("a seed that %s is refused as damaged, and not repeated", (_, text) =>
  inFolder({ seed: text }, async () => {
    expect(() => readSeed("seed")).toThrowError(
      expect.objectContaining({
        code: "ledger.unreadable",
        message: "the secret seed beside the ledger is damaged",
        fix: "restore .lethe/seed from your backup",
      }),
    );
  }),
);

it("a seed that cannot be read is refused by its path, with what restores it", () =>
  inFolder({}, async () => {
    mkdirSync("folder");
    writeFileSync("file", "");
    for (const [path, reason] of [
      ["gone", "ENOENT"],
      ["folder", "EISDIR"],
      ["file/seed", "ENOTDIR"],
    ])
      expect(() => readSeed(path!)).toThrowError(
        expect.objectContaining({
          code: "cli.file",
          message: `cannot read the secret seed ${path} (${reason})`,
          fix: expect.stringContaining("restore .lethe/seed from your backup"),
          fields: { path, reason },
        }),
      );
  }));
