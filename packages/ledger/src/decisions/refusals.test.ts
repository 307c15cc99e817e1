import { lossFromJson, lossToJson, type PrivacyLossText, parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import type { AccountBudget } from "../account/budget.ts";
import type { Books } from "../scopes/books.ts";
import { booksWith } from "../testing/books-with.ts";
import { pureLoss } from "../testing/temporary-ledger.ts";
import { leftFor as leftForAsker } from "./left-for.ts";
import {
  closedAccount,
  foreignRequest,
  overBudget as refused,
  tooManyFailures,
  unknownPrincipal,
} from "./refusals.ts";

type Shares = Readonly<Record<string, readonly [granted: string, spent: string]>>;

/** An account whose spending analysts may see, unless it is hidden. */
function balanceOf(
  granted: PrivacyLossText,
  spent: PrivacyLossText,
  analysts: Shares = {},
  showAccount = true,
): Books {
  const cap = lossFromJson(granted);
  const [main, delta] =
    "rho" in cap ? [cap.rho, cap.delta] : [cap.epsilon, "delta" in cap ? cap.delta : null];
  const isZcdp = cap.measure === "zcdp";
  const budget: AccountBudget = {
    measure: cap.measure,
    epsilon: isZcdp ? null : main,
    rho: isZcdp ? main : null,
    delta: delta ?? parseRational("0"),
    analysts: Object.fromEntries(
      Object.entries(analysts).map(([name, [most]]) => [name, parseRational(most)]),
    ),
    showAccount,
  };
  const own = Object.entries(analysts).map(([name, [, used]]) => {
    const loss = lossFromJson(granted);
    const zero = parseRational("0");
    const spent = parseRational(used);
    return [
      name,
      "rho" in loss
        ? { ...loss, rho: spent, delta: zero }
        : "delta" in loss
          ? { ...loss, epsilon: spent, delta: zero }
          : { ...loss, epsilon: spent },
    ] as const;
  });
  return booksWith(budget, lossFromJson(spent), Object.fromEntries(own));
}

const asker = (principal: string) => ({ principal, project: null, dataSets: [] });
const leftFor = (books: Books, principal: string) => leftForAsker(books, asker(principal), principal);
const overBudget = (books: Books, principal: string, asked: Parameters<typeof refused>[2]) =>
  refused(books, asker(principal), asked);
const pure = (epsilon: string): PrivacyLossText => ({ measure: "pure", epsilon });
const approximate = (epsilon: string, delta: string): PrivacyLossText => ({
  measure: "approximate",
  epsilon,
  delta,
});

describe("what is left", () => {
  const shares: Shares = { ana: ["1/2", "1/4"], bob: ["5", "0"], cyd: ["1/8", "1/4"] };
  const balance = balanceOf(pure("1"), pure("1/3"), shares);

  it("is the account's rest, and no more than the rest of one's own share", () => {
    expect(leftFor(balance, "owner")).toEqual(pureLoss("2/3"));
    expect(leftFor(balance, "ana")).toEqual(pureLoss("1/4"));
    expect(leftFor(balance, "bob")).toEqual(pureLoss("2/3"));
  });

  it("is nothing, and never less, of a share that is overdrawn", () => {
    expect(leftFor(balance, "cyd")).toEqual(pureLoss("0"));
  });

  it("has the account's δ whatever the share", () => {
    const both = balanceOf(approximate("1", "1/100"), approximate("1/4", "1/400"), { ana: ["1/2", "1/4"] });
    expect(lossToJson(leftFor(both, "ana"))).toEqual(approximate("1/4", "3/400"));
  });
});

describe("the refusal of what the budget does not cover", () => {
  it("says the price rounded up and what is left rounded down, so that it fits", () => {
    const refused = overBudget(balanceOf(pure("1"), pure("2/3")), "owner", pureLoss("2/3"));
    expect(refused).toMatchObject({
      code: "ledger.budget",
      message:
        "the budget does not cover the question: it costs ε 0.666667, and ε 0.333333 is left (the account: granted ε 1, spent ε 0.666667)",
      fix: "a question of at most ε 0.333333 fits; the owner of the data may raise the budget with lethe budget grant",
      fields: {
        measure: "pure",
        principal: "owner",
        scope: "the account",
        granted: "ε 1",
        spent: "ε 0.666667",
        left: "ε 0.333333",
        asked: "ε 0.666667",
        fits: "0.333333",
      },
    });
  });

  it("says δ too where the account has one, with four digits however small it is", () => {
    const balance = balanceOf(approximate("3", "1/3000000"), approximate("1", "1/7000000"));
    const refused = overBudget(balance, "owner", lossFromJson(approximate("5/2", "1/900000000")));
    // 1/3,000,000 − 1/7,000,000 = 1.90476…e-7, and 1/900,000,000 = 1.1…e-9
    expect(refused.fields).toMatchObject({
      left: "ε 2, δ 0.0000001904",
      asked: "ε 2.5, δ 0.000000001112",
      fits: "2",
    });
    expect(refused.fields.granted).toMatch(/^ε 3, δ 0\.00000033333?$/);
    expect(refused.fields.spent).toMatch(/^ε 1, δ 0\.000000142(86|9)$/);
  });

  it("says what is left however little it is, so that it can be asked for", () => {
    const little = 10n ** 200n;
    const refused = overBudget(
      balanceOf(pure("1"), pure(`${little - 1n}/${little}`)),
      "owner",
      pureLoss("1"),
    );
    expect(refused.fields.fits).toBe(`0.${"0".repeat(199)}1`);
  });

  it("counts in ρ where the account does", () => {
    const zcdp = (rho: string): PrivacyLossText => ({ measure: "zcdp", rho, delta: "0" });
    const refused = overBudget(balanceOf(zcdp("1"), zcdp("1/4")), "owner", lossFromJson(zcdp("1")));
    expect(refused.message).toContain("it costs ρ 1, δ 0, and ρ 0.75, δ 0 is left");
  });

  it("is of one's share where that is what lacks, and of the account where its share would do", () => {
    const balance = balanceOf(pure("1"), pure("9/10"), { ana: ["1/2", "1/4"], bob: ["5", "0"] });
    expect(overBudget(balance, "ana", pureLoss("3/10")).message).toMatch(
      /^ana's share of the budget does not cover/,
    );
    expect(overBudget(balance, "ana", pureLoss("1/4")).message).toMatch(/^the budget does not cover/);
    expect(overBudget(balance, "bob", pureLoss("1/2")).message).toMatch(/^the budget does not cover/);
    expect(overBudget(balance, "owner", pureLoss("1/2")).message).toMatch(/^the budget does not cover/);
  });

  it("says nothing of what others spent to whom the policy does not show it, and what fits the caps that they may see", () => {
    const of = (spent: string) => balanceOf(pure("1"), pure(spent), { ana: ["3/4", "1/4"] }, false);
    const hidden = overBudget(of("9/10"), "ana", pureLoss("1/2"));
    expect(hidden.message).toBe(
      "the account's budget does not cover the question: it costs ε 0.5 (the account: granted ε 1)",
    );
    expect(hidden.fix).toBe(
      "ask for less: the caps that you may see leave ε 0.5; the owner of the data may raise the budget with lethe budget grant",
    );
    expect(hidden.fields).toEqual({
      measure: "pure",
      principal: "ana",
      scope: "the account",
      granted: "ε 1",
      asked: "ε 0.5",
      fits: "0.5",
    });
    // The same words, whatever the others have spent.
    const other = overBudget(of("3/4"), "ana", pureLoss("1/2"));
    expect([other.message, other.fix, other.fields]).toEqual([hidden.message, hidden.fix, hidden.fields]);
    expect(leftFor(of("9/10"), "ana")).toEqual(pureLoss("1/2"));
    expect(leftFor(of("9/10"), "owner")).toEqual(pureLoss("1/10"));
    // Of one's own share everything is said.
    expect(overBudget(of("9/10"), "ana", pureLoss("5/8")).message).toBe(
      "ana's share of the budget does not cover the question: it costs ε 0.625, and ε 0.5 is left (analyst ana: granted ε 0.75; the account: granted ε 1)",
    );
  });

  it("says that nothing more fits where nothing is left", () => {
    const refused = overBudget(balanceOf(pure("1"), pure("1")), "owner", pureLoss("1/2"));
    expect(refused.fix).toBe(
      "nothing more fits; the owner of the data may raise the budget with lethe budget grant",
    );
    expect(refused.fields).toMatchObject({ left: "ε 0", fits: "0" });
  });
});

it("the other refusals have codes of their own, and name what they are of", () => {
  expect(closedAccount()).toMatchObject({
    code: "ledger.budget",
    message: "the owner of the data closed this account: nothing more is charged",
  });
  expect(unknownPrincipal("eve")).toMatchObject({
    code: "ledger.principal",
    message: 'no analyst "eve" holds a share of the budget',
    fields: { principal: "eve" },
  });
  expect(tooManyFailures()).toMatchObject({ code: "ledger.failures", fields: {} });
  expect(foreignRequest("r", "belongs to another question")).toMatchObject({
    code: "ledger.request",
    message: 'the request id "r" belongs to another question',
    fields: { requestId: "r" },
  });
});
