import { type AuditLogStore, type AuditRecord, emptyHead, verifyAuditLog } from "@lethe/serve";
import { afterEach, describe, expect, it } from "vitest";

export interface AuditLogSubject {
  readonly store: AuditLogStore;
  /** Another handle on the same log; null for a store that has none. */
  readonly open: (() => Promise<AuditLogStore>) | null;
  dispose(): Promise<void>;
}

/** A record that differs by its number. */
export function contractRecord(number: number): AuditRecord {
  return {
    at: 1_700_000_000_000 - number,
    actor: { name: "ada", by: "token", id: "0".repeat(16), address: "192.0.2.1" },
    fact: {
      kind: "asked",
      request: `r${number}`,
      question: "0".repeat(64),
      ledger: number,
      outcome: "charged",
    },
  };
}

/** What every store of the audit log must do. */
export function auditLogContract(name: string, make: () => Promise<AuditLogSubject>): void {
  describe(`the audit log in ${name}`, () => {
    const subjects: AuditLogSubject[] = [];
    async function opened(): Promise<AuditLogSubject> {
      const subject = await make();
      subjects.push(subject);
      return subject;
    }
    afterEach(async () => {
      for (const subject of subjects.splice(0)) await subject.dispose();
    });

    it("is empty at first", async () => {
      const { store } = await opened();
      expect(await store.head()).toMatchObject(emptyHead);
      expect(await store.page(null, 10)).toEqual([]);
    });

    it("appends in order, and gives pages from the newest on", async () => {
      const { store } = await opened();
      const entries = [];
      for (let number = 0; number < 5; number += 1)
        entries.push(...(await store.write([contractRecord(number)])));
      expect(entries.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4]);
      expect(await store.page(null, 2)).toEqual([entries[4], entries[3]]);
      expect(await store.page(3, 2)).toEqual([entries[2], entries[1]]);
      expect(await store.page(1, 9)).toEqual([entries[0]]);
      expect(await store.page(0, 9)).toEqual([]);
      expect(verifyAuditLog(entries)).toEqual({ sequence: 4, hash: entries[4]!.hash });
      expect(await store.head()).toMatchObject({ sequence: 4, hash: entries[4]!.hash });
    });

    it("writes the records of one call in their order, with none between them, and nothing for none", async () => {
      const { store, open } = await opened();
      const handles = open ? [store, await open()] : [store];
      const groups = Array.from({ length: 12 }, (_, group) => [0, 1, 2].map((each) => 3 * group + each));
      const written = await Promise.all(
        groups.map((group, at) => handles[at % handles.length]!.write(group.map(contractRecord))),
      );
      expect(await store.write([])).toEqual([]);
      const entries = [...(await store.page(null, 99))].reverse();
      expect(verifyAuditLog(entries).sequence).toBe(35);
      for (const [at, group] of groups.entries()) {
        const first = written[at]![0]!.sequence;
        expect(entries.slice(first, first + 3)).toEqual(written[at]);
        expect(written[at]).toMatchObject(group.map(contractRecord));
      }
    });

    it("loses and doubles none of many at the same time, also through several handles", async () => {
      const { store, open } = await opened();
      const handles = open ? [store, await open(), await open()] : [store];
      const writes = Array.from({ length: 30 }, (_, number) =>
        handles[number % handles.length]!.write([contractRecord(number)]),
      );
      await Promise.all(writes);
      const entries = [...(await store.page(null, 99))].reverse();
      expect(verifyAuditLog(entries).sequence).toBe(29);
      const requests = entries.map(({ fact }) => (fact.kind === "asked" ? fact.request : ""));
      expect([...requests].sort()).toEqual(Array.from({ length: 30 }, (_, number) => `r${number}`).sort());
    });
  });
}
