import { createHash } from "node:crypto";
import { canonicalJson } from "@lethe/core/canonical";
import type { Ledger } from "@lethe/ledger";
import { describe, expect, it } from "vitest";
import { certificateHash, earlierRelease, releasedNumbers } from "./earlier-release.ts";
import type { Release } from "./release.ts";

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
const signed = (text: string): string => `signed ${sha(text)}`;

const answered = {
  columns: [
    { name: "ward", kind: "key" },
    { name: "n", kind: "aggregate" },
  ],
  rows: [["north", { value: 40, lower: 30, upper: 50 }]],
  missing: [],
  notes: [],
};
const certificate = { requestId: "first", principal: "ana", rowsHash: sha(canonicalJson(answered)) };
const release = { version: 1, ...answered, certificate, signature: signed(canonicalJson(certificate)) };

const ledgerOf = (kept: unknown): Ledger =>
  ({
    settled: async (id: string, principal: string) =>
      id === "first" && principal === "ana" ? { principal, release: JSON.stringify(kept) } : null,
    askersOf: async (id: string) => (id === "first" ? ["ana"] : []),
    sign: async (text: string) => signed(text),
  }) as unknown as Ledger;
const find = (principal: string, held?: unknown, kept: unknown = release, id = "first"): Promise<Release> =>
  earlierRelease(id, held === undefined ? { principal } : { principal, held }, ledgerOf(kept));

describe("an earlier release", () => {
  it("is given to whoever asked for it, to the owner, and to whoever holds it", async () => {
    expect(await find("ana")).toEqual(release);
    expect(await find("owner")).toEqual(release);
    expect(await find("bo", release)).toEqual(release);
    // However its keys are ordered.
    expect(await find("bo", Object.fromEntries(Object.entries(release).reverse()))).toEqual(release);
  });

  it("is refused to strangers, in the words that stand for one that never was", async () => {
    const refusal = {
      code: "query.option",
      message: 'bo has no release under the id "first"',
      fix: expect.stringContaining("hand over the release itself"),
    };
    await expect(find("bo")).rejects.toMatchObject(refusal);
    await expect(find("bo", null)).rejects.toMatchObject(refusal);
    // Nor does a release that one has written oneself show that there is another.
    await expect(find("bo", { ...release, notes: ["forged"] })).rejects.toMatchObject(refusal);
    for (const held of [undefined, release])
      await expect(find("owner", held, release, "never")).rejects.toMatchObject({
        code: "query.option",
        message: 'owner has no release under the id "never"',
      });
  });

  it("is refused where what is held is another", async () => {
    for (const held of [{ ...release, notes: ["forged"] }, {}, "first"])
      await expect(find("ana", held)).rejects.toMatchObject({
        code: "release.invalid",
        message: expect.stringContaining("is not the one that this ledger answered"),
      });
  });

  it("is refused where what is kept was changed: its rows, its certificate or its signature", async () => {
    const richer = { ...certificate, principal: "bo" };
    for (const kept of [
      { ...release, rows: [["north", { value: 41, lower: 30, upper: 50 }]] },
      { ...release, groupings: [] },
      { ...release, certificate: richer },
      { ...release, signature: signed("another") },
    ])
      await expect(find("ana", undefined, kept)).rejects.toMatchObject({
        code: "release.invalid",
        message: expect.stringContaining("does not bear this ledger's signature"),
      });
  });

  it("bears the hash of its certificate as its name", () => {
    const of = release as unknown as Release;
    expect(certificateHash(of)).toBe(sha(canonicalJson(certificate)));
  });
});

describe("the numbers of a release", () => {
  it("are those of columns of estimates, unknown ones left out, and of columns of one name together", () => {
    const at = (value: number | null) => ({ value, lower: value, upper: value });
    const of = {
      columns: [
        { name: "ward", kind: "key" },
        { name: "n", kind: "aggregate" },
        { name: "share", kind: "computed" },
        { name: "low", kind: "label" },
        { name: "n", kind: "aggregate" },
        { name: "day", kind: "aggregate" },
      ],
      rows: [
        [1, at(10), at(null), 3, at(0), { value: "2024-01-01", lower: "2024-01-01", upper: "2024-01-01" }],
        [2, at(20), at(0.5), 4, at(-2), { value: "2024-01-02", lower: "2024-01-01", upper: "2024-01-03" }],
      ],
      certificate,
    } as unknown as Release;
    const { requestId, columns } = releasedNumbers(of);
    expect(requestId).toBe("first");
    expect([...columns]).toEqual([
      ["n", [10, 20, 0, -2]],
      ["share", [0.5]],
      ["day", []],
    ]);
  });
});
