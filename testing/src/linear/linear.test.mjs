import { join } from "node:path";
import { AccountLedger, createLedger, openLedger, openSqliteStore, verifyLedger } from "@lethe/ledger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledLedger } from "../crash/bundled-ledger.mjs";
import { seededRandom } from "../crash/seeded-random.mjs";
import { accountLaw } from "./account-law.mjs";
import { faults } from "./faulty-ledgers.mjs";
import { linearization } from "./linearization.mjs";
import { memoryStore } from "./memory-store.mjs";
import { historyHere, historyOfProcesses, withAccount } from "./record-history.mjs";
import { account, script } from "./script.mjs";

const clock = () => 1_700_000_000_000;
const lawful = (history, options) => linearization(history, accountLaw, accountLaw.begin(account), options);
/** The replies of a ledger that keeps no chain. */
const withoutChain = { heard: ({ sequence, charges, head, ...told }) => told };

function scripts(random, clients, steps) {
  return Array.from({ length: clients }, (_, client) => script(random, String(client), steps));
}

/** Counts the pairs of calls that overlap, each begun before the other had ended. */
function overlaps(history) {
  return history.flatMap((a, i) =>
    history
      .slice(i + 1)
      .filter((b) => a.end !== null && b.end !== null && a.begin < b.end && b.begin < a.end),
  ).length;
}

describe("concurrent calls of the ledger have an order", () => {
  it("within one process, over several connections", async () => {
    const random = seededRandom(1);
    const refusals = new Set();
    for (let round = 0; round < 4; round += 1) {
      await withAccount({ createLedger }, account, async (directory) => {
        const ledgers = await Promise.all([1, 2, 3].map(() => openLedger(directory, { clock })));
        const history = await historyHere(ledgers, scripts(random, 5, 8));
        for (const ledger of ledgers) await ledger.close();
        expect(lawful(history)).toMatchObject({ holds: true });
        expect(overlaps(history)).toBeGreaterThan(20);
        for (const { told } of history) if (told.refused) refusals.add(told.refused);
      });
    }
    const every = ["ledger.budget", "ledger.failures", "ledger.principal", "ledger.request"];
    expect([...refusals].sort()).toEqual(every);
  });

  describe("of several processes", () => {
    let ledgerModule;
    beforeAll(async () => {
      ledgerModule = await bundledLedger();
    });
    afterAll(() => ledgerModule.remove());

    const race = (seed, processes, killed = null) =>
      withAccount({ createLedger }, account, async (directory) => {
        const random = seededRandom(seed);
        const plans = Array.from({ length: processes }, () => scripts(random, 2, 7));
        const history = await historyOfProcesses(ledgerModule.moduleUrl, directory, plans, killed);
        await verifyLedger(directory);
        const ledger = await openLedger(directory, { clock });
        const after = await historyHere(
          [ledger],
          [
            [
              { wait: 0, op: "account" },
              { wait: 0, op: "report" },
            ],
          ],
        );
        await ledger.close();
        const whole = [...history, ...after];
        expect(lawful(whole)).toMatchObject({ holds: true });
        return history;
      });

    it.each([2, 4])("%i processes", async (processes) => {
      expect(overlaps(await race(processes, processes))).toBeGreaterThan(0);
    });

    it("one of which is killed between a call and its answer", async () => {
      const history = await race(5, 3, { process: 1, after: 9 });
      expect(history.some(({ told }) => told === null)).toBe(true);
    });
  });
});

describe("a ledger that breaks its promise is found out", () => {
  let contents;
  beforeAll(() =>
    withAccount({ createLedger }, account, async (directory) => {
      const file = await openSqliteStore(join(directory, "ledger.db"));
      contents = await file.readAll();
      await file.close();
    }),
  );
  const keys = { publicKey: "", privateKey: null };

  /**
   * Returns how many of `rounds` histories have no order. A ledger that is not locked reads, decides and only then writes: it differs from a correct
   * one in the lock alone.
   */
  async function found(rounds, { locked = true, fault = (ledger) => ledger, ...options }) {
    const random = seededRandom(7);
    let count = 0;
    for (let round = 0; round < rounds; round += 1) {
      const ledger = new AccountLedger("s", memoryStore(contents, { locked }), keys, clock);
      const history = await historyHere([fault(ledger)], scripts(random, 5, 8));
      if (!lawful(history, options).holds) count += 1;
    }
    return count;
  }

  it("not one that keeps them", async () => {
    expect(await found(4, {})).toBe(0);
    expect(await found(4, withoutChain)).toBe(0);
  });

  it("checks, then charges, without a lock", async () => {
    expect(await found(4, { locked: false })).toBe(4);
    expect(await found(4, { locked: false, ...withoutChain })).toBe(4);
  });

  it.each(Object.keys(faults))("%s", async (name) => {
    expect(await found(12, { fault: faults[name] })).toBeGreaterThan(0);
    expect(await found(12, { fault: faults[name], ...withoutChain })).toBeGreaterThan(0);
  });
});
