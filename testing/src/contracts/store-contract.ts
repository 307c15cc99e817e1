import type { Append, Snapshot, Store, StoredRecord } from "@lethe/ledger";
import { describe, expect, it } from "vitest";

/** A store under test: `open` gives another handle to the same records, as another process would have. */
export interface StoreSubject {
  readonly store: Store;
  open(): Promise<Store>;
  /** Closes what is open and removes everything. */
  dispose(): Promise<void>;
}

const zeros = "0".repeat(64);

function hex(n: number): string {
  return n.toString(16).padStart(64, "0");
}

/** The record that may follow a snapshot's head; a store gives its texts no meaning. */
function next(snapshot: Snapshot, kind: string, requestId: string | null, note = ""): StoredRecord {
  const sequence = snapshot.head ? snapshot.head.sequence + 1 : 0;
  return {
    sequence,
    at: 1000 + sequence,
    kind,
    payload: JSON.stringify(requestId === null ? { note } : { note, requestId }),
    balance: hex(0xb0000 + sequence),
    previous: snapshot.head?.hash ?? zeros,
    hash: hex(sequence + 1),
  };
}

async function append(
  store: Store,
  kind: string,
  requestId: string | null,
  release: Uint8Array | null = null,
): Promise<StoredRecord> {
  return store.transact(requestId, (snapshot) => {
    const record = next(snapshot, kind, requestId);
    return { append: { record, balance: `after ${record.sequence}`, release }, result: record };
  });
}

/** Tests the promises of every store. Run it with a maker of empty stores. */
export function storeContract(name: string, make: () => Promise<StoreSubject>): void {
  async function withStore(use: (subject: StoreSubject) => Promise<void>): Promise<void> {
    const subject = await make();
    try {
      await use(subject);
    } finally {
      await subject.dispose();
    }
  }

  describe(`${name} keeps the store contract`, () => {
    it("is empty at first", () =>
      withStore(async ({ store }) => {
        expect(await store.snapshot("a")).toEqual({ head: null, balance: null, request: [], release: null });
        expect(await store.record(0)).toBeNull();
        expect(await store.readAll()).toEqual({ records: [], balance: null, releases: new Map() });
        expect(await store.sound()).toBe(true);
      }));

    it("gives back what was appended, through every handle", () =>
      withStore(async ({ store, open }) => {
        const bytes = new TextEncoder().encode("\u0000 bytes \u{1f512}");
        const genesis = await append(store, "genesis", null);
        const reserve = await append(store, "reserve", "a");
        const other = await append(store, "reserve", "b\u0001'\"é");
        const settle = await append(store, "settle", "a", bytes);
        for (const each of [store, await open()]) {
          const snapshot = await each.snapshot("a");
          expect(snapshot).toMatchObject({ head: settle, balance: "after 3", request: [reserve, settle] });
          expect([...snapshot.release!]).toEqual([...bytes]);
          expect((await each.snapshot("b\u0001'\"é")).request).toEqual([other]);
          expect((await each.snapshot("c")).request).toEqual([]);
          expect(await each.record(0)).toEqual(genesis);
          expect(await each.record(3)).toEqual(settle);
          expect(await each.record(4)).toBeNull();
          expect(await each.newest("reserve", null, 9)).toEqual([other, reserve]);
          expect(await each.newest("reserve", null, 1)).toEqual([other]);
          expect(await each.newest("reserve", 2, 9)).toEqual([reserve]);
          expect(await each.newest("fail", null, 9)).toEqual([]);
          const { records, balance, releases } = await each.readAll();
          expect(records).toEqual([genesis, reserve, other, settle]);
          expect(balance).toBe("after 3");
          expect([...releases.keys()]).toEqual([3]);
          expect(releases.get(3)).toMatch(/^[0-9a-f]{64}$/);
        }
      }));

    it("shows a decision every record before it, of the same moment", () =>
      withStore(async ({ store, open }) => {
        const second = await open();
        const seen: number[] = [];
        const note = async (each: Store): Promise<null> =>
          each.transact(null, (snapshot, past) => {
            const records = past();
            expect(records.at(-1) ?? null).toEqual(snapshot.head);
            expect(records.map(({ sequence }) => sequence)).toEqual(records.map((_, place) => place));
            seen.push(records.length);
            const record = next(snapshot, "note", null);
            return { append: { record, balance: "b", release: null }, result: null };
          });
        await Promise.all(Array.from({ length: 12 }, (_, i) => note(i % 2 ? store : second)));
        expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i));
      }));

    it("writes nothing when the decision writes nothing, and nothing at all when it throws", () =>
      withStore(async ({ store }) => {
        await append(store, "genesis", null);
        const before = await store.readAll();
        expect(await store.transact("a", () => ({ append: null, result: 7 }))).toBe(7);
        const reason = { any: "value" };
        await expect(
          store.transact("a", () => {
            throw reason;
          }),
        ).rejects.toBe(reason);
        expect(await store.readAll()).toEqual(before);
        await append(store, "reserve", "a");
      }));

    it("refuses a record that does not follow the head, and stays as it was", () =>
      withStore(async ({ store }) => {
        await append(store, "genesis", null);
        const before = await store.readAll();
        const wrong: ((record: StoredRecord) => StoredRecord)[] = [
          (record) => ({ ...record, sequence: record.sequence + 1 }),
          (record) => ({ ...record, sequence: record.sequence - 1 }),
          (record) => ({ ...record, previous: zeros }),
        ];
        for (const change of wrong) {
          const attempt = store.transact("a", (snapshot) => {
            const entry: Append = {
              record: change(next(snapshot, "reserve", "a")),
              balance: "x",
              release: null,
            };
            return { append: entry, result: null };
          });
          await expect(attempt).rejects.toMatchObject({ code: "ledger.corrupt" });
        }
        expect(await store.readAll()).toEqual(before);
      }));

    it("holds one charge and one answer a request, whatever is decided", () =>
      withStore(async ({ store }) => {
        await append(store, "genesis", null);
        await append(store, "reserve", "a");
        await append(store, "fail", "a");
        await append(store, "fail", "a");
        await append(store, "settle", "a", new Uint8Array([1]));
        const before = await store.readAll();
        for (const kind of ["reserve", "settle"]) {
          await expect(append(store, kind, "a")).rejects.toMatchObject({ code: "ledger.corrupt" });
        }
        expect(await store.readAll()).toEqual(before);
      }));

    it("decides one after the other: two handles never build on the same head", () =>
      withStore(async ({ store, open }) => {
        const second = await open();
        const rounds = Array.from({ length: 40 }, (_, i) => append(i % 2 ? store : second, "note", `n${i}`));
        const records = await Promise.all(rounds);
        expect(new Set(records.map(({ sequence }) => sequence)).size).toBe(40);
        const { records: kept } = await store.readAll();
        expect(kept.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 40 }, (_, i) => i));
        expect(kept.slice(1).every(({ previous }, i) => previous === kept[i]!.hash)).toBe(true);
      }));

    it("closes twice without complaint and refuses work after", () =>
      withStore(async ({ open }) => {
        const handle = await open();
        await handle.close();
        await handle.close();
        await expect(handle.readAll()).rejects.toMatchObject({ code: "ledger.unreadable" });
      }));
  });
}
