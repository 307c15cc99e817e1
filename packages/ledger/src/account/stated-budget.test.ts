import { type PrivacyLoss, parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { pureBudget, pureLoss } from "../testing/temporary-ledger.ts";
import type { AccountBudget } from "./budget.ts";
import { isStatedBudget } from "./is-stated-budget.ts";
import { deltaOf, mainOf, symbolOf, withDelta, withMain } from "./main-number.ts";
import { sameBudget, statedBefore, statedBudget } from "./stated-budget.ts";

describe("a stated budget", () => {
  it("has its analysts by name and is open, unless it is said to be closed", () => {
    const budget = pureBudget("1", { zoe: "1/8", ana: "1/2", mia: "1/4" });
    const share = (name: string, main: string) => ({
      name: ["analyst", name],
      caps: [{ per: "ever", limit: { main, delta: null }, reserved: null }],
    });
    const stated = {
      measure: "pure",
      account: [{ per: "ever", limit: { main: "1", delta: null }, reserved: null }],
      scopes: [share("ana", "1/2"), share("mia", "1/4"), share("zoe", "1/8")],
      closed: false,
      showAccount: false,
    };
    expect(statedBudget(budget)).toEqual(stated);
    expect(statedBudget({ ...budget, closed: false })).toEqual(stated);
    expect(statedBudget({ ...budget, closed: true })).toEqual({ ...stated, closed: true });
  });

  it("refuses names and shares that cannot stand in a ledger", () => {
    for (const analysts of [{ "": "1" }, { "a\nb": "1" }, { ana: "-1" }])
      expect(() => statedBudget(pureBudget("1", analysts as Record<string, string>))).toThrow(
        expect.objectContaining({ code: "parameter.invalid" }),
      );
  });

  it("of the first format is one of today, with shares of ε or ρ alone", () => {
    const before = {
      cap: { measure: "approximate", epsilon: "1", delta: "1/1000000" },
      analysts: [{ name: "ana", cap: "1/2" }],
      closed: true,
    } as const;
    const budget = approximate({ ana: parseRational("1/2") }, { closed: true });
    expect(statedBefore(before)).toEqual(statedBudget(budget));
    expect(
      statedBefore({ cap: { measure: "zcdp", rho: "1/3", delta: "0" }, analysts: [], closed: false }),
    ).toEqual({
      measure: "zcdp",
      account: [{ per: "ever", limit: { main: "1/3", delta: "0" }, reserved: null }],
      scopes: [],
      closed: false,
      showAccount: false,
    });
  });

  const [half, tenth, small] = [parseRational("1/2"), parseRational("1/10"), parseRational("1e-7")];
  const approximate = (
    analysts: AccountBudget["analysts"] = {},
    changed: Partial<AccountBudget> = {},
  ): AccountBudget => ({
    measure: "approximate",
    epsilon: parseRational("1"),
    delta: parseRational("1e-6"),
    rho: null,
    analysts,
    ...changed,
  });

  it("reserves what a scope's caps grant, over each period that the account limits too, and never more than that has", () => {
    const month = { per: "month", main: tenth, delta: small } as const;
    const { scopes } = statedBudget(
      approximate(
        { ana: { main: half, delta: small, reserved: true, windows: [month, { ...month, per: "day" }] } },
        { windows: [{ per: "month", main: parseRational("1/20"), delta: small }] },
      ),
    );
    expect(scopes[0]!.caps).toEqual([
      {
        per: "ever",
        limit: { main: "1/2", delta: "1/10000000" },
        reserved: { main: "1/2", delta: "1/10000000" },
      },
      { per: "day", limit: { main: "1/10", delta: "1/10000000" }, reserved: null },
      {
        per: "month",
        limit: { main: "1/10", delta: "1/10000000" },
        reserved: { main: "1/20", delta: "1/10000000" },
      },
    ]);
    expect(isStatedBudget(statedBudget(approximate({ ana: half })))).toBe(true);
  });

  const keeps = { main: half, delta: small, reserved: true } as const;
  const month = { per: "month", main: tenth, delta: null } as const;
  it.each<[string, AccountBudget, RegExp]>([
    [
      "more than the account in reserved shares",
      approximate({ ana: keeps, ben: keeps, cyd: keeps }),
      /reserved parts/,
    ],
    [
      "more δ than the account in reserved shares",
      approximate({
        ana: { ...keeps, main: tenth, delta: parseRational("9e-7") },
        ben: { ...keeps, main: tenth, delta: parseRational("2e-7") },
      }),
      /reserved parts/,
    ],
    [
      "a reserved share without δ",
      approximate({ ana: { main: half, reserved: true } }),
      /whoever takes all δ takes all/,
    ],
    [
      "a reserved share of a window that the account does not limit",
      approximate({ ana: { main: null, reserved: true, windows: [month] } }),
      /a period that the account limits too/,
    ],
    [
      "a reserved part of a data set",
      approximate({}, { dataSets: { x: keeps } }),
      /an analyst or a project alone/,
    ],
    [
      "a reserved part of one analyst in one project",
      approximate({}, { projects: { p: { main: half, analysts: { ana: keeps } } } }),
      /an analyst or a project alone/,
    ],
    ["a window stated twice", approximate({}, { windows: [month, month] }), /each stated once/],
    [
      "a window of no calendar",
      approximate({}, { windows: [{ ...month, per: "ever" as "month" }] }),
      /one of day, week, month, quarter/,
    ],
    ["a share's δ of 1", approximate({ ana: { main: half, delta: parseRational("1") } }), /below 1/],
    ["a δ of a pure account", { ...pureBudget("1"), analysts: { ana: keeps } }, /left out for pure/],
    [
      "no lifetime and no window",
      approximate({}, { epsilon: null, delta: parseRational("0"), lifetime: "none" }),
      /at least one window/,
    ],
    [
      "no lifetime and a window without δ",
      approximate({}, { epsilon: null, delta: parseRational("0"), lifetime: "none", windows: [month] }),
      /a δ in at least one/,
    ],
    [
      "no lifetime and an ε",
      approximate({}, { lifetime: "none", delta: parseRational("0"), windows: [month] }),
      /epsilon/,
    ],
    ["no lifetime and a δ", approximate({}, { lifetime: "none", epsilon: null, windows: [month] }), /delta/],
  ])("refuses %s", (_, budget, says) => {
    expect(() => statedBudget(budget)).toThrow(
      expect.objectContaining({ code: "parameter.invalid", message: expect.stringMatching(says) }),
    );
  });

  it("is known by its form: no part too few, too many, or out of order", () => {
    const good = statedBudget(
      approximate({ ana: keeps, ben: half }, { windows: [{ ...month, delta: small }] }),
    );
    expect(isStatedBudget(good)).toBe(true);
    const [ana, ben] = good.scopes;
    const [ever, window] = good.account;
    const bad: readonly unknown[] = [
      null,
      [],
      { ...good, more: 1 },
      { ...good, measure: "renyi" },
      { ...good, closed: 0 },
      { ...good, showAccount: undefined },
      { ...good, account: [window, ever] },
      { ...good, account: [ever, ever] },
      { ...good, account: [{ ...ever, per: "year" }] },
      { ...good, account: [{ ...ever, limit: { main: "-1", delta: null } }] },
      { ...good, account: [{ ...ever, limit: { main: "2/4", delta: null } }] },
      { ...good, account: [{ ...ever, limit: { main: 1, delta: null } }] },
      { ...good, account: [{ ...ever, reserved: {} }] },
      { ...good, account: [{ ...ever, more: 1 }] },
      { ...good, scopes: [ben, ana] },
      { ...good, scopes: [ana, ana] },
      { ...good, scopes: [{ ...ana, name: ["account"] }] },
      { ...good, scopes: [{ ...ana, name: ["analyst"] }] },
      { ...good, scopes: [{ ...ana, name: ["analyst", ""] }] },
      { ...good, scopes: [{ ...ana, more: 1 }] },
      { ...good, scopes: {} },
    ];
    for (const value of bad) expect(isStatedBudget(value), JSON.stringify(value)).toBe(false);
  });

  it("is another one where a number, a name or its closing differs, and the same however it was written", () => {
    const one = statedBudget(pureBudget("0.5", { ana: "0.25" }));
    expect(sameBudget(one, statedBudget(pureBudget("1/2", { ana: "1/4" })))).toBe(true);
    for (const other of [
      pureBudget("0.6", { ana: "0.25" }),
      pureBudget("0.5", { ana: "0.2" }),
      pureBudget("0.5", { bob: "0.25" }),
      pureBudget("0.5"),
      { ...pureBudget("0.5", { ana: "0.25" }), closed: true },
      { ...pureBudget("0.5", { ana: "0.25" }), showAccount: true },
    ])
      expect(sameBudget(one, statedBudget(other))).toBe(false);
  });
});

describe("the main number of a loss", () => {
  const [half, third, small] = [parseRational("1/2"), parseRational("1/3"), parseRational("1/1000")];
  const approximate: PrivacyLoss = { measure: "approximate", epsilon: half, delta: small };
  const zcdp: PrivacyLoss = { measure: "zcdp", rho: half, delta: small };

  it("is ε, or ρ of a zCDP loss, and can be replaced", () => {
    expect(["pure", "approximate", "zcdp"].map((measure) => symbolOf(measure as "pure"))).toEqual([
      "ε",
      "ε",
      "ρ",
    ]);
    expect([pureLoss("1/2"), approximate, zcdp].map(mainOf)).toEqual([half, half, half]);
    expect(withMain(pureLoss("1/2"), third)).toEqual(pureLoss("1/3"));
    expect(withMain(approximate, third)).toEqual({ ...approximate, epsilon: third });
    expect(withMain(zcdp, third)).toEqual({ ...zcdp, rho: third });
  });

  it("has a δ beside it, but for pure losses, which have none to replace", () => {
    expect([pureLoss("1/2"), approximate, zcdp].map(deltaOf)).toEqual([null, small, small]);
    expect(withDelta(pureLoss("1/2"), third)).toEqual(pureLoss("1/2"));
    expect(withDelta(approximate, third)).toEqual({ ...approximate, delta: third });
    expect(withDelta(zcdp, third)).toEqual({ ...zcdp, delta: third });
  });
});
