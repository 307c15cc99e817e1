import { setTimeout as pause } from "node:timers/promises";
import { postgresSchema } from "@lethe/ledger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountLaw } from "../linear/account-law.mjs";
import { linearization } from "../linear/linearization.mjs";
import { historyOfProcesses, withAccount } from "../linear/record-history.mjs";
import { account, script } from "../linear/script.mjs";
import { serverWith } from "../postgres/server-with.ts";
import { hasPostgres } from "../postgres/start-postgres.ts";
import { bundledLedger } from "./bundled-ledger.mjs";
import { cuttingProxy } from "./cutting-proxy.mjs";
import { libraryRound } from "./library-round.mjs";
import { seededRandom } from "./seeded-random.mjs";

/** A process that finds no server as it opens the ledger, or at every try, ends with a refusal that says so: it was told nothing, and no promise is broken. */
const isBroken = (line) => !line.includes("code: 'ledger.unreadable'");

describe.skipIf(!hasPostgres())("a ledger in PostgreSQL keeps every promise", () => {
  const own = serverWith("CREATE ROLE gateway LOGIN", { fsync: "on" });
  let ledgerModule;
  let made = 0;
  beforeAll(async () => {
    ledgerModule = await bundledLedger();
  });
  afterAll(() => ledgerModule.remove());

  async function freshUrl(port = null) {
    made += 1;
    const { Client } = await import("pg");
    const admin = new Client({ connectionString: own.server.url });
    admin.on("error", () => {});
    await admin.connect();
    await admin.query(postgresSchema(`killed_${made}`, "gateway"));
    await admin.end();
    const url = new URL(`${own.server.urlOf("gateway")}?schema=killed_${made}`);
    if (port !== null) url.port = String(port);
    return url.href;
  }

  it("when processes are killed at random moments", async () => {
    const random = seededRandom(31);
    let killed = 0;
    for (let round = 0; round < 4; round += 1) {
      const outcome = await libraryRound(ledgerModule.moduleUrl, random, { url: await freshUrl() });
      expect(outcome.found).toEqual([]);
      killed += outcome.killed;
    }
    expect(killed).toBeGreaterThan(0);
  });

  it("when the way to the server is slow, and is cut, also around a commit", async () => {
    const random = seededRandom(33);
    let [cuts, commits] = [0, 0];
    for (let round = 0; round < 8; round += 1) {
      const proxy = await cuttingProxy(Number(new URL(own.server.url).port), random);
      const outcome = await libraryRound(ledgerModule.moduleUrl, random, {
        url: await freshUrl(proxy.port),
        beside: (ended) => proxy.disturb(ended),
      });
      expect(outcome.found.filter(isBroken)).toEqual([]);
      cuts += proxy.told.cuts;
      commits += proxy.told.commits;
      await proxy.close();
    }
    expect([cuts, commits].every((count) => count > 5)).toBe(true);
  });

  it.each([2, 4])(
    "in an order that %i processes could have been told one after the other",
    async (processes) => {
      const random = seededRandom(processes);
      const scripts = () => [0, 1].map((client) => script(random, String(client), 7));
      await withAccount(
        await import("@lethe/ledger"),
        { ...account, url: await freshUrl() },
        async (directory) => {
          const plans = Array.from({ length: processes }, scripts);
          const history = await historyOfProcesses(ledgerModule.moduleUrl, directory, plans);
          const order = linearization(history, accountLaw, accountLaw.begin(account));
          expect(order).toMatchObject({ holds: true });
        },
      );
    },
  );

  it("when the server itself is killed", async () => {
    const random = seededRandom(32);
    own.admin.on("error", () => {});
    for (let round = 0; round < 2; round += 1) {
      const outcome = await libraryRound(ledgerModule.moduleUrl, random, {
        url: await freshUrl(),
        beside: async () => {
          await pause(300 + 300 * random());
          await own.server.crash();
        },
      });
      expect(outcome.found.filter(isBroken)).toEqual([]);
    }
  });
});
