import { type LetheError, parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import type { AccountBudget } from "../account/budget.ts";
import { changeText } from "../account/budget-changes.ts";
import type { AccountLedger } from "../account-ledger.ts";
import { createLedger } from "../create-ledger.ts";
import { openLedger } from "../open-ledger.ts";
import {
  clock,
  policyHash,
  pureBudget,
  pureLoss,
  request,
  withDirectory,
} from "../testing/temporary-ledger.ts";
import { verifyLedger } from "../verify-ledger.ts";

const first = pureBudget("1", { ana: "0.5", bob: "0.5" });

function withAccount(
  use: (ledger: AccountLedger, directory: string) => Promise<void>,
  budget = first,
): Promise<void> {
  return withDirectory(async (directory) => {
    const ledger = await createLedger(directory, { budget, policyHash, source: "people", clock });
    try {
      await use(ledger, directory);
      await verifyLedger(directory);
    } finally {
      await ledger.close();
    }
  });
}

function refusal(work: Promise<unknown>): Promise<LetheError> {
  return work.then(
    () => expect.unreachable("it was accepted"),
    (error: LetheError) => error,
  );
}

const apply = async (ledger: AccountLedger, budget: AccountBudget, renamed = {}): Promise<string[]> =>
  (await ledger.apply({ budget, policyHash, renamed })).changes.map(changeText);

const records = async (ledger: AccountLedger): Promise<number> => (await ledger.report()).head.sequence;

describe("a budget that is applied", () => {
  it("is the account's from then on: raised, lowered, analysts named, removed and closed", () =>
    withAccount(async (ledger) => {
      await ledger.reserve(request("a", "1/4", "ana"));
      expect(await apply(ledger, pureBudget("2", { ana: "1/3", eve: "0.1" }))).toEqual([
        "ε 1 → 2 (raised)",
        "analyst ana 0.5 → 1/3 (lowered)",
        "analyst eve → 0.1 (named)",
        "analyst bob 0.5 (removed)",
      ]);
      expect((await refusal(ledger.reserve(request("b", "0.1", "bob")))).code).toBe("ledger.principal");
      expect((await refusal(ledger.reserve(request("c", "1/4", "ana")))).code).toBe("ledger.budget");
      await ledger.reserve(request("d", "0.1", "eve"));
      await ledger.reserve(request("e", "1.65"));
      expect((await refusal(ledger.reserve(request("f", "1/1000")))).code).toBe("ledger.budget");

      expect(await apply(ledger, { ...pureBudget("3"), closed: true })).toContain("the account is closed");
      const closed = await refusal(ledger.reserve(request("g", "0")));
      expect(closed).toMatchObject({ code: "ledger.budget", message: expect.stringContaining("closed") });
      expect((await ledger.report()).closed).toBe(true);
      expect(await apply(ledger, pureBudget("3"))).toEqual(["the account is opened"]);
      await ledger.reserve(request("h", "1", "anybody"));
    }));

  it("is one record, with what it changed and why, and none where it changes nothing", () =>
    withAccount(async (ledger) => {
      const budget = pureBudget("0.1", { ana: "0.1" });
      await ledger.apply({ budget, policyHash, reason: "too much" });
      expect(await records(ledger)).toBe(1);
      expect(await ledger.apply({ budget, policyHash })).toMatchObject({ needed: false, changes: [] });
      expect(await records(ledger)).toBe(1);
      expect((await ledger.report()).budgets).toEqual([
        {
          sequence: 1,
          at: clock(),
          kind: "apply",
          reason: "too much",
          changes: [
            { how: "lowered", what: "ε", from: "1", to: "0.1" },
            { how: "lowered", what: "analyst ana", from: "0.5", to: "0.1" },
            { how: "removed", what: "analyst bob", from: "0.5", to: null },
          ],
        },
      ]);
    }));

  it("is never below what is spent, by the account, by δ or by one analyst, and may be exactly that", () =>
    withAccount(async (ledger) => {
      await ledger.reserve(request("a", "1/3", "ana"));
      const below = [
        [pureBudget("0.3333333", { ana: "1/3" }), "the budget cannot be 0.3333333: ε 1/3 is spent"],
        [pureBudget("1", { ana: "0.1" }), "ana's share cannot be 0.1: ε 1/3 is spent"],
      ] as const;
      for (const [budget, message] of below) {
        const said = await refusal(ledger.apply({ budget, policyHash }));
        expect(said).toMatchObject({ code: "ledger.budget", message: expect.stringContaining(message) });
        expect(said.fix).toContain("at least ε 1/3");
        await refusal(ledger.propose({ budget, policyHash }));
      }
      expect(await records(ledger)).toBe(1);
      await apply(ledger, pureBudget("1/3", { ana: "1/3" }));
      expect(await ledger.remaining("owner")).toEqual(pureLoss("0"));
    }));

  it("keeps δ above what is spent of it", () => {
    const budget = (delta: string): AccountBudget => ({
      measure: "approximate",
      epsilon: parseRational("1"),
      delta: parseRational(delta),
      rho: null,
      analysts: {},
    });
    return withAccount(async (ledger) => {
      const loss = {
        measure: "approximate",
        epsilon: parseRational("0"),
        delta: parseRational("1e-7"),
      } as const;
      await ledger.reserve(request("a", loss));
      const said = await refusal(ledger.apply({ budget: budget("5e-8"), policyHash }));
      expect(said.message).toContain("the budget cannot be 0.00000005: δ 0.0000001 is spent");
      expect(await apply(ledger, budget("1e-7"))).toEqual(["δ 0.000001 → 0.0000001 (lowered)"]);
    }, budget("1e-6"));
  });

  it("counts what a name was charged before it was listed, also after it was removed", () =>
    withAccount(async (ledger) => {
      await ledger.reserve(request("a", "0.3", "bob"));
      await ledger.reserve(request("b", "0.2", "ana"));
      await apply(ledger, pureBudget("2", { bob: "0.5" }));
      expect((await refusal(ledger.reserve(request("c", "0.3", "bob")))).fields.fits).toBe("0.2");
      await apply(ledger, pureBudget("2", { ana: "0.5", bob: "0.5" }));
      expect((await ledger.report()).analysts.map(({ spent }) => spent)).toEqual(
        ["0.2", "0.3"].map((spent) => parseRational(spent)),
      );
    }, pureBudget("2")));

  it("lets an analyst go on under another name, with what was spent, and the old name begin anew", () =>
    withAccount(async (ledger) => {
      await ledger.reserve(request("a", "0.4", "ana"));
      const renaming = { ana: "adele", bob: "rob" };
      expect(await apply(ledger, pureBudget("1", { adele: "0.5", rob: "0.5" }), renaming)).toEqual([
        "analyst ana → adele (renamed)",
        "analyst bob → rob (renamed)",
      ]);
      expect((await refusal(ledger.reserve(request("b", "0.2", "adele")))).fields.fits).toBe("0.1");
      expect((await refusal(ledger.reserve(request("c", "0.2", "ana")))).code).toBe("ledger.principal");
      await apply(ledger, pureBudget("1", { adele: "0.5", ana: "0.5" }));
      await ledger.reserve(request("d", "0.5", "ana"));
      expect((await ledger.report()).analysts.map(({ name, spent }) => [name, spent])).toEqual([
        ["adele", parseRational("0.4")],
        ["ana", parseRational("0.5")],
      ]);
    }));

  it("is shown before it is recorded, with what is spent by the account and by each analyst under the new name", () =>
    withAccount(async (ledger) => {
      await ledger.reserve(request("a", "0.4", "ana"));
      await ledger.reserve(request("b", "1/8", "owner"));
      const application = {
        budget: pureBudget("2", { adele: "0.5", bob: "0.5", owner: "1" }),
        policyHash,
        renamed: { ana: "adele" },
      };
      const due = {
        changes: [
          { how: "raised", what: "ε", from: "1", to: "2" },
          { how: "renamed", what: "analyst", from: "ana", to: "adele" },
          { how: "named", what: "analyst owner", from: null, to: "1" },
        ],
        spent: { account: "0.525", analysts: { adele: "0.4", bob: "0", owner: "0.125" } },
        needed: true,
      };
      expect(await ledger.propose(application)).toEqual(due);
      expect(await records(ledger)).toBe(2);
      expect(await ledger.apply(application, (await ledger.propose(application)).changes)).toEqual(due);
      expect(await records(ledger)).toBe(3);
      const { renamed: _, ...again } = application;
      expect(await ledger.propose(again)).toEqual({ changes: [], spent: due.spent, needed: false });
    }));

  it("is recorded with a reason that can be shown, or with none", () =>
    withAccount(async (ledger) => {
      for (const reason of ["", "a\nb", "x".repeat(201)])
        expect((await refusal(ledger.apply({ budget: pureBudget("2"), policyHash, reason }))).code).toBe(
          "parameter.invalid",
        );
      await ledger.apply({ budget: pureBudget("2"), policyHash });
      expect((await ledger.report()).budgets.map(({ reason }) => reason)).toEqual([""]);
    }));

  it("renames nobody who stays, or was not listed, or to a name that is taken", () =>
    withAccount(async (ledger) => {
      const budget = pureBudget("1", { adele: "0.5", bob: "0.5" });
      const wrong: Record<string, string>[] = [
        { bob: "adele" },
        { eve: "adele" },
        { ana: "bob" },
        { ana: "zoe" },
      ];
      for (const renamed of wrong) {
        expect((await refusal(ledger.apply({ budget, policyHash, renamed }))).code).toBe("parameter.invalid");
      }
      const both = {
        budget: pureBudget("1", { adele: "0.5" }),
        policyHash,
        renamed: { ana: "adele", bob: "adele" },
      };
      expect((await refusal(ledger.apply(both))).code).toBe("parameter.invalid");
      expect(await records(ledger)).toBe(0);
    }));

  it("takes neither another measure nor other units", () =>
    withAccount(async (ledger) => {
      const zcdp = {
        ...first,
        measure: "zcdp",
        epsilon: null,
        rho: parseRational("1"),
        analysts: {},
      } as const;
      const said = await refusal(ledger.apply({ budget: zcdp, policyHash }));
      expect(said).toMatchObject({ code: "policy.changed", fix: expect.stringContaining("measure: pure") });
      const units = await refusal(ledger.apply({ budget: pureBudget("2"), policyHash: "cd" }));
      expect(units).toMatchObject({
        code: "policy.changed",
        fix: expect.stringContaining("--accept-policy"),
      });
      expect(await records(ledger)).toBe(0);
    }));

  it("takes the place of what was granted on top, which a policy that says it keeps", () =>
    withAccount(async (ledger) => {
      await ledger.grant({ epsilon: parseRational("1"), reason: "more" });
      expect(await apply(ledger, { ...first })).toEqual(["ε 2 → 1 (lowered)"]);
      await ledger.grant({ epsilon: parseRational("1"), reason: "more again" });
      const said = await apply(ledger, pureBudget("2", { ana: "0.5", bob: "0.5" }));
      expect(said).toEqual(["what was granted is stated"]);
      expect((await ledger.report()).granted).toEqual(pureLoss("2"));
    }));

  it("is not recorded where another changed the budget after it was shown", () =>
    withAccount(async (ledger, directory) => {
      const mine = { budget: pureBudget("3"), policyHash };
      const { changes } = await ledger.propose(mine);
      const other = await openLedger(directory, { clock });
      await other.apply({ budget: pureBudget("2"), policyHash });
      expect((await refusal(ledger.apply(mine, changes))).code).toBe("ledger.busy");
      await other.apply(mine);
      expect(await ledger.apply(mine, changes)).toMatchObject({ needed: false });
      await other.close();
      expect(await records(ledger)).toBe(2);
    }));
});

describe("a policy that is not the account's", () => {
  const policy = (budget: AccountBudget) => ({ clock, policy: { budget, policyHash } });

  it("is refused when the ledger is opened, with every difference", () =>
    withAccount(async (_ledger, directory) => {
      await (await openLedger(directory, policy(pureBudget("1.0", { bob: "1/2", ana: "0.50" })))).close();
      const edited: readonly [AccountBudget, string][] = [
        [pureBudget("0.1", { ana: "0.5", bob: "0.5" }), "ε 1 → 0.1 (lowered)"],
        [pureBudget("9", { ana: "0.5", bob: "0.5" }), "ε 1 → 9 (raised)"],
        [pureBudget("1", { ana: "0.5" }), "analyst bob 0.5 (removed)"],
        [pureBudget("1", { ana: "0.5", bob: "0.5", eve: "1" }), "analyst eve → 1 (named)"],
        [{ ...first, closed: true }, "the account is closed"],
      ];
      for (const [budget, difference] of edited) {
        const said = await refusal(openLedger(directory, policy(budget)));
        expect(said).toMatchObject({ code: "policy.changed", message: expect.stringContaining(difference) });
      }
    }));

  it("charges nothing from the moment that another is applied, and answers again what it paid before", () =>
    withAccount(async (ledger, directory) => {
      const before = await openLedger(directory, policy(first));
      const paid = await before.reserve(request("a", "1/4"));
      if (paid.kind !== "charged") throw new Error("expected a charge");
      await apply(ledger, pureBudget("0.5"));
      expect((await refusal(before.reserve(request("b", "0.01")))).code).toBe("policy.changed");
      expect(await before.settle(paid.charge, "bytes")).toBe("bytes");
      expect(await before.reserve(request("a", "1/4"))).toEqual({ kind: "settled", release: "bytes" });
      await before.close();
      await (await openLedger(directory, policy(pureBudget("0.5")))).close();
      expect((await ledger.report()).spent).toEqual(pureLoss("1/4"));
    }));

  it("can be asked for: the one that the ledger was opened with, or any other, or none", () =>
    withAccount(async (ledger, directory) => {
      await ledger.requirePolicy();
      await ledger.requirePolicy({ budget: first, policyHash });
      const other = pureBudget("2", { ana: "0.5", bob: "0.5" });
      expect((await refusal(ledger.requirePolicy({ budget: other, policyHash }))).message).toContain(
        "ε 1 → 2",
      );
      const units = await refusal(ledger.requirePolicy({ budget: first, policyHash: "cd" }));
      expect(units).toMatchObject({
        code: "policy.changed",
        message: expect.stringContaining("other units"),
      });

      const opened = await openLedger(directory, policy(first));
      await ledger.apply({ budget: other, policyHash });
      expect((await refusal(opened.requirePolicy())).code).toBe("policy.changed");
      await opened.requirePolicy({ budget: other, policyHash });
      await opened.close();
    }));

  it("is still the account's after a grant on top of it", () =>
    withAccount(async (ledger, directory) => {
      await ledger.grant({ epsilon: parseRational("1"), reason: "more" });
      await (await openLedger(directory, policy(first))).close();
    }));
});
