import { lossFromJson, type PrivacyLossText, parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { limitOf, limitText } from "../scopes/limit.ts";
import { booksWith } from "../testing/books-with.ts";
import { pureBudget } from "../testing/temporary-ledger.ts";
import type { AccountBudget } from "./budget.ts";
import {
  type BudgetTerms,
  changesOf,
  changeText,
  exactText,
  shutChanges,
  termsOf,
  termsStated,
} from "./budget-changes.ts";
import { statedBudget } from "./stated-budget.ts";

const terms = (
  cap: PrivacyLossText,
  shares: Readonly<Record<string, string>> = {},
  closed = false,
): BudgetTerms =>
  termsStated({
    measure: cap.measure,
    account: [{ per: "ever", limit: limitText(limitOf(lossFromJson(cap))), reserved: null }],
    scopes: Object.entries(shares).map(([name, share]) => ({
      name: ["analyst", name],
      caps: [{ per: "ever", limit: limitText({ main: parseRational(share), delta: null }), reserved: null }],
    })),
    closed,
    showAccount: false,
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
      { how: "lowered", what: "analyst dora", from: "0.125", to: "0.0625" },
      { how: "named", what: "analyst eve", from: null, to: "0.125" },
      { how: "removed", what: "analyst cyd", from: "0.125", to: null },
      { how: "closed", what: "the account", from: null, to: null },
    ]);
    expect(changesOf(terms(pure("1"), {}, true), terms(pure("1")))).toEqual([
      { how: "opened", what: "the account", from: null, to: null },
    ]);
  });

  it("are of an account as it stands, closed or not, and of a budget as it is stated", () => {
    for (const closed of [true, false]) {
      const budget = { ...pureBudget("2", { ana: "1/2" }), closed };
      const books = booksWith(budget);
      expect(termsOf(books.account, books.all())).toEqual(termsStated(statedBudget(budget)));
      expect(termsStated(statedBudget(budget)).closed).toBe(closed);
    }
  });

  it("name every number of every scope, and whether spending is shown", () => {
    const [half, small] = [parseRational("1/2"), parseRational("1e-7")];
    const before: AccountBudget = {
      measure: "approximate",
      epsilon: parseRational("1"),
      delta: parseRational("1e-6"),
      rho: null,
      analysts: { ana: half },
    };
    const after: AccountBudget = {
      ...before,
      analysts: {
        ana: { main: half, delta: small, reserved: true, windows: [{ per: "day", main: half, delta: null }] },
      },
      projects: { churn: { main: half, analysts: { ana: { main: null, delta: small } } } },
      dataSets: { rides: { main: null } },
      windows: [{ per: "month", main: half, delta: small }],
      showAccount: true,
    };
    const changes = changesOf(termsStated(statedBudget(before)), termsStated(statedBudget(after)));
    expect(changes.map(changeText)).toEqual([
      "ε a month → 0.5 (named)",
      "δ a month → 0.0000001 (named)",
      "analyst ana, δ → 0.0000001 (named)",
      "analyst ana, reserved ε → 0.5 (named)",
      "analyst ana, reserved δ → 0.0000001 (named)",
      "analyst ana, ε a day → 0.5 (named)",
      "project churn → 0.5 (named)",
      "analyst ana in project churn is named",
      "analyst ana in project churn, δ → 0.0000001 (named)",
      "data set rides is named",
      "the account's spending is shown",
    ]);
    expect(changesOf(termsStated(statedBudget(after)), termsStated(statedBudget(before)))).toHaveLength(11);
    const renamed = changesOf(
      termsStated(statedBudget(after)),
      termsStated(
        statedBudget({
          ...after,
          analysts: { eva: after.analysts.ana! },
          projects: { churn: { main: half, analysts: { eva: { main: null, delta: small } } } },
        }),
      ),
      [{ from: "ana", to: "eva" }],
    );
    expect(renamed).toEqual([{ how: "renamed", what: "analyst", from: "ana", to: "eva" }]);
  });

  it("say which scopes the owner closed on record, or opened", () => {
    const shut = (...what: string[]): BudgetTerms => ({ ...terms(pure("1")), shut: new Set(what) });
    expect(
      shutChanges(shut("analyst ana", "project p"), shut("project p", "the account")).map(changeText),
    ).toEqual(["the account is closed", "analyst ana is opened"]);
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
