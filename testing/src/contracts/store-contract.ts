import type { Append, Snapshot, Store, StoredRecord, StoredRequest } from "@lethe/ledger";
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
function next(
  snapshot: Snapshot,
  kind: string,
  requestId: string | null,
  { note = "", principal = "p", to = "" } = {},
): StoredRecord {
  const sequence = snapshot.head ? snapshot.head.sequence + 1 : 0;
  return {
    sequence,
    at: 1000 + sequence,
    kind,
    payload: JSON.stringify(
      requestId === null ? { note } : { note, requestId, principal, ...(to ? { to } : {}) },
    ),
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
  names: { readonly principal?: string; readonly to?: string } = {},
): Promise<StoredRecord> {
  return store.transact(of(requestId, names.principal), (snapshot) => {
    const record = next(snapshot, kind, requestId, names);
    const nodes = new Map([
      ["", `root ${record.sequence}`],
      [`a${record.sequence % 2}`, kind],
    ]);
    return { append: { record, balance: `after ${record.sequence}`, nodes, release }, result: record };
  });
}

function of(requestId: string | null, principal = "p"): StoredRequest | null {
  return requestId === null ? null : { principal, requestId };
}

/** The parts of a snapshot that can be compared. */
async function seen(store: Store, requestId: string | null, principal = "p") {
  return store.look(of(requestId, principal), ({ head, balance, request, release }) => ({
    head,
    balance,
    request,
    release,
  }));
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
        expect(await seen(store, "a")).toEqual({ head: null, balance: null, request: [], release: null });
        expect(await store.record(0)).toBeNull();
        expect(await store.readAll()).toEqual({
          records: [],
          balance: null,
          nodes: new Map(),
          releases: new Map(),
        });
        expect(await store.look(null, ({ node, record }) => [node(""), record(0)])).toEqual([null, null]);
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
          const snapshot = await seen(each, "a");
          expect(snapshot).toMatchObject({ head: settle, balance: "after 3", request: [reserve, settle] });
          expect([...snapshot.release!]).toEqual([...bytes]);
          expect((await seen(each, "b\u0001'\"é")).request).toEqual([other]);
          expect((await seen(each, "c")).request).toEqual([]);
          expect(await each.record(0)).toEqual(genesis);
          expect(await each.record(3)).toEqual(settle);
          expect(await each.record(4)).toBeNull();
          const { records, balance, nodes, releases } = await each.readAll();
          expect(nodes).toEqual(
            new Map([
              ["", "root 3"],
              ["a0", "reserve"],
              ["a1", "settle"],
            ]),
          );
          const read = ({ node, record, requestOf }: Snapshot): unknown[] => [
            ...["", "a0", "b"].map(node),
            record(1),
            record(4),
            requestOf({ principal: "p", requestId: "a" }),
          ];
          expect(await each.look(null, read)).toEqual([
            "root 3",
            "reserve",
            null,
            reserve,
            null,
            [reserve, settle],
          ]);
          expect(records).toEqual([genesis, reserve, other, settle]);
          expect(balance).toBe("after 3");
          expect([...releases.keys()]).toEqual([3]);
          expect(releases.get(3)).toMatch(/^[0-9a-f]{64}$/);
        }
      }));

    it("keeps requests of one id apart by their principals, and outcomes that name none with the charge before them", () =>
      withStore(async ({ store }) => {
        await append(store, "genesis", null);
        const own = await append(store, "reserve", "a", null, { principal: "ana" });
        const nameless = await store.transact(null, (snapshot) => {
          const record = { ...next(snapshot, "settle", null), payload: JSON.stringify({ requestId: "a" }) };
          return {
            append: { record, balance: "b", nodes: new Map(), release: new Uint8Array([7]) },
            result: record,
          };
        });
        const others = await append(store, "reserve", "a", null, { principal: "ben" });
        const settled = await append(store, "settle", "a", new Uint8Array([8]), { principal: "ben" });
        expect(await seen(store, "a", "ana")).toMatchObject({ request: [own, nameless] });
        expect(await seen(store, "a", "ben")).toMatchObject({ request: [others, settled] });
        expect(await seen(store, "a", "eve")).toMatchObject({ request: [], release: null });
        expect([...(await seen(store, "a", "ana")).release!]).toEqual([7]);
        expect([...(await seen(store, "a", "ben")).release!]).toEqual([8]);
        expect(await store.look(null, ({ principalsOf }) => principalsOf("a"))).toEqual(["ana", "ben"]);
      }));

    it("finds charges by whom they charge, newest first, a page at a time", () =>
      withStore(async ({ store }) => {
        await append(store, "genesis", null);
        const charges: StoredRecord[] = [];
        for (const [at, principal] of ["ana", "ben", "ana", "eve"].entries()) {
          charges.push(await append(store, "reserve", `r${at}`, null, { principal }));
          await append(store, "settle", `r${at}`, new Uint8Array([at]), { principal });
        }
        charges.push(await append(store, "share", "r1", null, { principal: "ben", to: "ana" }));
        const page = (principal: string | null, before: number | null, most: number) =>
          store.look(null, (snapshot) => snapshot.charges(principal, before, most));
        const [first, second, third, , last] = charges;
        expect(await page(null, null, 9)).toEqual([...charges].reverse());
        expect(await page("ana", null, 9)).toEqual([last, third, first]);
        expect(await page("ana", null, 1)).toEqual([last]);
        expect(await page("ana", last!.sequence, 1)).toEqual([third]);
        expect(await page("ben", null, 9)).toEqual([second]);
        expect(await page("nobody", null, 9)).toEqual([]);
      }));

    it("writes nothing when the decision writes nothing, and nothing at all when it throws", () =>
      withStore(async ({ store }) => {
        await append(store, "genesis", null);
        const before = await store.readAll();
        expect(await store.transact(of("a"), () => ({ append: null, result: 7 }))).toBe(7);
        const reason = { any: "value" };
        await expect(
          store.transact(of("a"), () => {
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
          const attempt = store.transact(of("a"), (snapshot) => {
            const entry: Append = {
              record: change(next(snapshot, "reserve", "a")),
              balance: "x",
              nodes: new Map([["", "x"]]),
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
        await append(store, "share", "a", null, { to: "ben" });
        await append(store, "share", "a", null, { to: "eve" });
        const before = await store.readAll();
        await expect(append(store, "share", "a", null, { to: "ben" })).rejects.toMatchObject({
          code: "ledger.corrupt",
        });
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

    it("decides what is asked for together as if one came after the other, whatever is refused among it", () =>
      withStore(async ({ store, open }) => {
        await append(store, "genesis", null);
        const refused = { any: "refusal" };
        const [first, none, second, twice, third] = await Promise.allSettled([
          append(store, "reserve", "a"),
          store.transact(of("b"), ({ head }) => {
            throw { ...refused, after: head?.sequence };
          }),
          append(store, "settle", "a", new Uint8Array([1])),
          append(store, "reserve", "a"),
          append(store, "note", null),
        ]);
        expect(none).toEqual({ status: "rejected", reason: { ...refused, after: 1 } });
        expect(twice).toMatchObject({ status: "rejected", reason: { code: "ledger.corrupt" } });
        const written = [first, second, third].map((each) => each?.status === "fulfilled" && each.value);
        for (const each of [store, await open()]) {
          const { records } = await each.readAll();
          expect(records.slice(1)).toEqual(written);
        }
        expect(written.map((record) => (record ? record.sequence : null))).toEqual([1, 2, 3]);
      }));

    it("writes what was asked for before it is closed", () =>
      withStore(async ({ store, open }) => {
        const handle = await open();
        const genesis = append(handle, "genesis", null);
        await handle.close();
        expect(await store.record(0)).toEqual(await genesis);
      }));

    it("runs work at the head that is durable", () =>
      withStore(async ({ store, open }) => {
        expect(await store.atHead((head) => head)).toBeNull();
        const genesis = await append(store, "genesis", null);
        const second = await open();
        const later = append(store, "note", null);
        const meanwhile = await second.atHead((head) => head);
        expect([genesis, await later]).toContainEqual(meanwhile);
        for (const each of [store, second]) expect(await each.atHead((head) => head)).toEqual(await later);
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
