import { LetheError, type PrivacyLoss, parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import type { AccountBudget } from "./account/budget.ts";
import type { Charge, Reservation } from "./ledger.ts";
import { replay } from "./records/replay.ts";
import type { StoredRecord } from "./stores/store.ts";
import { type MemoryLedger, memoryLedger } from "./testing/memory-ledger.ts";
import { policyHash, request } from "./testing/temporary-ledger.ts";
import type { RecordPage } from "./views/record-page.ts";

const r = parseRational;
const loss = (epsilon: string, delta = "0"): PrivacyLoss => ({
  measure: "approximate",
  epsilon: r(epsilon),
  delta: r(delta),
});
const budget = (changed: Partial<AccountBudget> = {}): AccountBudget => ({
  measure: "approximate",
  epsilon: r("1"),
  delta: r("1e-6"),
  rho: null,
  analysts: {},
  ...changed,
});
const hour = 3_600_000;
const day = 24 * hour;

let ids = 0;
/** Asks a new question; gives the reservation, or the code of the refusal. */
async function ask(
  { ledger }: MemoryLedger,
  principal: string,
  cost: PrivacyLoss,
  within: { readonly project?: string; readonly dataSets?: readonly string[] } = {},
): Promise<Reservation | LetheError> {
  ids += 1;
  return ledger.reserve({ ...request(`q${ids}`, cost, principal), ...within }).catch((error: unknown) => {
    if (error instanceof LetheError) return error;
    throw error;
  });
}

const told = (got: Reservation | LetheError): string => (got instanceof LetheError ? got.code : got.kind);

async function asked(...given: Parameters<typeof ask>): Promise<string> {
  return told(await ask(...given));
}

async function paid(...given: Parameters<typeof ask>): Promise<Charge> {
  const got = await ask(...given);
  if (got instanceof LetheError || got.kind !== "charged") throw new Error(`expected a charge: ${told(got)}`);
  return got.charge;
}

async function verified({ store }: MemoryLedger): Promise<void> {
  expect(replay(await store.readAll()).problem).toBeNull();
}

describe("a cap of a scope", () => {
  const caps = { main: r("1/2"), delta: r("1e-7") };
  it.each<[string, Partial<AccountBudget>, Parameters<typeof ask>[3]]>([
    ["an analyst", { analysts: { ana: caps, ben: { main: null } } }, {}],
    ["a project", { projects: { p: caps, q: { main: null } } }, { project: "p" }],
    [
      "an analyst in a project",
      { projects: { p: { main: null, analysts: { ana: caps, ben: { main: null } } } } },
      { project: "p" },
    ],
    ["a data set", { dataSets: { x: caps } }, { dataSets: ["x", "y"] }],
  ])(
    "of %s bounds its ε and its δ, to the last exact part, and nothing else's",
    async (_, changed, within) => {
      const memory = await memoryLedger(budget(changed));
      await paid(memory, "ana", loss("1/4", "4e-8"), within);
      expect(await asked(memory, "ana", loss("0.25000001"), within)).toBe("ledger.budget");
      expect(await asked(memory, "ana", loss("0", "6.1e-8"), within)).toBe("ledger.budget");
      expect(await asked(memory, "ana", loss("1/4", "6e-8"), within)).toBe("charged");
      expect(await asked(memory, "ana", loss("1e-9"), within)).toBe("ledger.budget");
      expect(await asked(memory, "ana", loss("0", "1e-12"), within)).toBe("ledger.budget");
      const elsewhere = "analysts" in changed ? "ben" : "owner";
      const other = changed.projects?.q ? { project: "q" } : {};
      expect(await asked(memory, elsewhere, loss("1/4", "5e-7"), other)).toBe("charged");
      await verified(memory);
    },
  );

  it("that is a number alone bounds ε, as before, and no δ", async () => {
    const memory = await memoryLedger(budget({ analysts: { ana: r("1/2") } }));
    expect(await asked(memory, "ana", loss("1/2", "1e-6"))).toBe("charged");
    expect(await asked(memory, "ana", loss("1e-9"))).toBe("ledger.budget");
  });

  it("names itself in the refusal, and the words are the same for a project that is not there as for one of others", async () => {
    const memory = await memoryLedger(
      budget({
        projects: { p: { main: r("1/8"), analysts: { ben: { main: null } } }, q: { main: r("1/8") } },
        dataSets: { x: { main: r("1/16") } },
      }),
    );
    const says = async (...given: Parameters<typeof ask>): Promise<string> =>
      ((await ask(...given)) as LetheError).message;
    expect(await says(memory, "ana", loss("1/4"), { project: "q" })).toBe(
      "the budget of project q does not cover the question: it costs ε 0.25, δ 0 (project q: granted ε 0.125; the account: granted ε 1, δ 0.000001)",
    );
    expect(await says(memory, "ana", loss("1/8"), { dataSets: ["x"] })).toContain(
      "the budget of data set x does not",
    );
    const [mine, none] = [
      await says(memory, "ana", loss("0"), { project: "p" }),
      await says(memory, "ana", loss("0"), { project: "z" }),
    ];
    expect(mine.replace('"p"', '"z"')).toBe(none);
    expect(await asked(memory, "ben", loss("1/8"), { project: "p" })).toBe("charged");
    expect(await asked(memory, "owner", loss("0"), { project: "p" })).toBe("charged");
  });

  it("covers what was asked before the policy stated it", async () => {
    const memory = await memoryLedger(budget());
    await paid(memory, "ana", loss("1/4", "1e-8"), { dataSets: ["x"] });
    const stated = budget({
      dataSets: { x: { main: r("3/8") } },
      analysts: { ana: { main: r("1/2"), delta: r("1e-8") } },
    });
    await memory.ledger.apply({ budget: stated, policyHash });
    expect(await asked(memory, "owner", loss("1/4"), { dataSets: ["x"] })).toBe("ledger.budget");
    expect(await asked(memory, "ana", loss("0", "1e-9"))).toBe("ledger.budget");
    const below = budget({ dataSets: { x: { main: r("1/8") } } });
    await expect(memory.ledger.apply({ budget: below, policyHash })).rejects.toMatchObject({
      code: "ledger.budget",
      message: expect.stringContaining("the cap of data set x cannot be 0.125: ε 0.25 is spent"),
    });
    await verified(memory);
  });
});

describe("a reserved share", () => {
  const keep = (main: string, delta: string) => ({ main: r(main), delta: r(delta), reserved: true });

  it("is there for its analyst, whatever others ask for, in ε and in δ", async () => {
    const memory = await memoryLedger(
      budget({ analysts: { ana: keep("1/4", "2e-7"), ben: { main: null } } }),
    );
    expect(await asked(memory, "ben", loss("0.76"))).toBe("ledger.budget");
    expect(await asked(memory, "ben", loss("0", "8.1e-7"))).toBe("ledger.budget");
    expect(await asked(memory, "ben", loss("3/4", "8e-7"))).toBe("charged");
    expect(await asked(memory, "ben", loss("1e-9"))).toBe("ledger.budget");
    expect(await asked(memory, "owner", loss("1e-9"))).toBe("ledger.budget");
    expect(await asked(memory, "ana", loss("1/8", "1e-7"))).toBe("charged");
    expect(await asked(memory, "ben", loss("1e-9"))).toBe("ledger.budget");
    expect(await asked(memory, "ana", loss("1/8", "1e-7"))).toBe("charged");
    expect(await asked(memory, "ana", loss("1e-9"))).toBe("ledger.budget");
    await verified(memory);
  });

  it("comes back to the others when its analyst is revoked, and may be given back while it is there", async () => {
    const memory = await memoryLedger(
      budget({ analysts: { ana: keep("1/4", "2e-7"), ben: { main: null } } }),
    );
    await memory.ledger.limit({ scope: ["analyst", "ana"], what: "revoke", reason: "left" });
    expect(await asked(memory, "ben", loss("7/8"))).toBe("charged");
    await expect(
      memory.ledger.limit({ scope: ["analyst", "ana"], what: "reopen", reason: "back" }),
    ).rejects.toMatchObject({
      code: "ledger.budget",
      message: expect.stringContaining("reserved to analysts"),
    });
    await verified(memory);
  });

  it("of a window is kept in each new window", async () => {
    const windows = [{ per: "day" as const, main: r("1/10"), delta: null }];
    const memory = await memoryLedger(
      budget({
        windows,
        analysts: {
          ana: { ...keep("1/2", "5e-7"), windows: [{ per: "day", main: r("1/20"), delta: null }] },
          ben: { main: null },
        },
      }),
    );
    for (let n = 0; n < 3; n += 1) {
      expect(await asked(memory, "ben", loss("0.051"))).toBe("ledger.budget");
      expect(await asked(memory, "ben", loss("1/20"))).toBe("charged");
      expect(await asked(memory, "ana", loss("1/20"))).toBe("charged");
      expect(await asked(memory, "ana", loss("0.001"))).toBe("ledger.budget");
      memory.now += day;
    }
    await verified(memory);
  });

  it("lets no budget be applied that could not keep it beside what is spent", async () => {
    const memory = await memoryLedger(budget());
    await paid(memory, "owner", loss("7/8"));
    await expect(
      memory.ledger.apply({ budget: budget({ analysts: { ana: keep("1/4", "1e-7") } }), policyHash }),
    ).rejects.toMatchObject({ code: "ledger.budget" });
    await memory.ledger.apply({ budget: budget({ analysts: { ana: keep("1/8", "1e-7") } }), policyHash });
    await verified(memory);
  });
});

describe("a window", () => {
  const windows = [{ per: "month" as const, main: r("1/4"), delta: r("2e-7") }];

  it("begins at nothing each time, inside a lifetime that goes on counting", async () => {
    const memory = await memoryLedger(budget({ windows }), { at: Date.UTC(2026, 0, 31, 23) });
    const spent: string[] = [];
    for (let month = 1; month < 6; month += 1) {
      spent.push(
        await asked(memory, "owner", loss("0.26")),
        await asked(memory, "owner", loss("1/4", "2e-7")),
      );
      spent.push(
        await asked(memory, "owner", loss("1e-9")),
        await asked(memory, "owner", loss("0", "2.1e-7")),
      );
      memory.now = Date.UTC(2026, month, 1);
    }
    const inside = ["ledger.budget", "charged", "ledger.budget", "ledger.budget"];
    expect(spent).toEqual([...inside, ...inside, ...inside, ...inside, ...Array(4).fill("ledger.budget")]);
    expect(await memory.ledger.account()).toMatchObject({
      spent: loss("1", "8e-7"),
      left: loss("0", "2e-7"),
    });
    await verified(memory);
  });

  it("that is over binds no budget that is applied after it", async () => {
    const memory = await memoryLedger(budget({ windows }));
    await paid(memory, "owner", loss("1/4"));
    const less = budget({ windows: [{ per: "month" as const, main: r("1/8"), delta: r("2e-7") }] });
    await expect(memory.ledger.apply({ budget: less, policyHash })).rejects.toMatchObject({
      code: "ledger.budget",
    });
    memory.now += 31 * day;
    expect(await memory.ledger.apply({ budget: less, policyHash })).toMatchObject({ needed: true });
    expect(await asked(memory, "owner", loss("1/4"))).toBe("ledger.budget");
    expect(await asked(memory, "owner", loss("1/8"))).toBe("charged");
    await verified(memory);
  });

  it("that is over, and in which a project's part was spent, forbids no change of another scope", async () => {
    const day = [{ per: "day" as const, main: r("1/20"), delta: null }];
    const q = { main: r("1/4"), delta: r("1e-7"), windows: day, reserved: true };
    const memory = await memoryLedger(budget({ windows: day, projects: { q } }));
    await asked(memory, "owner", loss("1/20"), { project: "q" });
    memory.now += 24 * hour;
    await memory.ledger.limit({
      scope: ["dataset", "x"],
      what: "lower",
      cap: { main: r("1/2") },
      reason: "r",
    });
    // The new day is the project's again, and nobody else's.
    expect(await asked(memory, "owner", loss("1/20"))).toBe("ledger.budget");
    expect(await asked(memory, "owner", loss("1/20"), { project: "q" })).toBe("charged");
    await verified(memory);
  });

  it("is not ended by a clock that is set back and forth, and the operator is told", async () => {
    const memory = await memoryLedger(budget({ windows }), { at: Date.UTC(2026, 2, 1) });
    await paid(memory, "owner", loss("1/4"));
    for (const at of [Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 31), 0]) {
      memory.now = at;
      expect(await asked(memory, "owner", loss("1/8"))).toBe("ledger.budget");
    }
    memory.now = Date.UTC(2026, 1, 28);
    const got = await ask(memory, "owner", loss("0"));
    expect(got).toMatchObject({ kind: "charged", clockBehind: Date.UTC(2026, 2, 1) });
    expect((await memory.ledger.report()).clockBehind).toBe(Date.UTC(2026, 2, 1));
    memory.now = Date.UTC(2026, 3, 1);
    expect(await ask(memory, "owner", loss("1/4"))).not.toHaveProperty("clockBehind");
    expect((await memory.ledger.report()).clockBehind).toBeNull();
    // And back again: March is over for good, and April is spent.
    memory.now = Date.UTC(2026, 2, 15);
    expect(await asked(memory, "owner", loss("1e-9"))).toBe("ledger.budget");
    await verified(memory);
  });

  it("of an analyst, a project and a data set counts as the account's does", async () => {
    const own = { main: null, windows: [{ per: "week" as const, main: r("1/10"), delta: null }] };
    for (const [changed, within] of [
      [{ analysts: { ana: own } }, {}],
      [{ projects: { p: own } }, { project: "p" }],
      [{ dataSets: { x: own } }, { dataSets: ["x"] }],
    ] as const) {
      const memory = await memoryLedger(budget(changed), { at: Date.UTC(2026, 0, 4, 23) });
      expect(await asked(memory, "ana", loss("1/10"), within)).toBe("charged");
      expect(await asked(memory, "ana", loss("1e-9"), within)).toBe("ledger.budget");
      memory.now += hour;
      expect(await asked(memory, "ana", loss("1/10"), within)).toBe("charged");
      await verified(memory);
    }
  });

  it("alone bounds an account without a lifetime, and its totals say that nothing bounds it over time", async () => {
    const memory = await memoryLedger(
      budget({ epsilon: null, delta: r("0"), lifetime: "none", windows, analysts: {} }),
    );
    for (let month = 1; month < 9; month += 1) {
      expect(await asked(memory, "owner", loss("1/4", "2e-7"))).toBe("charged");
      expect(await asked(memory, "owner", loss("1e-9"))).toBe("ledger.budget");
      memory.now = Date.UTC(2026, month, 1);
    }
    expect(await memory.ledger.account()).toEqual({ granted: null, left: null, spent: loss("2", "16e-7") });
    expect(await memory.ledger.remaining("owner")).toEqual(loss("1/4", "2e-7"));
    await verified(memory);
  });
});

describe("records of the owner", () => {
  it("lower a cap to what is spent and no further, until a budget is applied", async () => {
    const memory = await memoryLedger(budget({ analysts: { ana: { main: r("1/2"), delta: r("1e-7") } } }));
    await paid(memory, "ana", loss("1/4", "1e-8"));
    const lower = (main: string) =>
      memory.ledger.limit({
        scope: ["analyst", "ana"],
        what: "lower",
        cap: { main: r(main) },
        reason: "less",
      });
    await expect(lower("0.2")).rejects.toMatchObject({ code: "ledger.budget" });
    await expect(lower("0.6")).rejects.toMatchObject({ code: "parameter.invalid" });
    await lower("1/4");
    expect(await asked(memory, "ana", loss("1e-9"))).toBe("ledger.budget");
    await memory.ledger.limit({ scope: ["account"], what: "lower", cap: { main: r("1/2") }, reason: "less" });
    expect(await asked(memory, "owner", loss("0.26"))).toBe("ledger.budget");
    const { budgets } = await memory.ledger.report();
    expect(
      budgets.map(({ kind, reason, changes }) => [kind, reason, changes[0]!.what, changes[0]!.how]),
    ).toEqual([
      ["limit", "less", "analyst ana", "lowered"],
      ["limit", "less", "ε", "lowered"],
    ]);
    await verified(memory);
  });

  it("revoke an analyst, who may not ask any more and whose spending stays, also after a budget that lists the name", async () => {
    const analysts = { ana: r("1/2"), ben: r("1/2") };
    const memory = await memoryLedger(budget({ analysts }));
    await paid(memory, "ana", loss("1/4"));
    await memory.ledger.limit({ scope: ["analyst", "ana"], what: "revoke", reason: "left" });
    expect(await asked(memory, "ana", loss("0"))).toBe("ledger.principal");
    await expect(memory.ledger.remaining("ana")).rejects.toMatchObject({ code: "ledger.principal" });
    await memory.ledger.apply({ budget: budget({ epsilon: r("2"), analysts }), policyHash });
    expect(await asked(memory, "ana", loss("0"))).toBe("ledger.principal");
    await memory.ledger.limit({ scope: ["analyst", "ana"], what: "reopen", reason: "back" });
    expect(await asked(memory, "ana", loss("0.26"))).toBe("ledger.budget");
    expect(await asked(memory, "ana", loss("1/4"))).toBe("charged");
    for (const [scope, what] of [
      [["analyst", "owner"], "revoke"],
      [["analyst", "ana"], "close"],
      [["project", "p"], "revoke"],
    ] as const)
      await expect(memory.ledger.limit({ scope, what, reason: "r" })).rejects.toMatchObject({
        code: "parameter.invalid",
      });
    await verified(memory);
  });

  it("close a scope for good, the account too, once and not twice", async () => {
    const memory = await memoryLedger(budget({ projects: { p: { main: null } } }));
    for (const scope of [
      ["project", "p"],
      ["dataset", "x"],
    ] as const) {
      await memory.ledger.limit({ scope, what: "close", reason: "done" });
      await memory.ledger.limit({ scope, what: "close", reason: "done" });
    }
    expect((await memory.store.readAll()).records).toHaveLength(3);
    expect(await asked(memory, "ana", loss("0"), { project: "p" })).toBe("ledger.budget");
    expect(await asked(memory, "ana", loss("0"), { dataSets: ["x", "y"] })).toBe("ledger.budget");
    expect(await asked(memory, "ana", loss("0"), { dataSets: ["y"] })).toBe("charged");
    await memory.ledger.limit({ scope: ["account"], what: "close", reason: "over" });
    expect(await asked(memory, "owner", loss("0"))).toBe("ledger.budget");
    await memory.ledger.limit({ scope: ["account"], what: "reopen", reason: "on" });
    expect(await asked(memory, "owner", loss("0"))).toBe("charged");
    await verified(memory);
  });
});

describe("failures", () => {
  it("are capped a principal and an account", async () => {
    const memory = await memoryLedger(budget(), { failureCap: 5, failureCapEach: 2 });
    await memory.ledger.fail(await paid(memory, "ana", loss("0")));
    await paid(memory, "ana", loss("0"));
    expect(await asked(memory, "ana", loss("0"))).toBe("ledger.failures");
    await memory.ledger.fail(await paid(memory, "ben", loss("0")));
    await memory.ledger.fail(await paid(memory, "ben", loss("0")));
    expect(await asked(memory, "ben", loss("0"))).toBe("ledger.failures");
    await paid(memory, "cyd", loss("0"));
    expect(await asked(memory, "cyd", loss("0"))).toBe("ledger.failures");
    await verified(memory);
  });

  it("of one analyst may be granted more", async () => {
    const memory = await memoryLedger(budget({ analysts: { ana: r("1") } }), { failureCapEach: 1 });
    await memory.ledger.fail(await paid(memory, "ana", loss("0")));
    expect(await asked(memory, "ana", loss("0"))).toBe("ledger.failures");
    await memory.ledger.grant({ failures: 1, analyst: "ana", reason: "a broken disk" });
    expect(await asked(memory, "ana", loss("0"))).toBe("charged");
    await verified(memory);
  });
});

describe("an answer that is shared", () => {
  const caps = { main: r("1/2"), delta: r("5e-7") };

  it("charges the receiver's caps once and the account no more", async () => {
    const memory = await memoryLedger(budget({ analysts: { ana: caps, ben: caps } }));
    const charge = await paid(memory, "ana", loss("3/8", "4e-7"));
    const { requestId } = charge;
    const share = () => memory.ledger.share({ from: "ana", requestId, to: "ben" });
    await expect(share()).rejects.toMatchObject({ code: "ledger.request" });
    await memory.ledger.settle(charge, "bytes");
    expect([await share(), await share()]).toEqual(["bytes", "bytes"]);
    expect(await memory.ledger.account()).toMatchObject({ spent: loss("3/8", "4e-7") });
    expect(await memory.ledger.remaining("ben")).toEqual(loss("1/8", "1e-7"));
    expect(
      (await memory.ledger.charges({ viewer: "ben", principal: "ben", before: null, most: 9 })).charges,
    ).toMatchObject([
      { principal: "ben", sharedBy: "ana", requestId, state: "settled", loss: loss("3/8", "4e-7") },
    ]);
    expect((await memory.ledger.report()).charges).toHaveLength(2);
    expect(await memory.ledger.requestsOf("ben", 9)).toEqual([]);
    expect(await memory.ledger.requestsOf("ana", 9)).toEqual([requestId]);
    await verified(memory);
  });

  it("is refused where the receiver's caps do not cover it, or the receiver may not ask", async () => {
    const small = { main: r("1/4"), delta: r("5e-7") };
    const memory = await memoryLedger(
      budget({ analysts: { ana: caps, ben: small, cyd: { ...caps, delta: r("1e-7") }, dan: caps } }),
    );
    const charge = await paid(memory, "ana", loss("3/8", "4e-7"));
    await memory.ledger.settle(charge, "bytes");
    await memory.ledger.limit({ scope: ["analyst", "dan"], what: "revoke", reason: "left" });
    const share = (to: string, requestId = charge.requestId) =>
      memory.ledger.share({ from: "ana", requestId, to }).catch((error: LetheError) => error.code);
    expect(await share("ben")).toBe("ledger.budget");
    expect(await share("cyd")).toBe("ledger.budget");
    expect(await share("dan")).toBe("ledger.principal");
    expect(await share("eve")).toBe("ledger.principal");
    expect(await share("ana")).toBe("ledger.request");
    expect(await share("ben", "no such id")).toBe("ledger.request");
    await verified(memory);
  });

  it("charges the receiver's project where that did not know it, and a closed account nothing", async () => {
    const projects = { p: { main: r("1/2") }, q: { main: r("1/2") } };
    const memory = await memoryLedger(budget({ projects }));
    const charge = await paid(memory, "ana", loss("3/8"), { project: "p" });
    await memory.ledger.settle(charge, "bytes");
    const share = (to: string, project: string) =>
      memory.ledger.share({ from: "ana", requestId: charge.requestId, to, project });
    const spent = async (project: string) =>
      (await memory.ledger.balance(["project", project], "owner")).periods[0]!.spent;
    await share("ben", "p");
    await share("cyd", "q");
    await share("dan", "q");
    expect([await spent("p"), await spent("q")]).toEqual([loss("3/8"), loss("3/8")]);
    await expect(share("dan", "p")).rejects.toMatchObject({ code: "ledger.request" });
    await memory.ledger.limit({ scope: ["account"], what: "close", reason: "over" });
    await expect(share("eve", "q")).rejects.toMatchObject({ code: "ledger.budget" });
    expect(await share("dan", "q")).toBe("bytes");
    await verified(memory);
  });
});

describe("whoever looks", () => {
  const analysts = { ana: { main: r("1/2"), delta: r("5e-7") }, ben: r("1/2") };

  it("sees their own caps and spending and the account's cap; its spending if the policy shows it, and the owner all", async () => {
    for (const showAccount of [false, true]) {
      const memory = await memoryLedger(budget({ analysts, showAccount }));
      await paid(memory, "ben", loss("1/4"));
      await paid(memory, "ana", loss("1/8"));
      const account = await memory.ledger.balance(["account"], "ana");
      expect(account.periods).toEqual([
        {
          per: "ever",
          since: 0,
          cap: { main: r("1"), delta: r("1e-6") },
          spent: showAccount ? loss("3/8") : null,
          reserved: null,
        },
      ]);
      expect((await memory.ledger.balance(["analyst", "ana"], "ana")).periods[0]).toMatchObject({
        spent: loss("1/8"),
      });
      for (const name of ["ben", "nobody"])
        await expect(memory.ledger.balance(["analyst", name], "ana")).rejects.toMatchObject({
          code: "ledger.principal",
        });
      expect((await memory.ledger.balance(["dataset", "x"], "ana")).periods[0]!.spent).toBeNull();
      expect((await memory.ledger.balance(["account"], "owner")).periods[0]!.spent).toEqual(loss("3/8"));
      expect(await memory.ledger.remaining("ana")).toEqual(
        showAccount ? loss("3/8", "5e-7") : loss("3/8", "5e-7"),
      );
    }
  });

  it("gets pages of charges, newest first, of their own alone unless the owner asks", async () => {
    const memory = await memoryLedger(budget({ analysts }));
    for (let n = 0; n < 5; n += 1) await paid(memory, n % 2 ? "ben" : "ana", loss("1/100"));
    const page = (viewer: string, principal: string | null, before: number | null, most: number) =>
      memory.ledger.charges({ viewer, principal, before, most });
    const first = await page("owner", null, null, 2);
    expect(first.charges.map(({ sequence }) => sequence)).toEqual([5, 4]);
    const second = await page("owner", null, first.before, 9);
    expect(second).toMatchObject({ before: null });
    expect(second.charges.map(({ sequence, state }) => [sequence, state])).toEqual([
      [3, "reserved"],
      [2, "reserved"],
      [1, "reserved"],
    ]);
    expect((await page("ana", "ana", null, 9)).charges.map(({ principal }) => principal)).toEqual([
      "ana",
      "ana",
      "ana",
    ]);
    for (const principal of ["ben", null, "nobody"])
      await expect(page("ana", principal, null, 9)).rejects.toMatchObject({ code: "ledger.principal" });
    await expect(page("owner", null, null, 0)).rejects.toMatchObject({ code: "parameter.invalid" });
    expect(await memory.ledger.requestsOf("ana", 2)).toHaveLength(2);
  });

  it("gets one charge by its request, and what a receiver of its answer was charged", async () => {
    const memory = await memoryLedger(budget({ analysts }));
    const charge = await paid(memory, "ana", loss("1/100"));
    const asked = { requestId: charge.requestId, principal: "ana" };
    expect(await memory.ledger.charge(asked)).toMatchObject({ ...asked, state: "reserved", sharedBy: null });
    await memory.ledger.settle(charge, "bytes");
    expect(await memory.ledger.charge({ ...asked, receiver: "ben" })).toBeNull();
    await memory.ledger.share({ from: "ana", requestId: charge.requestId, to: "ben" });
    expect(await memory.ledger.charge(asked)).toMatchObject({ principal: "ana", state: "settled" });
    const received = await memory.ledger.charge({ ...asked, receiver: "ben" });
    expect(received).toMatchObject({ principal: "ben", sharedBy: "ana", loss: loss("1/100") });
    for (const other of [
      { ...asked, principal: "ben" },
      { ...asked, requestId: "none" },
    ])
      expect(await memory.ledger.charge(other)).toBeNull();
  });

  it("gets pages of records from the newest to the first, which hold when they are put together", async () => {
    const memory = await memoryLedger(budget({ analysts }));
    for (let n = 0; n < 6; n += 1) await paid(memory, "ana", loss("1/100"));
    const found: StoredRecord[] = [];
    let before: number | null = null;
    do {
      const page: RecordPage = await memory.ledger.records(before, 3);
      expect(page.records.length).toBeGreaterThan(0);
      found.push(...page.records);
      before = page.before;
    } while (before !== null);
    expect(found.toReversed()).toEqual(memory.store.contents().records);
    expect(await memory.ledger.records(0, 3)).toEqual({ records: [], before: null });
    for (const [place, most] of [
      [null, 0],
      [null, 1001],
      [-1, 3],
      [0.5, 3],
    ] as const)
      await expect(memory.ledger.records(place, most)).rejects.toMatchObject({ code: "parameter.invalid" });
  });

  it("learns nothing from an id that is another's: it is a request of one's own", async () => {
    const memory = await memoryLedger(budget());
    const charge = await memory.ledger.reserve(request("same", loss("1/8"), "ana"));
    if (charge.kind === "charged") await memory.ledger.settle(charge.charge, "ana's");
    const fresh = await memory.ledger.reserve(request("same", loss("1/4"), "ben"));
    expect(fresh).toMatchObject({ kind: "charged", resumed: false });
    if (fresh.kind === "charged") expect(await memory.ledger.settle(fresh.charge, "ben's")).toBe("ben's");
    expect(await memory.ledger.settled("same", "ana")).toMatchObject({ release: "ana's" });
    expect(await memory.ledger.settled("same", "ben")).toMatchObject({ release: "ben's" });
    expect(await memory.ledger.settled("same", "eve")).toBeNull();
    expect(await memory.ledger.askersOf("same")).toEqual(["ana", "ben"]);
    expect(await memory.ledger.account()).toMatchObject({ spent: loss("3/8") });
    await verified(memory);
  });
});
