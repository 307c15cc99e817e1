import type { PrivacyLossText } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { statedBudget } from "../account/stated-budget.ts";
import type { Books, Posting } from "../scopes/books.ts";
import { scopeKey } from "../scopes/scope-name.ts";
import type { StoredRecord } from "../stores/store.ts";
import { pureBudget } from "../testing/temporary-ledger.ts";
import { advance } from "./advance.ts";
import {
  type ApplyPayload,
  type Entry,
  entryOf,
  type GrantPayload,
  type LimitPayload,
  type ReservePayload,
} from "./entry.ts";
import { type RequestHistory, remember, untouched } from "./history.ts";
import { readFirstRecord, readRecord, readRequestRecord } from "./record.ts";
import { recordHash } from "./record-hash.ts";

const pure = (epsilon: string): PrivacyLossText => ({ measure: "pure", epsilon });
const zcdp = (rho: string): PrivacyLossText => ({ measure: "zcdp", rho, delta: "0" });
const budget = statedBudget({
  ...pureBudget("1", { ana: "1/2", ben: "1" }),
  projects: { p: { main: { num: 1n, den: 8n }, analysts: { ana: { main: null } } } },
});
const genesis: Entry = {
  kind: "genesis",
  payload: {
    version: 2,
    budget,
    failureCap: 3,
    failureCapEach: 2,
    policyHash: "ab",
    publicKey: "key",
    source: "people",
  },
};
const paid: ReservePayload = {
  requestId: "a",
  requestHash: "0".repeat(64),
  principal: "ana",
  project: null,
  dataSets: [],
  loss: pure("1/4"),
  event: { kind: "constant", version: 1 },
  text: "SELECT a",
};
const reserve = (changed: Partial<ReservePayload> = {}): Entry => ({
  kind: "reserve",
  payload: { ...paid, ...changed },
});
const settle: Entry = {
  kind: "settle",
  payload: { principal: "ana", requestId: "a", sha256: "0".repeat(64) },
};
const fail: Entry = { kind: "fail", payload: { principal: "ana", requestId: "a" } };
const share = (to: string, loss = pure("1/4"), project: string | null = null): Entry => ({
  kind: "share",
  payload: { principal: "ana", requestId: "a", to, project, loss },
});
const grant = (changed: Partial<GrantPayload> = {}): Entry => ({
  kind: "grant",
  payload: {
    scope: ["account"],
    add: { main: "1", delta: null },
    failures: 0,
    policyHash: "ab",
    reason: "r",
    ...changed,
  },
});
const limit = (changed: Partial<LimitPayload>): Entry => ({
  kind: "limit",
  payload: { scope: ["analyst", "ana"], what: "revoke", cap: null, reason: "r", ...changed },
});
const apply = (changed: Partial<ApplyPayload> = {}): Entry => ({
  kind: "apply",
  payload: { budget, renamed: [], reason: "", ...changed },
});

/** The books after entries that may stand, each with the history of a request of its own unless one is given. */
function after(...entries: readonly (Entry | readonly [Entry, RequestHistory])[]): Books {
  const scopes = new Map();
  let account: Posting["account"] | null = null;
  for (const [at, given] of entries.entries()) {
    const [entry, history] = Array.isArray(given) ? given : [given as Entry, untouched];
    const books = account && {
      account,
      scope: (name: Parameters<Books["scope"]>[0]) => scopes.get(scopeKey(name)) ?? null,
      all: () => scopes.values(),
    };
    const posting: Posting = advance(books, entry, history, { sequence: at, at: 1000 });
    account = posting.account;
    for (const scope of posting.scopes) scopes.set(scopeKey(scope.name), scope);
  }
  return {
    account: account!,
    scope: (name) => scopes.get(scopeKey(name)) ?? null,
    all: () => scopes.values(),
  };
}

const reserved = remember(untouched, reserve());
const settled = remember(reserved, settle);
const received = remember(settled, share("ben"));
const begun = after(genesis);
const spent = after(genesis, reserve());
const answered = after(genesis, reserve(), [settle, reserved]);

describe("what may not stand in a chain", () => {
  const corrupt = (reason: RegExp): Error =>
    expect.objectContaining({
      code: "ledger.corrupt",
      fields: expect.objectContaining({ reason: expect.stringMatching(reason) }),
    }) as unknown as Error;
  const two = [
    { from: "ana", to: "eva" },
    { from: "ben", to: "eva" },
  ];
  const other = (shares: Readonly<Record<string, string>>, cap = "1") =>
    statedBudget(pureBudget(cap, shares));

  it.each<[string, Books | null, Entry, RequestHistory, RegExp]>([
    ["a second genesis", begun, genesis, untouched, /second beginning/],
    [
      "a genesis without a budget",
      null,
      { ...genesis, payload: { ...genesis.payload, budget: {} } } as Entry,
      untouched,
      /budget is none/,
    ],
    ["a charge before the genesis", null, reserve(), untouched, /begin with its genesis/],
    [
      "an upgrade of what is of today",
      begun,
      { kind: "upgrade", payload: { version: 2 } },
      untouched,
      /second upgrade/,
    ],
    ["a second charge of one request", spent, reserve(), reserved, /second charge/],
    ["a charge of another measure", begun, reserve({ loss: zcdp("0") }), untouched, /measure/],
    [
      "a charge above the account's cap",
      begun,
      reserve({ principal: "owner", loss: pure("11/10") }),
      untouched,
      /exceeds a cap/,
    ],
    ["a charge above an analyst's", begun, reserve({ loss: pure("3/4") }), untouched, /exceeds a cap/],
    ["a charge above a project's", begun, reserve({ project: "p" }), untouched, /exceeds a cap/],
    ["a charge by nobody known", begun, reserve({ principal: "eve" }), untouched, /unknown principal/],
    ["a charge in no project known", begun, reserve({ project: "z" }), untouched, /unknown principal/],
    [
      "a charge in a project of others",
      begun,
      reserve({ principal: "ben", project: "p" }),
      untouched,
      /unknown principal/,
    ],
    ["a charge by one who was revoked", after(genesis, limit({})), reserve(), untouched, /unknown principal/],
    [
      "a charge of a closed account",
      after(genesis, limit({ scope: ["account"], what: "close" })),
      reserve(),
      untouched,
      /closed account/,
    ],
    [
      "a charge of a closed data set",
      after(genesis, limit({ scope: ["dataset", "x"], what: "close" })),
      reserve({ dataSets: ["x"] }),
      untouched,
      /closed scope/,
    ],
    ["data sets out of order", begun, reserve({ dataSets: ["y", "x"] }), untouched, /out of order/],
    ["a data set stated twice", begun, reserve({ dataSets: ["x", "x"] }), untouched, /out of order/],
    [
      "a charge of too many that failed",
      after(genesis, reserve(), reserve({ requestId: "b", loss: pure("0") })),
      reserve({ requestId: "c", loss: pure("0") }),
      untouched,
      /too many/,
    ],
    ["an answer nobody paid for", begun, settle, untouched, /never paid/],
    ["a failure nobody paid for", begun, fail, untouched, /never paid/],
    ["a second answer", answered, settle, settled, /settled before/],
    ["a failure after the answer", answered, fail, settled, /settled before/],
    ["a share of what was not answered", spent, share("ben"), reserved, /not answered/],
    ["a second share", answered, share("ben"), received, /second share/],
    ["a share to whoever paid", answered, share("ana"), settled, /second share/],
    ["a share at another loss", answered, share("ben", pure("1/8")), settled, /another loss/],
    ["a share to nobody known", answered, share("eve"), settled, /unknown principal/],
    ["a share in no project known", answered, share("ben", pure("1/4"), "z"), settled, /unknown principal/],
    [
      "a grant to a cap that is not there",
      begun,
      grant({ scope: ["dataset", "x"] }),
      untouched,
      /not stated/,
    ],
    [
      "failures granted to a project",
      begun,
      grant({ scope: ["project", "p"], add: { main: null, delta: null }, failures: 1 }),
      untouched,
      /does not ask/,
    ],
    [
      "a cap lowered below what is spent",
      spent,
      limit({ what: "lower", cap: { main: "1/5", delta: null } }),
      untouched,
      /below what is spent/,
    ],
    [
      "the account lowered below what is spent",
      spent,
      limit({ scope: ["account"], what: "lower", cap: { main: "1/5", delta: null } }),
      untouched,
      /below what is spent/,
    ],
    [
      "a cap raised that was to be lowered",
      begun,
      limit({ what: "lower", cap: { main: "3/4", delta: null } }),
      untouched,
      /raised/,
    ],
    ["nothing lowered", begun, limit({ what: "lower" }), untouched, /a cap is stated/],
    [
      "a cap with a revocation",
      begun,
      limit({ cap: { main: "1/4", delta: null } }),
      untouched,
      /a cap is stated/,
    ],
    ["the owner revoked", begun, limit({ scope: ["analyst", "owner"] }), untouched, /no analyst/],
    ["a project revoked", begun, limit({ scope: ["project", "p"] }), untouched, /no analyst/],
    ["an analyst closed", begun, limit({ what: "close" }), untouched, /revoked, not closed/],
    ["an analyst revoked twice", after(genesis, limit({})), limit({}), untouched, /so already/],
    ["what is open reopened", begun, limit({ what: "reopen" }), untouched, /so already/],
    [
      "a budget of another measure",
      begun,
      apply({ budget: { ...budget, measure: "zcdp" } }),
      untouched,
      /measure/,
    ],
    [
      "a budget that is none",
      begun,
      apply({ budget: { ...budget, account: [] as never, scopes: [1] as never } }),
      untouched,
      /budget is none/,
    ],
    [
      "a budget below what is spent",
      spent,
      apply({ budget: other({}, "1/5") }),
      untouched,
      /below what is spent/,
    ],
    [
      "a share below what is spent",
      spent,
      apply({ budget: other({ ana: "1/5" }) }),
      untouched,
      /below what is spent/,
    ],
    [
      "a new name for nobody",
      begun,
      apply({ budget: other({ eva: "1" }), renamed: [{ from: "eve", to: "eva" }] }),
      untouched,
      /renamed/,
    ],
    [
      "a new name for one who stays",
      begun,
      apply({ budget: other({ ana: "1", eva: "1" }), renamed: [{ from: "ana", to: "eva" }] }),
      untouched,
      /renamed/,
    ],
    [
      "a new name that nobody has",
      begun,
      apply({ budget: other({}), renamed: [{ from: "ana", to: "eva" }] }),
      untouched,
      /renamed/,
    ],
    [
      "one new name for two",
      begun,
      apply({ budget: other({ eva: "1" }), renamed: two }),
      untouched,
      /renamed/,
    ],
    [
      "a new name that was listed before",
      begun,
      apply({ budget: other({ ben: "1" }), renamed: [{ from: "ana", to: "ben" }] }),
      untouched,
      /renamed/,
    ],
  ])("is %s", (_, books, entry, history, reason) => {
    expect(() => advance(books, entry, history, { sequence: 9, at: 1000 })).toThrow(corrupt(reason));
  });

  it("does not go back in time", () => {
    const later = advance(spent, fail, reserved, { sequence: 9, at: 5000 });
    expect(later.account.seen).toBe(5000);
    expect(
      advance({ ...spent, account: later.account }, fail, reserved, { sequence: 10, at: 1 }).account.seen,
    ).toBe(5000);
  });
});

describe("a record that is read", () => {
  const sealed = (kind: string, payload: string): StoredRecord => {
    const open = { sequence: 0, at: 1, kind, payload, balance: "0".repeat(64), previous: "0".repeat(64) };
    return { ...open, hash: recordHash(open) };
  };

  it("is refused, under a right hash, where it is no payload of its kind", () => {
    const wrong: readonly [string, string, RegExp][] = [
      ["fail", '{"requestId":', /not JSON/],
      ["fail", "null", /fields of its kind/],
      ["fail", "{}", /fields of its kind/],
      ["fail", '{"requestId":"a"}', /fields of its kind/],
      ["fail", '{"extra":"x","principal":"p","requestId":"a"}', /fields of its kind/],
      ["toString", '{"principal":"p","requestId":"a"}', /fields of its kind/],
      ["fail", '{"principal":"p", "requestId":"a"}', /not canonical/],
    ];
    for (const [kind, payload, reason] of wrong)
      expect(() => readRecord(sealed(kind, payload)), payload).toThrow(reason);
    expect(readRecord(sealed("fail", '{"principal":"p","requestId":"a"}'))).toEqual({
      kind: "fail",
      payload: { principal: "p", requestId: "a" },
    });
  });

  it("of the first format is of whom the request is, and no record of today", () => {
    const first = sealed("fail", '{"requestId":"a"}');
    expect(readRequestRecord(first, "ana")).toEqual(fail);
    expect(readFirstRecord(first)).toEqual({ kind: "fail", payload: { requestId: "a" } });
    expect(() => readFirstRecord(sealed("fail", '{"principal":"p","requestId":"a"}'))).toThrow(
      /fields of its kind/,
    );
  });

  it("has every field of its kind and no other, each of its type", () => {
    const all: readonly Entry[] = [
      genesis,
      reserve(),
      settle,
      fail,
      share("ben"),
      grant(),
      limit({}),
      apply(),
      { kind: "upgrade", payload: { version: 2 } },
    ];
    for (const { kind, payload } of all) {
      expect(entryOf(kind, payload)).toEqual({ kind, payload });
      for (const name of Object.keys(payload)) {
        const { [name]: _, ...less } = payload as unknown as Record<string, unknown>;
        expect(entryOf(kind, less), `${kind} ${name}`).toBeNull();
        expect(entryOf(kind, { ...payload, [name]: 0.5 }), `${kind} ${name}`).toBeNull();
      }
      expect(entryOf(kind, { ...payload, more: 1 })).toBeNull();
    }
    expect(entryOf("limit", { ...(limit({}).payload as LimitPayload), what: "toString" })).toBeNull();
    expect(entryOf("reserve", null)).toBeNull();
  });
});
