import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { flushNames } from "./flush-names.ts";
import { readHead, requireHeadFile, writeHead } from "./head-file.ts";
import { newKeyPair, privatePem, readKeyPair, signText } from "./key-pair.ts";
import { layout } from "./layout.ts";

const folder = mkdtempSync(join(tmpdir(), "lethe-directory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const hash = "0123456789abcdef".repeat(4);
const unreadable = (message: RegExp): unknown =>
  expect.objectContaining({ code: "ledger.unreadable", message: expect.stringMatching(message) });

describe("a head file", () => {
  it("keeps a head as SEQUENCE:HASH, for its owner alone, and replaces the one before", () => {
    const path = at("kept.head");
    writeHead(path, { sequence: 0, hash });
    expect(readFileSync(path, "utf8")).toBe(`0:${hash}\n`);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    writeHead(path, { sequence: 123_456_789, hash });
    expect(readHead(path)).toEqual({ sequence: 123_456_789, hash });
    expect(requireHeadFile(path)).toEqual({ sequence: 123_456_789, hash });
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  it("may lack the last line end, and nothing else", () => {
    const path = at("written.head");
    const reading = (text: string) => () => {
      writeFileSync(path, text);
      return readHead(path);
    };
    expect(reading(`7:${hash}`)()).toEqual({ sequence: 7, hash });
    expect(reading(`${"9".repeat(15)}:${hash}`)()).toEqual({ sequence: 999_999_999_999_999, hash });
    for (const text of [
      "",
      hash,
      `:${hash}`,
      `-1:${hash}`,
      `7:${hash.slice(1)}`,
      `7:${hash}0`,
      `7:${hash.toUpperCase()}`,
      ` 7:${hash}`,
      `7:${hash}\n\n`,
      `${"9".repeat(16)}:${hash}`,
    ])
      expect(reading(text), text).toThrow(unreadable(/keeps no head of a ledger$/) as Error);
  });

  it("that is not there is no head, and an error where one is asked for", () => {
    const path = at("none.head");
    expect(readHead(path)).toBeNull();
    expect(() => requireHeadFile(path)).toThrow(unreadable(/^there is no head of the ledger in /) as Error);
  });

  it("that is no file, or lies in no directory, is a coded error", () => {
    mkdirSync(at("directory.head"));
    expect(() => readHead(at("directory.head"))).toThrow(unreadable(/is a directory$/) as Error);
    expect(() => writeHead(at("nowhere/kept.head"), { sequence: 1, hash })).toThrow(
      unreadable(/does not exist$/) as Error,
    );
  });
});

describe("the flush of names", () => {
  it("goes up as many directories as there are, and no further than the root", () => {
    expect(() => flushNames(folder, 1)).not.toThrow();
    expect(() => flushNames(folder, Number.POSITIVE_INFINITY)).not.toThrow();
  });

  it("is refused where the directory itself, or one above it, is not there", () => {
    if (process.platform === "win32") return;
    expect(() => flushNames(at("gone"), 1)).toThrow(/ENOENT/);
    expect(() => flushNames(at("gone/further"), 2)).toThrow(/ENOENT/);
    expect(() => flushNames(at("gone"), 0)).not.toThrow();
  });
});

describe("a key pair", () => {
  it("is read back from its file, and signs alike", () => {
    const pair = newKeyPair();
    writeFileSync(at("ledger.key"), privatePem(pair));
    const read = readKeyPair(at("ledger.key"));
    expect(read.publicKey).toBe(pair.publicKey);
    expect(read.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    expect(signText(read, "grüße")).toBe(signText(pair, "grüße"));
    expect(signText(pair, "grüße")).toMatch(/^[0-9a-f]{128}$/);
  });

  it("is refused where the file is missing, is no key, or is a key of another kind", () => {
    expect(() => readKeyPair(at("missing.key"))).toThrow(unreadable(/does not exist$/) as Error);
    writeFileSync(at("text.key"), "no key");
    expect(() => readKeyPair(at("text.key"))).toThrow(unreadable(/is not an Ed25519 private key$/) as Error);
    const { privateKey } = generateKeyPairSync("x25519");
    writeFileSync(at("other.key"), privateKey.export({ type: "pkcs8", format: "pem" }));
    expect(() => readKeyPair(at("other.key"))).toThrow(unreadable(/is not an Ed25519 private key$/) as Error);
  });
});

it("a ledger's directory holds a database or the URL of one, the two halves of a key, and what a service locks", () => {
  expect(layout("/a")).toEqual({
    database: join("/a", "ledger.db"),
    url: join("/a", "ledger.url"),
    privateKey: join("/a", "ledger.key"),
    publicKey: join("/a", "ledger.pub"),
    served: join("/a", "served.lock"),
  });
});
