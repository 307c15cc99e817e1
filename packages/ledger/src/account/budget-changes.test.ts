import { lossFromJson, type PrivacyLossText, parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import type { Balance } from "./balance.ts";
import {
  type BudgetTerms,
  changesOf,
  changeText,
  exactText,
  termsOf,
  termsStated,
} from "./budget-changes.ts";

const terms = (
  cap: PrivacyLossText,
  shares: Readonly<Record<string, string>> = {},
  closed = false,
): BudgetTerms => ({
  granted: lossFromJson(cap),
  shares: new Map(Object.entries(shares).map(([name, share]) => [name, parseRational(share)])),
  closed,
});
const pure = (epsilon: string): PrivacyLossText => ({ measure: "pure", epsilon });

describe("the changes of a budget", () => {
  it("are none where the terms are the same, in whatever order shares are listed", () => {
    const before = terms(pure("1"), { ana: "1/2", bob: "1/4" });
    expect(changesOf(before, terms(pure("1"), { bob: "0.25", ana: "0.5" }))).toEqual([]);
    expect(changesOf(terms(pure("1"), {}, true), terms(pure("1"), {}, true))).toEqual([]);
  });

  it("say the account's own numbers first, each raised or lowered, by the symbols of its measure", () => {
    const approximate = (epsilon: string, delta: string): BudgetTerms =>
      terms({ measure: "approximate", epsilon, delta });
    expect(changesOf(approximate("1", "1/100"), approximate("2", "1/1000"))).toEqual([
      { how: "raised", what: "ε", from: "1", to: "2" },
      { how: "lowered", what: "δ", from: "0.01", to: "0.001" },
    ]);
    expect(changesOf(approximate("2", "1/1000"), approximate("2", "1/100"))).toEqual([
      { how: "raised", what: "δ", from: "0.001", to: "0.01" },
    ]);
    const zcdp = (rho: string): BudgetTerms => terms({ measure: "zcdp", rho, delta: "0" });
    expect(changesOf(zcdp("1/3"), zcdp("1/4"))).toEqual([
      { how: "lowered", what: "ρ", from: "1/3", to: "0.25" },
    ]);
  });

  it("name who is new, who moved, who goes on under another name and who is gone, and whether the account is open", () => {
    const before = terms(pure("1"), { ana: "1/2", bob: "1/4", cyd: "1/8", dan: "1/8" });
    const after = terms(pure("1"), { adele: "1/2", bob: "1/2", eve: "1/8", dora: "1/16" }, true);
    const renaming = [
      { from: "ana", to: "adele" },
      { from: "dan", to: "dora" },
    ];
    expect(changesOf(before, after, renaming)).toEqual([
      { how: "renamed", what: "analyst", from: "ana", to: "adele" },
      { how: "renamed", what: "analyst", from: "dan", to: "dora" },
      { how: "raised", what: "analyst bob", from: "0.25", to: "0.5" },
      { how: "named", what: "analyst eve", from: null, to: "0.125" },
      { how: "lowered", what: "analyst dora", from: "0.125", to: "0.0625" },
      { how: "removed", what: "analyst cyd", from: "0.125", to: null },
      { how: "closed", what: "the account", from: null, to: null },
    ]);
    expect(changesOf(terms(pure("1"), {}, true), terms(pure("1")))).toEqual([
      { how: "opened", what: "the account", from: null, to: null },
    ]);
  });

  it("are of a balance as it stands, closed or not, and of a budget as it is stated", () => {
    const balance = {
      granted: lossFromJson(pure("2")),
      analysts: new Map([["ana", { granted: parseRational("1/2"), spent: parseRational("1/3") }]]),
      stated: null,
    } as unknown as Balance;
    expect(termsOf(balance)).toEqual(terms(pure("2"), { ana: "1/2" }));
    const cap = pure("2");
    const stated = { cap, analysts: [{ name: "ana", cap: "1/2" }], closed: true };
    expect(termsOf({ ...balance, stated })).toEqual(terms(cap, { ana: "1/2" }, true));
    expect(termsStated(stated)).toEqual(terms(cap, { ana: "1/2" }, true));
    expect(termsStated({ ...stated, closed: false }).closed).toBe(false);
  });
});

it("a change is a line: what it is of, the way it goes, and how", () => {
  expect(changeText({ how: "raised", what: "ε", from: "1", to: "2" })).toBe("ε 1 → 2 (raised)");
  expect(changeText({ how: "named", what: "analyst eve", from: null, to: "1/8" })).toBe(
    "analyst eve → 1/8 (named)",
  );
  expect(changeText({ how: "removed", what: "analyst cyd", from: "1/8", to: null })).toBe(
    "analyst cyd 1/8 (removed)",
  );
  expect(changeText({ how: "closed", what: "the account", from: null, to: null })).toBe(
    "the account is closed",
  );
});

it("a number is written exactly: as a decimal of up to thirty places, else as a fraction", () => {
  const texts = ["1/2", "3", "0", "1/3", "1/1000000", `1/${10n ** 30n}`, `1/${10n ** 31n}`, "-1/4"];
  expect(texts.map((text) => exactText(parseRational(text)))).toEqual([
    "0.5",
    "3",
    "0",
    "1/3",
    "0.000001",
    `0.${"0".repeat(29)}1`,
    `1/${10n ** 31n}`,
    "-0.25",
  ]);
});
