import { LetheError, parseRational, type Rational, ratio } from "@lethe/core";
import { compare, zero } from "@lethe/core/numeric";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AccountBudget, ScopeBudget, WindowBudget } from "./account/budget.ts";
import type { Charge } from "./ledger.ts";
import { replay } from "./records/replay.ts";
import { memoryLedger } from "./testing/memory-ledger.ts";
import { NaiveAccount, type NaiveCharge, numbersOf } from "./testing/naive-account.ts";
import { policyHash, request } from "./testing/temporary-ledger.ts";

/*
 * Random records over random scopes: charges, answers, failures, shares, budgets, revoked analysts, closed scopes, and a clock that goes forward and
 * back. A model that keeps no sum at all decides beside the ledger; both agree on every step, and the chain verifies after it.
 */

const twentieths = (n: number): Rational => ratio(BigInt(n), 20n);
const nano = (n: number): Rational => ratio(BigInt(n), 10n ** 9n);

const amount = fc.integer({ min: 1, max: 40 });
const main = fc.oneof({ weight: 3, arbitrary: amount.map(twentieths) }, fc.constant(null));
const delta = fc.oneof({ weight: 2, arbitrary: amount.map(nano) }, fc.constant(null));
const window = (pers: readonly WindowBudget["per"][]): fc.Arbitrary<readonly WindowBudget[]> =>
  fc.subarray([...pers]).chain((some) =>
    fc.tuple(
      ...some.map((per) =>
        fc.record({
          per: fc.constant(per),
          main: amount.map(twentieths),
          delta: fc.oneof(amount.map(nano), fc.constant(null)),
        }),
      ),
    ),
  );
const scope: fc.Arbitrary<ScopeBudget> = fc.record({ main, delta, windows: window(["day", "month"]) });
const keeper: fc.Arbitrary<ScopeBudget> = fc
  .record({
    main: amount.map((n) => twentieths(Math.ceil(n / 8))),
    delta: amount.map((n) => nano(Math.ceil(n / 8))),
  })
  .map((caps) => ({ ...caps, reserved: true }));
const share = fc.oneof(
  { weight: 3, arbitrary: scope },
  { weight: 2, arbitrary: keeper },
  amount.map((n) => twentieths(n)),
);
const names = ["ana", "ben", "cyd"] as const;
const some = <T>(names: readonly string[], of: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc
    .subarray([...names])
    .chain((few) => fc.tuple(...few.map((name) => of.map((value) => [name, value] as const))))
    .map((entries) => Object.fromEntries(entries));

const budgets: fc.Arbitrary<AccountBudget> = fc
  .record({
    epsilon: amount.map((n) => twentieths(n + 20)),
    delta: amount.map((n) => nano(n + 20)),
    analysts: some(names, share),
    projects: some(
      ["p", "q"],
      fc.tuple(fc.oneof(scope, keeper), some(names, scope)).map(([own, analysts]) => ({ ...own, analysts })),
    ),
    dataSets: some(["x", "y"], scope),
    windows: window(["day", "quarter"]),
    isUnbounded: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  })
  .map(({ isUnbounded, ...budget }): AccountBudget => {
    const whole = budget.windows.some((each) => each.delta !== null);
    const measure = "approximate" as const;
    return isUnbounded && whole
      ? { ...budget, measure, rho: null, epsilon: null, delta: zero, lifetime: "none" }
      : { ...budget, measure, rho: null };
  });

const who = fc.constantFrom("owner", ...names);
const project = fc.constantFrom(null, null, "p", "q");
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("ask" as const),
      principal: who,
      project,
      dataSets: fc.subarray(["x", "y"]),
      main: fc.integer({ min: 0, max: 14 }),
      delta: fc.integer({ min: 0, max: 14 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("end" as const), n: fc.nat(20), fails: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("share" as const), n: fc.nat(20), to: who, project }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("wait" as const), hours: fc.integer({ min: -500, max: 800 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("apply" as const), budget: budgets }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("revoke" as const),
      name: fc.constantFrom(...names),
      back: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("close" as const),
      name: fc.constantFrom(["project", "p"] as const, ["dataset", "x"] as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const code = (error: unknown): string => {
  if (error instanceof LetheError) return error.code;
  throw error;
};

async function play(budget: AccountBudget, steps: readonly Step[]): Promise<void> {
  let memory: Awaited<ReturnType<typeof memoryLedger>>;
  try {
    memory = await memoryLedger(budget);
  } catch (error) {
    expect(code(error)).toBe("parameter.invalid");
    return;
  }
  const { ledger, store } = memory;
  const model = new NaiveAccount(budget, memory.now);
  const asked: {
    charge: Charge;
    by: NaiveCharge;
    settled: boolean;
    projects: Set<string | null>;
    to: Set<string>;
  }[] = [];
  for (const [at, next] of steps.entries()) {
    const hears = (): void => {
      model.seen = Math.max(model.seen, memory.now);
    };
    if (next.do === "wait") memory.now = Math.max(0, memory.now + next.hours * 3_600_000);
    if (next.do === "ask") {
      const { principal, project, dataSets } = next;
      const loss = {
        measure: "approximate",
        epsilon: twentieths(next.main),
        delta: nano(next.delta),
      } as const;
      const seen = model.seen;
      hears();
      const charge = { principal, project, dataSets, main: loss.epsilon, delta: loss.delta };
      const due = !model.mayAsk(charge) ? "refused" : model.fits(charge) ? "charged" : "ledger.budget";
      const got = await ledger
        .reserve({ ...request(`r${at}`, loss, principal), project, dataSets })
        .catch((error: unknown) => code(error));
      if (typeof got === "string") {
        // A refusal is no record: the chain has not seen its time.
        model.seen = seen;
        if (due === "refused") expect(["ledger.principal", "ledger.budget"]).toContain(got);
        else expect(got).toBe(due);
        continue;
      }
      expect(due).toBe("charged");
      if (got.kind !== "charged") throw new Error("expected a charge");
      const by = { ...charge, at: model.seen };
      model.charges.push(by);
      asked.push({ charge: got.charge, by, settled: false, projects: new Set([project]), to: new Set() });
    }
    if (next.do === "end") {
      const one = asked[next.n % Math.max(1, asked.length)];
      if (!one) continue;
      if (next.fails) await ledger.fail(one.charge);
      else await ledger.settle(one.charge, "bytes");
      if (!one.settled) hears();
      one.settled ||= !next.fails;
    }
    if (next.do === "share") {
      const one = asked[next.n % Math.max(1, asked.length)];
      if (!one) continue;
      const { to, project } = next;
      const from = one.charge.principal;
      const seen = model.seen;
      hears();
      const received = { chargesProject: project !== null && !one.projects.has(project) };
      const charge: Omit<NaiveCharge, "at"> = { ...one.by, principal: to, project, received };
      const fits = model.mayAsk(charge) && model.fits(charge);
      const got = await ledger
        .share({ from, requestId: one.charge.requestId, to, project })
        .catch((error: unknown) => ({ code: code(error) }));
      const told = typeof got === "string" ? "bytes" : got.code;
      if (!one.settled || to === from) expect(told).toBe("ledger.request");
      else if (one.to.has(to)) expect(["bytes", "ledger.request"]).toContain(told);
      else expect(told === "bytes").toBe(fits);
      const isNew = told === "bytes" && !one.to.has(to);
      if (!isNew) model.seen = seen;
      if (!isNew) continue;
      model.charges.push({ ...charge, at: model.seen });
      one.to.add(to);
      if (project !== null) one.projects.add(project);
    }
    if (next.do === "apply") {
      const seen = model.seen;
      const got = await ledger
        .apply({ budget: next.budget, policyHash })
        .catch((error: unknown) => code(error));
      if (got === "parameter.invalid") continue;
      hears();
      // Windows that are new begin at nothing in the ledger; the model counts what was charged in them, so that this budget must have none to compare.
      const isLate = typeof got !== "string";
      if (!isLate) {
        expect(got).toBe("ledger.budget");
        model.seen = seen;
      }
      if (isLate && got.needed) return void (await verify(store));
      if (!isLate) expect(model.mayApply(next.budget)).toBe(false);
    }
    if (next.do === "revoke") {
      const isRevoked = model.revoked.has(next.name);
      const what = next.back ? "reopen" : "revoke";
      const got = await ledger
        .limit({ scope: ["analyst", next.name], what, reason: "r" })
        .catch((error: unknown) => code(error));
      if (got === undefined && isRevoked === next.back) hears();
      if (got === undefined && next.back) model.revoked.delete(next.name);
      if (got === undefined && !next.back) model.revoked.add(next.name);
      if (got !== undefined) expect([got, what]).toEqual(["ledger.budget", "reopen"]);
    }
    if (next.do === "close") {
      const name = next.name.join(" ");
      if (!model.closed.has(name)) {
        await ledger.limit({ scope: next.name, what: "close", reason: "r" });
        hears();
      }
      model.closed.add(name);
    }
    await check(ledger, model, store);
  }
  await verify(store);
}

async function check(
  ledger: Awaited<ReturnType<typeof memoryLedger>>["ledger"],
  model: NaiveAccount,
  store: Awaited<ReturnType<typeof memoryLedger>>["store"],
): Promise<void> {
  const { spent } = await ledger.account();
  const account = { ...model, charges: model.charges.filter(({ received }) => !received) };
  const sum = account.charges.reduce(
    (total, { main }) => ratio(total.num * main.den + main.num * total.den, total.den * main.den),
    zero,
  );
  expect(compare(numbersOf(spent).main, sum)).toBe(0);
  for (const name of ["owner", ...names]) {
    const own = await ledger.balance(["analyst", name], name);
    const due = model.spentBy(name);
    const got = numbersOf(own.periods[0]!.spent!);
    expect([compare(got.main, due.main), compare(got.delta, due.delta)]).toEqual([0, 0]);
  }
  expect((await store.readAll()).records.length).toBeGreaterThan(0);
}

async function verify(store: Awaited<ReturnType<typeof memoryLedger>>["store"]): Promise<void> {
  expect(replay(await store.readAll()).problem).toBeNull();
}

it("every cap of every scope and window holds, as a model without sums says it should", async () => {
  await fc.assert(fc.asyncProperty(budgets, fc.array(step, { minLength: 5, maxLength: 40 }), play), {
    numRuns: 150,
  });
});

it("the model tells a cap that is exceeded by a hair", () => {
  const analysts = { ana: parseRational("1/2") };
  const budget: AccountBudget = {
    measure: "approximate",
    epsilon: twentieths(20),
    delta: nano(20),
    rho: null,
    analysts,
  };
  const model = new NaiveAccount(budget, 0);
  const charge = { principal: "ana", project: null, dataSets: [], delta: zero };
  expect(model.fits({ ...charge, main: parseRational("1/2") })).toBe(true);
  expect(model.fits({ ...charge, main: parseRational("0.5000001") })).toBe(false);
  expect(model.fits({ ...charge, principal: "owner", main: zero, delta: nano(21) })).toBe(false);
});
