import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { auditLogContract, contractRecord } from "../../../../testing/src/contracts/audit-log-contract.ts";
import { memoryAuditLog } from "../testing/memory-audit-log.ts";
import { type AuditEntry, emptyHead, entryAfter, verifyAuditLog } from "./audit-chain.ts";
import type { AuditLogStore } from "./audit-log.ts";
import { verifyAuditStore } from "./verify-audit-store.ts";

auditLogContract("memory", async () => ({ store: memoryAuditLog(), open: null, dispose: async () => {} }));

function chain(length: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  for (let number = 0; number < length; number += 1)
    entries.push(entryAfter(entries.at(-1) ?? emptyHead, contractRecord(number)));
  return entries;
}
const corrupt = expect.objectContaining({ code: "log.corrupt" });

describe("the chain", () => {
  it("holds as it was written, also from a place within it", () => {
    const entries = chain(6);
    expect(verifyAuditLog(entries)).toEqual({ sequence: 5, hash: entries[5]!.hash });
    expect(verifyAuditLog(entries.slice(3), entries[2]!)).toMatchObject({ sequence: 5 });
    expect(verifyAuditLog([])).toEqual(emptyHead);
  });

  it("shows a change of any member, an entry left out, put in, or in another order", () => {
    const changes: readonly ((entries: AuditEntry[], at: number) => AuditEntry[])[] = [
      (entries, at) => entries.map((entry, index) => (index === at ? { ...entry, at: entry.at + 1 } : entry)),
      (entries, at) =>
        entries.map((entry, index) =>
          index === at ? { ...entry, actor: { ...entry.actor, name: "bob" } } : entry,
        ),
      (entries, at) =>
        entries.map((entry, index) => (index === at ? { ...entry, fact: { kind: "signed-out" } } : entry)),
      (entries, at) =>
        entries.map((entry, index) => (index === at ? { ...entry, hash: "0".repeat(64) } : entry)),
      (entries, at) =>
        entries.map((entry, index) => (index === at ? { ...entry, sequence: entry.sequence + 1 } : entry)),
      (entries, at) => entries.filter((_, index) => index !== at),
      (entries, at) => [...entries.slice(0, at), entries[at]!, ...entries.slice(at)],
      (entries, at) => [...entries.slice(0, at), entries[at + 1]!, entries[at]!, ...entries.slice(at + 2)],
      // An entry that is made again, and whose hash is right for what it says, does not fit the next one.
      (entries, at) => [
        ...entries.slice(0, at),
        entryAfter(entries[at - 1] ?? emptyHead, contractRecord(99)),
        ...entries.slice(at + 1),
      ],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...changes), fc.nat(4), (change, at) => {
        expect(() => verifyAuditLog(change(chain(6), at))).toThrow(corrupt);
      }),
    );
  });

  it("shows a cut at its end to whoever kept a head, and one that was written anew", () => {
    const entries = chain(6);
    const kept = { sequence: 4, hash: entries[4]!.hash };
    expect(verifyAuditLog(entries, emptyHead, kept)).toMatchObject({ sequence: 5 });
    expect(verifyAuditLog(entries.slice(0, 5), emptyHead, kept)).toMatchObject({ sequence: 4 });
    expect(() => verifyAuditLog(entries.slice(0, 4), emptyHead, kept)).toThrow(corrupt);
    expect(() => verifyAuditLog([], emptyHead, kept)).toThrow(corrupt);
    const anew = [entryAfter(emptyHead, contractRecord(9))];
    while (anew.length < 6) anew.push(entryAfter(anew.at(-1)!, contractRecord(anew.length)));
    expect(verifyAuditLog(anew)).toMatchObject({ sequence: 5 });
    expect(() => verifyAuditLog(anew, emptyHead, kept)).toThrow(corrupt);
  });
});

describe("a log in its store", () => {
  const entries = chain(2500);
  const head = { sequence: 2499, hash: entries[2499]!.hash };
  /** A store that holds what somebody left of the log. */
  const holding = (left: readonly AuditEntry[]): AuditLogStore => ({
    head: async () => left.at(-1) ?? emptyHead,
    write: async () => [],
    page: async (before, most) =>
      left
        .filter(({ sequence }) => before === null || sequence < before)
        .slice(-most)
        .reverse(),
  });

  it("holds over many pages, also against a head within it", async () => {
    expect(await verifyAuditStore(holding(entries))).toEqual(head);
    for (const at of [0, 999, 1000, 2499])
      expect(await verifyAuditStore(holding(entries), { sequence: at, hash: entries[at]!.hash })).toEqual(
        head,
      );
    expect(await verifyAuditStore(holding([]))).toEqual(emptyHead);
  });

  it("shows what is gone, at the border of a page and within one, and a head that is another", async () => {
    for (const at of [0, 1, 999, 1000, 1001, 2000, 2498])
      await expect(
        verifyAuditStore(holding(entries.filter((_, place) => place !== at))),
      ).rejects.toMatchObject({
        code: "log.corrupt",
        fields: { sequence: at },
      });
    // Whole pages.
    const holed = entries.filter(({ sequence }) => sequence < 500 || sequence > 2400);
    await expect(verifyAuditStore(holding(holed))).rejects.toMatchObject({ fields: { sequence: 500 } });
    for (const at of [5, 1500, 2499])
      await expect(
        verifyAuditStore(holding(entries), { sequence: at, hash: "0".repeat(64) }),
      ).rejects.toMatchObject({ code: "log.corrupt", fields: { sequence: at } });
    await expect(verifyAuditStore(holding(entries.slice(0, 2000)), head)).rejects.toMatchObject({
      fields: { sequence: 2499 },
    });
  });
});
