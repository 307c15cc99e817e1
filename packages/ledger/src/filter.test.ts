import { type PrivacyLoss, type PrivacyMeasure, parseRational, type Rational, ratio } from "@lethe/core";
import { add, compare, zero } from "@lethe/core/numeric";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AccountBudget } from "./account/budget.ts";
import type { AccountLedger } from "./account-ledger.ts";
import { createLedger } from "./create-ledger.ts";
import type { Charge } from "./ledger.ts";
import { openLedger } from "./open-ledger.ts";
import { clock, policyHash, request, withDirectory } from "./testing/temporary-ledger.ts";
import { verifyLedger } from "./verify-ledger.ts";

/*
 * Adaptive composition: an adversary sees what is left and asks for what hurts most. A model that only adds exact
 * fractions decides beside the ledger; both must agree on every question, and the sum never exceeds the cap.
 */

const cap = { main: parseRational("1"), delta: parseRational("1e-6"), ana: parseRational("0.4") };

const account: Readonly<
  Record<PrivacyMeasure, { budget: AccountBudget; loss: (main: Rational, delta: Rational) => PrivacyLoss }>
> = {
  pure: {
    budget: { measure: "pure", epsilon: cap.main, delta: zero, rho: null, analysts: { ana: cap.ana } },
    loss: (epsilon) => ({ measure: "pure", epsilon }),
  },
  approximate: {
    budget: {
      measure: "approximate",
      epsilon: cap.main,
      delta: cap.delta,
      rho: null,
      analysts: { ana: cap.ana },
    },
    loss: (epsilon, delta) => ({ measure: "approximate", epsilon, delta }),
  },
  zcdp: {
    budget: { measure: "zcdp", epsilon: null, delta: cap.delta, rho: cap.main, analysts: { ana: cap.ana } },
    loss: (rho, delta) => ({ measure: "zcdp", rho, delta }),
  },
};

type Step =
  | {
      readonly do: "ask";
      readonly id: number;
      readonly num: bigint;
      readonly den: bigint;
      readonly ana: boolean;
    }
  /** Asks for all that is left and, if `over`, a breath more. */
  | { readonly do: "drain"; readonly id: number; readonly over: boolean; readonly ana: boolean }
  | { readonly do: "settle" | "fail"; readonly id: number }
  | { readonly do: "reopen" };

const id = fc.integer({ min: 0, max: 11 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("ask" as const),
      id,
      num: fc.bigInt({ min: 0n, max: 30n }),
      den: fc.bigInt({ min: 1n, max: 97n }),
      ana: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("drain" as const), id, over: fc.boolean(), ana: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("settle" as const, "fail" as const), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reopen" as const) }) },
);

const breath = ratio(1n, 10n ** 40n);
const micro = ratio(1n, 10n ** 6n);

async function play(measure: PrivacyMeasure, steps: readonly Step[]): Promise<void> {
  await withDirectory(async (directory) => {
    const { budget, loss } = account[measure];
    const ledgers: AccountLedger[] = [
      await createLedger(directory, { budget, policyHash, source: "s", clock }),
    ];
    // A second handle on the same file, as another process would have.
    ledgers.push(await openLedger(directory, { clock }));
    const hasDelta = measure !== "pure";
    const paid = new Map<number, PrivacyLoss>();
    const charges = new Map<number, { readonly charge: Charge; readonly by: AccountLedger }>();
    const answers = new Map<number, string>();
    let spent = { main: zero, delta: zero, ana: zero };
    let turn = 0;
    const ask = async (n: number, main: Rational, ana: boolean): Promise<void> => {
      const delta = hasDelta ? ratio(main.num, main.den * 10n ** 6n) : zero;
      const cost = paid.get(n) ?? loss(main, delta);
      const principal = ana ? "ana" : "owner";
      const after = {
        main: add(spent.main, main),
        delta: add(spent.delta, delta),
        ana: ana ? add(spent.ana, main) : spent.ana,
      };
      const fits =
        compare(after.main, cap.main) <= 0 &&
        compare(after.delta, cap.delta) <= 0 &&
        compare(after.ana, cap.ana) <= 0;
      const ledger = ledgers[turn % 2]!;
      const before = paid.get(n);
      const owner = before ? owners.get(n)! : principal;
      const reserve = ledger.reserve(request(`q${n}`, cost, owner));
      if (!before && !fits) {
        await expect(reserve).rejects.toMatchObject({ code: "ledger.budget" });
        return;
      }
      const got = await reserve;
      if (!before) {
        paid.set(n, cost);
        owners.set(n, principal);
        spent = after;
      }
      if (answers.has(n)) expect(got).toEqual({ kind: "settled", release: answers.get(n) });
      else if (got.kind === "charged") {
        expect(got.resumed).toBe(before !== undefined);
        charges.set(n, { charge: got.charge, by: ledger });
      } else throw new Error("answered before it was settled");
    };
    const owners = new Map<number, string>();
    for (const each of steps) {
      turn += 1;
      if (each.do === "ask") await ask(each.id, ratio(each.num, each.den * 2n), each.ana);
      if (each.do === "drain") {
        const left = await ledgers[turn % 2]!.remaining(each.ana ? "ana" : "owner");
        const main = "rho" in left ? left.rho : left.epsilon;
        await ask(each.id, each.over ? add(main, breath) : main, each.ana);
      }
      const held = "id" in each ? charges.get(each.id) : undefined;
      if (each.do === "settle" && held) {
        const bytes = await held.by.settle(held.charge, `answer ${turn}`);
        expect(bytes).toBe(answers.get(each.id) ?? `answer ${turn}`);
        answers.set(each.id, bytes);
      }
      if (each.do === "fail" && held) await held.by.fail(held.charge);
      if (each.do === "reopen") {
        await ledgers[1]!.close();
        for (const [n, { by }] of charges) if (by === ledgers[1]) charges.delete(n);
        ledgers[1] = await openLedger(directory, { clock });
      }
      if (measure !== "pure") expect(compare(spent.delta, micro)).toBeLessThanOrEqual(0);
    }
    const report = await ledgers[0]!.report();
    expect(report.spent).toEqual(loss(spent.main, spent.delta));
    expect(report.analysts).toEqual([{ name: "ana", granted: cap.ana, spent: spent.ana }]);
    expect(report.charges.map(({ requestId }) => requestId).sort()).toEqual(
      [...paid.keys()].map((n) => `q${n}`).sort(),
    );
    for (const ledger of ledgers) await ledger.close();
    expect((await verifyLedger(directory)).spent).toEqual(report.spent);
  });
}

for (const measure of ["pure", "approximate", "zcdp"] as const) {
  it(`never overspends a ${measure} account, and refuses nothing that fits`, () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), (steps) => play(measure, steps)),
      { seed: 7, numRuns: 25 },
    ));
}
