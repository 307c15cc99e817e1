import { type PrivacyLossText, parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { pureLoss } from "../../testing/temporary-ledger.ts";
import { advance, type RequestHistory, remember, untouched } from "./advance.ts";
import type { Balance } from "./balance.ts";
import type { ApplyPayload, Entry, GenesisPayload, GrantedText, ReservePayload } from "./entry.ts";

const pure = (epsilon: string): PrivacyLossText => ({ measure: "pure", epsilon });
const zcdp = (rho: string): PrivacyLossText => ({ measure: "zcdp", rho, delta: "1/1000" });

const granted: GrantedText = {
  cap: pure("1"),
  analysts: [{ name: "ana", cap: "1/2" }],
  failureCap: 5,
  policyHash: "ab",
};
const beginning: GenesisPayload = {
  ...granted,
  version: 1,
  measure: "pure",
  publicKey: "key",
  source: "people",
};
const paid: ReservePayload = {
  requestId: "a",
  requestHash: "0".repeat(64),
  principal: "ana",
  loss: pure("1/4"),
  event: { kind: "laplace", version: 1, scale: "10", l1: "1" },
  text: "SELECT a",
};
const genesis = (changed: Partial<GenesisPayload> = {}): Entry => ({
  kind: "genesis",
  payload: { ...beginning, ...changed },
});
const grant = (changed: Partial<GrantedText> = {}): Entry => ({
  kind: "grant",
  payload: { ...granted, reason: "more", ...changed },
});
const apply = (changed: Partial<ApplyPayload> = {}): Entry => ({
  kind: "apply",
  payload: { ...granted, closed: false, renamed: [], reason: "", ...changed },
});
const reserve = (changed: Partial<ReservePayload> = {}): Entry => ({
  kind: "reserve",
  payload: { ...paid, ...changed },
});
const settle: Entry = { kind: "settle", payload: { requestId: "a", sha256: "0".repeat(64) } };
const fail: Entry = { kind: "fail", payload: { requestId: "a" } };

const begun: Balance = advance(null, genesis(), untouched);
const reserved: RequestHistory = remember(untouched, reserve());
const settled: RequestHistory = remember(reserved, settle);
const spent: Balance = advance(begun, reserve(), untouched);
const shut: Balance = advance(begun, apply({ closed: true }), untouched);
const past = new Map([["ana", parseRational("1/4")]]);

const corruptBy = (reason: RegExp): unknown =>
  expect.objectContaining({
    code: "ledger.corrupt",
    fields: expect.objectContaining({ reason: expect.stringMatching(reason) }),
  });

describe("advance", () => {
  it("follows a request from its charge over a failure to its answer", () => {
    const charged = advance(begun, reserve(), untouched);
    expect(charged).toMatchObject({ spent: pureLoss("1/4"), open: 1, failures: 0 });
    const failed = advance(charged, fail, reserved);
    expect(failed).toMatchObject({ spent: pureLoss("1/4"), open: 0, failures: 1 });
    expect(advance(failed, settle, remember(reserved, fail))).toMatchObject({ open: 0, failures: 1 });
    expect(advance(charged, settle, reserved)).toMatchObject({ open: 0, failures: 0 });
    expect(advance(charged, fail, reserved).analysts.get("ana")).toEqual(charged.analysts.get("ana"));
  });

  it("accepts a grant that raises, and keeps what an analyst spent", () => {
    const charged = advance(begun, reserve(), untouched);
    const raised = advance(charged, grant({ cap: pure("2"), failureCap: 9 }), untouched);
    expect(raised).toMatchObject({ granted: pureLoss("2"), spent: pureLoss("1/4"), failureCap: 9, open: 1 });
    expect(raised.analysts.get("ana")).toEqual(charged.analysts.get("ana"));
    expect(remember(reserved, grant())).toEqual(reserved);
  });

  it("accepts caps that stay, and shares and budgets of exactly what is spent", () => {
    expect(advance(spent, grant(), untouched)).toEqual(spent);
    const least = advance(
      spent,
      apply({ cap: pure("1/4"), analysts: [{ name: "ana", cap: "1/4" }] }),
      untouched,
      past,
    );
    expect(least).toMatchObject({ granted: pureLoss("1/4"), spent: pureLoss("1/4"), open: 1 });
    expect(least.analysts.get("ana")).toEqual({ granted: parseRational("1/4"), spent: parseRational("1/4") });
    expect(least.stated).toMatchObject({ closed: false });
    const full = advance(begun, reserve({ loss: pure("1/2") }), untouched);
    expect(full.analysts.get("ana")?.spent).toEqual(parseRational("1/2"));
    expect(advance(begun, reserve({ principal: "owner", loss: pure("1") }), untouched).spent).toEqual(
      pureLoss("1"),
    );
  });

  it("moves an analyst's charges to the new name, and gives a new analyst those of the past", () => {
    const moved = advance(
      spent,
      apply({
        analysts: [
          { name: "bob", cap: "1/3" },
          { name: "eve", cap: "1/8" },
        ],
        renamed: [{ from: "ana", to: "bob" }],
      }),
      untouched,
      new Map([...past, ["eve", parseRational("1/9")]]),
    );
    expect([...moved.analysts].map(([name, sub]) => [name, sub.spent])).toEqual([
      ["bob", parseRational("1/4")],
      ["eve", parseRational("1/9")],
    ]);
  });

  const ana = { name: "ana", cap: "1/2" };
  const forbidden: readonly [string, Balance | null, Entry, RequestHistory, RegExp][] = [
    ["a second genesis", begun, genesis(), untouched, /second beginning/],
    ["a genesis whose cap is of another measure", null, genesis({ cap: zcdp("1") }), untouched, /measure/],
    ["a sub-cap stated twice", null, genesis({ analysts: [ana, ana] }), untouched, /stated twice/],
    ["a charge before the genesis", null, reserve(), untouched, /begin with its genesis/],
    ["a grant of another measure", begun, grant({ cap: zcdp("9") }), untouched, /measure/],
    ["a grant that lowers the cap", begun, grant({ cap: pure("9/10") }), untouched, /cap is lowered/],
    [
      "a grant that lowers a sub-cap",
      begun,
      grant({ analysts: [{ name: "ana", cap: "1/3" }] }),
      untouched,
      /lowered/,
    ],
    ["a grant that drops an analyst", begun, grant({ analysts: [] }), untouched, /taken away/],
    ["a second charge of one request", begun, reserve(), reserved, /second charge/],
    ["a charge of another measure", begun, reserve({ loss: zcdp("0") }), untouched, /measure/],
    ["a budget of another measure", begun, apply({ cap: zcdp("9") }), untouched, /measure/],
    ["a budget below what is spent", spent, apply({ cap: pure("1/5") }), untouched, /cap is below/],
    [
      "a share below what is spent",
      spent,
      apply({ analysts: [{ name: "ana", cap: "1/5" }] }),
      untouched,
      /sub-cap is below/,
    ],
    ["a share stated twice in a budget", begun, apply({ analysts: [ana, ana] }), untouched, /stated twice/],
    ["a budget that allows more failures", begun, apply({ failureCap: 6 }), untouched, /something else/],
    ["a budget for other units", begun, apply({ policyHash: "cd" }), untouched, /something else/],
    [
      "a new name for an analyst who stays",
      begun,
      apply({ analysts: [ana, { name: "bob", cap: "1/2" }], renamed: [{ from: "ana", to: "bob" }] }),
      untouched,
      /renamed/,
    ],
    [
      "a new name for nobody",
      begun,
      apply({ analysts: [{ name: "bob", cap: "1/2" }], renamed: [{ from: "eve", to: "bob" }] }),
      untouched,
      /renamed/,
    ],
    [
      "a new name that nobody has",
      begun,
      apply({ analysts: [], renamed: [{ from: "ana", to: "bob" }] }),
      untouched,
      /renamed/,
    ],
    [
      "two new names for one analyst",
      begun,
      apply({
        analysts: [
          { name: "bob", cap: "1/2" },
          { name: "eve", cap: "1/2" },
        ],
        renamed: [
          { from: "ana", to: "bob" },
          { from: "ana", to: "eve" },
        ],
      }),
      untouched,
      /renamed/,
    ],
    [
      "one new name for two analysts",
      advance(null, genesis({ analysts: [ana, { name: "zoe", cap: "1/2" }] }), untouched),
      apply({
        analysts: [{ name: "bob", cap: "1/2" }],
        renamed: [
          { from: "ana", to: "bob" },
          { from: "zoe", to: "bob" },
        ],
      }),
      untouched,
      /renamed/,
    ],
    [
      "a new name that was listed before",
      advance(null, genesis({ analysts: [ana, { name: "bob", cap: "1/2" }] }), untouched),
      apply({ analysts: [{ name: "bob", cap: "1/2" }], renamed: [{ from: "ana", to: "bob" }] }),
      untouched,
      /renamed/,
    ],
    ["a charge of a closed account", shut, reserve(), untouched, /closed account/],
    ["a charge by nobody known", begun, reserve({ principal: "eve" }), untouched, /unknown principal/],
    [
      "a charge above the cap",
      begun,
      reserve({ principal: "owner", loss: pure("11/10") }),
      untouched,
      /exceeds a cap/,
    ],
    ["a charge above the sub-cap", begun, reserve({ loss: pure("3/4") }), untouched, /exceeds a cap/],
    ["an answer nobody paid for", begun, settle, untouched, /never paid/],
    ["a failure nobody paid for", begun, fail, untouched, /never paid/],
    ["a second answer", begun, settle, settled, /settled before/],
    ["a failure after the answer", begun, fail, settled, /settled before/],
  ];
  for (const [what, balance, entry, history, reason] of forbidden) {
    it(`refuses ${what}`, () => {
      expect(() => advance(balance, entry, history, past)).toThrow(corruptBy(reason) as Error);
    });
  }
});
