import type { PrivacyLossText } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { statedBudget } from "../account/stated-budget.ts";
import { readAccount } from "../scopes/account.ts";
import type { Append, Contents, Snapshot, StoredRecord } from "../stores/store.ts";
import { memoryStore } from "../testing/memory-store.ts";
import { pureBudget, pureLoss } from "../testing/temporary-ledger.ts";
import { emptyRoot } from "../tree/hash-tree.ts";
import { advance } from "./advance.ts";
import type { Entry } from "./entry.ts";
import { type RequestHistory, remember, untouched } from "./history.ts";
import { sealAfter } from "./record.ts";
import { noRecord, recordHash, sha256 } from "./record-hash.ts";
import { replay } from "./replay.ts";
import { booksOf, readState } from "./state.ts";

const pure = (epsilon: string): PrivacyLossText => ({ measure: "pure", epsilon });
const reserve = (requestId: string, epsilon = "1/8", principal = "ana"): Entry => ({
  kind: "reserve",
  payload: {
    requestId,
    requestHash: "0".repeat(64),
    principal,
    project: null,
    dataSets: [],
    loss: pure(epsilon),
    event: { kind: "constant", version: 1 },
    text: `SELECT ${requestId}`,
  },
});
const answer = Buffer.from("the answer");
const budget = statedBudget(pureBudget("1", { ana: "1/2" }));
const less = statedBudget({ ...pureBudget("3/4", { ana: "1/2" }), closed: true });
const entries: readonly Entry[] = [
  {
    kind: "genesis",
    payload: {
      version: 2,
      budget,
      failureCap: 5,
      failureCapEach: 5,
      policyHash: "ab",
      publicKey: "key",
      source: "people",
    },
  },
  reserve("a"),
  reserve("b", "1/4", "owner"),
  { kind: "settle", payload: { principal: "ana", requestId: "a", sha256: sha256(answer) } },
  { kind: "fail", payload: { principal: "owner", requestId: "b" } },
  {
    kind: "grant",
    payload: {
      scope: ["account"],
      add: { main: "1", delta: null },
      failures: 0,
      policyHash: "ab",
      reason: "more",
    },
  },
  { kind: "apply", payload: { budget: less, renamed: [], reason: "less" } },
];

/** A chain of these entries with right hashes. */
async function chainOf(of: readonly Entry[]): Promise<{ appends: readonly Append[]; contents: Contents }> {
  const store = memoryStore();
  const appends: Append[] = [];
  const histories = new Map<string, RequestHistory>();
  for (const [at, entry] of of.entries()) {
    const id = "requestId" in entry.payload ? entry.payload.requestId : "";
    const history = histories.get(id) ?? untouched;
    histories.set(id, remember(history, entry));
    await store.transact(null, ({ head, balance, node }) => {
      const before = balance === null ? null : readAccount(balance);
      const tree = { root: before?.root ?? emptyRoot, node };
      const books = before && booksOf(before.account, tree);
      const posting = advance(books, entry, history, { sequence: at, at: 1000 + at });
      const append = sealAfter(
        head,
        1000 + at,
        entry,
        posting,
        tree,
        entry.kind === "settle" ? answer : null,
      );
      appends.push(append);
      return { append, result: null };
    });
  }
  return { appends, contents: store.contents() };
}

const { appends, contents: whole } = await chainOf(entries);
const records = appends.map(({ record }) => record);
/** The record in a place with other content, under a hash that is right again. */
const changedAt = (place: number, changed: Partial<StoredRecord>): Contents => ({
  ...whole,
  records: records.map((record, at) => {
    if (at !== place) return record;
    const { hash: _, ...open } = { ...record, ...changed };
    return { ...open, hash: recordHash(open) };
  }),
});

describe("a chain told from its beginning", () => {
  const told = replay(whole);

  it("leads to its account, its scopes, its head and its first terms", () => {
    expect(told.problem).toBeNull();
    expect(told.account).toEqual(readAccount(whole.balance!).account);
    expect(told.account).toMatchObject({
      meters: [{ limit: { main: { num: 3n, den: 4n } }, spent: pureLoss("3/8") }],
      failures: 1,
      open: 0,
      closed: true,
      seen: 1006,
      stated: { sequence: 6 },
    });
    expect([...told.scopes.values()].map(({ name, listed, failures }) => [name, listed, failures])).toEqual([
      [["analyst", "ana"], true, 0],
      [["analyst", "owner"], false, 1],
    ]);
    expect(told.head).toEqual(records.at(-1));
    expect(told.genesis).toEqual(entries[0]!.payload);
    expect(told.isFirst).toBe(false);
  });

  it("holds each charge with what became of it, and each change of the budget", () => {
    expect(
      told.charges.map(({ record, payload, history }) => [
        record.sequence,
        payload.requestId,
        history.settled,
        history.failures,
      ]),
    ).toEqual([
      [1, "a", true, 0],
      [2, "b", false, 1],
    ]);
    expect(told.budgets.map(({ record, kind, reason }) => [record.sequence, kind, reason])).toEqual([
      [5, "grant", "more"],
      [6, "apply", "less"],
    ]);
  });

  const without = (place: number): Contents => ({
    ...whole,
    records: records.filter((_, at) => at !== place),
  });
  it.each<[string, Contents, number | null, RegExp, number]>([
    ["a first record that is missing", without(0), 0, /^it is missing, or another stands in its place$/, 0],
    ["a record that is missing", without(4), 4, /^it is missing, or another stands in its place$/, 4],
    [
      "a record that is there twice",
      { ...whole, records: [...records.slice(0, 2), ...records.slice(1)] },
      2,
      /^it is missing/,
      2,
    ],
    [
      "another record before it",
      changedAt(3, { previous: records[1]!.hash }),
      3,
      /^it does not follow the one before$/,
      3,
    ],
    [
      "a first record that follows one",
      changedAt(0, { previous: records[1]!.hash }),
      0,
      /^it does not follow/,
      0,
    ],
    ["a record sealed anew", changedAt(3, { at: 1002 }), 3, /^the balance after it is another$/, 3],
    ["a record sealed anew", changedAt(4, { kind: "settle" }), 4, /fields of its kind/, 4],
    [
      "content that its hash is not of",
      { ...whole, records: records.map((record, at) => (at === 2 ? { ...record, at: 7 } : record)) },
      2,
      /^its hash is not that of its content$/,
      2,
    ],
    [
      "another balance after it",
      changedAt(2, { balance: "0".repeat(64) }),
      2,
      /^the balance after it is another$/,
      2,
    ],
    [
      "another release",
      { ...whole, releases: new Map([[3, "0".repeat(64)]]) },
      3,
      /^the stored release is not the one/,
      3,
    ],
    ["no release", { ...whole, releases: new Map() }, 3, /^the stored release is not the one/, 3],
    [
      "a release too many",
      { ...whole, releases: new Map([...whole.releases, [2, sha256(answer)]]) },
      null,
      /^a release belongs to record 2, which settles nothing$/,
      7,
    ],
    [
      "another balance beside it",
      { ...whole, balance: appends[5]!.balance },
      null,
      /^the balance kept beside the records/,
      7,
    ],
    ["no scope beside it", { ...whole, nodes: new Map() }, null, /^the scopes kept beside the records/, 7],
    [
      "a scope too many",
      { ...whole, nodes: new Map([...whole.nodes, ["fff", "L"]]) },
      null,
      /^the scopes kept beside the records/,
      7,
    ],
    ["no balance beside it", { ...whole, balance: null }, null, /^the balance kept beside the records/, 7],
    ["no record at all", { ...whole, records: [] }, null, /^it is empty$/, 0],
  ])("is told up to %s", (_, contents, sequence, reason, held) => {
    const found = replay(contents);
    expect(found.problem).toEqual({ sequence, reason: expect.stringMatching(reason) });
    expect(found.head?.sequence ?? -1).toBe(held - 1);
    expect(found.charges.map(({ record }) => record.sequence)).toEqual(
      [1, 2].filter((place) => place < held),
    );
  });

  it("does not hide an error that is no finding", () => {
    const broken = { ...whole, releases: null } as unknown as Contents;
    expect(() => replay(broken)).toThrow(TypeError);
  });
});

describe("a record", () => {
  it("follows the head by one, names its hash, and the first follows none", () => {
    expect(records.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(records.map(({ previous }) => previous)).toEqual([
      noRecord,
      ...records.slice(0, -1).map(({ hash }) => hash),
    ]);
    expect(noRecord).toBe("0".repeat(64));
    expect(records.map(({ at }) => at)).toEqual([1000, 1001, 1002, 1003, 1004, 1005, 1006]);
    for (const [at, { record, balance }] of appends.entries()) {
      expect(record.balance).toBe(sha256(balance));
      expect(record.kind).toBe(entries[at]!.kind);
    }
    expect(appends.map(({ release }) => release)).toEqual([null, null, null, answer, null, null, null]);
  });
});

describe("a snapshot of a request", () => {
  const last = appends.at(-1)!;
  const of = (id: string, release: Uint8Array | null = null): Snapshot => {
    const request = records.filter(({ payload }) => JSON.parse(payload).requestId === id);
    return {
      head: last.record,
      balance: last.balance,
      request,
      release,
      node: (path) => whole.nodes.get(path) ?? null,
      record: (sequence) => records[sequence] ?? null,
      requestOf: () => request,
      principalsOf: () => [],
      charges: () => [],
    };
  };

  it("holds what was paid, what became of it, and the bytes that settled it", () => {
    const settled = readState(of("a", answer));
    expect(settled).toMatchObject({ head: last.record, release: "the answer" });
    expect(settled.account).toEqual(readAccount(last.balance).account);
    expect(settled.paid).toEqual({ record: records[1], payload: entries[1]!.payload });
    expect(settled.history).toMatchObject({ settled: true, failures: 0 });
    const failed = readState(of("b"));
    expect(failed).toMatchObject({ release: null, history: { settled: false, failures: 1 } });
    expect(failed.paid?.record).toEqual(records[2]);
    expect(readState(of("c"))).toMatchObject({ paid: null, release: null, history: untouched });
  });

  it("is corrupt with another balance than its head's", () => {
    expect(() => readState({ ...of("a"), balance: `${last.balance} ` })).toThrow(
      /the balance is not the one of the last record/,
    );
    expect(() => readState({ ...of("a"), balance: null })).toThrow(/it is empty/);
  });

  it("is corrupt where the release is missing or is another, at the record that settled it", () => {
    for (const release of [null, Buffer.from("another")])
      expect(() => readState(of("a", release))).toThrow(
        expect.objectContaining({
          code: "ledger.corrupt",
          fields: { reason: "the stored release is not the one that was recorded", sequence: 3 },
        }),
      );
  });

  it("is corrupt where it is empty, in no place of the chain", () => {
    expect(() => readState({ ...of("a"), head: null })).toThrow(
      expect.objectContaining({
        code: "ledger.corrupt",
        message: "the ledger does not hold: it is empty",
        fields: { reason: "it is empty" },
      }),
    );
  });

  it("is corrupt where a record was changed after it was read, field by field", () => {
    const { request } = of("b");
    expect(() => readState(of("b"))).not.toThrow();
    const [first, ...others] = request;
    for (const changed of [
      { payload: first!.payload.replace("1", "2") },
      { at: first!.at + 1 },
      { kind: "fail" },
      { sequence: first!.sequence + 1 },
      { balance: "0".repeat(64) },
      { previous: "1".repeat(64) },
    ]) {
      const odd = [{ ...first!, ...changed }, ...others];
      expect(odd[0], "a change").not.toEqual(first);
      expect(() => readState({ ...of("b"), request: odd }), JSON.stringify(changed)).toThrow(
        /does not hold: its hash/,
      );
    }
  });

  it("is corrupt where the head or a record of the request was changed", () => {
    const odd = { ...of("b"), head: { ...last.record, at: 1 } };
    expect(() => readState(odd)).toThrow(/record 6 of the ledger does not hold: its hash/);
    const request = of("b").request.map((record) => ({ ...record, kind: "settle" }));
    expect(() => readState({ ...of("b"), request })).toThrow(
      /record 2 of the ledger does not hold: its hash/,
    );
  });
});
