import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sha256 } from "./sha256.ts";

const due = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

describe("sha256", () => {
  it("is SHA-256 of the UTF-8 bytes", () => {
    expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(sha256("é")).toBe("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });
  it("is what Node computes, at every length around a block and beyond", () => {
    for (let length = 0; length < 200; length++) {
      const text = Array.from({ length }, (_, i) => String.fromCharCode(32 + ((i * 7 + length) % 90))).join(
        "",
      );
      expect(sha256(text), `${length}`).toBe(due(text));
    }
    const long = "Zürich, 東京, 🦊 ".repeat(50_000);
    expect(sha256(long)).toBe(due(long));
  });
  it("reads half a pair of UTF-16 as Node does", () => {
    for (const text of ["\ud800", "a\udc00b", "\udc00\ud800"]) expect(sha256(text)).toBe(due(text));
  });
});
