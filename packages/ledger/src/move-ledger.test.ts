import { cpSync } from "node:fs";
import { join } from "node:path";
import { LetheError } from "@lethe/core";
import { hasPostgres, serverWith } from "@lethe/testing";
import { describe, expect, it } from "vitest";
import { createLedger } from "./create-ledger.ts";
import { layout } from "./directory/layout.ts";
import { type MoveStep, moveLedger } from "./move-ledger.ts";
import { openLedger } from "./open-ledger.ts";
import { writeUrl } from "./stores/open-store.ts";
import { postgresSchema } from "./stores/postgres/schema.ts";
import { openSqliteStore } from "./stores/sqlite/sqlite-store.ts";
import { clock, policyHash, pureBudget, request, withDirectory } from "./testing/temporary-ledger.ts";
import { verifyLedger } from "./verify-ledger.ts";

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "none",
    (error: unknown) => (error instanceof LetheError ? error.code : String(error)),
  );
}

describe.skipIf(!hasPostgres())("a ledger that is moved to PostgreSQL", () => {
  const own = serverWith("CREATE ROLE gateway LOGIN", { fsync: "on" });
  let made = 0;

  async function freshUrl(): Promise<string> {
    made += 1;
    await own.admin.query(postgresSchema(`moved_${made}`, "gateway"));
    return `${own.server.urlOf("gateway")}?schema=moved_${made}`;
  }

  /** A ledger in a file, with an answer, a charge without one, and a failure. */
  const withSpent = (use: (directory: string) => Promise<void>): Promise<void> =>
    withDirectory(async (directory) => {
      const budget = pureBudget("1", { ana: "1/2" });
      const ledger = await createLedger(directory, { budget, policyHash, source: "people", clock });
      const paid = await ledger.reserve(request("a", "1/4", "ana"));
      await ledger.reserve(request("b", "1/4"));
      const failed = await ledger.reserve(request("c", "1/8"));
      if (paid.kind !== "charged" || failed.kind !== "charged") throw new Error("expected charges");
      await ledger.settle(paid.charge, "answer of a");
      await ledger.fail(failed.charge);
      await ledger.close();
      await use(directory);
    });

  it("is the same there, goes on there, and is charged in its file no more", () =>
    withSpent(async (directory) => {
      const before = await verifyLedger(directory);
      const open = await openLedger(directory, { clock });
      const headFile = `${directory}.head`;
      await verifyLedger(directory, { headFile, makeHeadFile: true });
      const url = await freshUrl();
      expect(await moveLedger(directory, url, { headFile })).toEqual(before);
      // Whoever had the file open, and whoever opens it, is refused.
      expect(await codeOf(open.reserve(request("d", "1/8")))).toBe("ledger.moved");
      const resumed = await open.reserve(request("b", "1/4"));
      if (resumed.kind !== "charged") throw new Error("expected the charge");
      expect(await codeOf(open.settle(resumed.charge, "too late"))).toBe("ledger.moved");
      await open.close();
      expect(await codeOf(openSqliteStore(join(directory, "ledger.db")))).toBe("ledger.moved");
      const ledger = await openLedger(directory, { clock, headFile });
      expect((await ledger.settled("a", "ana"))?.release).toBe("answer of a");
      const again = await ledger.reserve(request("b", "1/4"));
      if (again.kind !== "charged") throw new Error("expected the charge");
      expect(again.resumed).toBe(true);
      await ledger.settle(again.charge, "answer of b");
      expect(await codeOf(ledger.reserve(request("e", "1/2")))).toBe("ledger.budget");
      await ledger.close();
      expect(await moveLedger(directory, url, { headFile })).toMatchObject({ charges: 3 });
    }));

  const steps: readonly MoveStep[] = ["verified", "copied", "sealed", "committed", "written"];
  it.each(steps)("may die when it is %s: at no moment can two be charged, and it goes on", (step) =>
    withSpent(async (directory) => {
      const url = await freshUrl();
      const died = moveLedger(directory, url, {
        between: (at) => {
          if (at === step) throw new Error("died");
        },
      });
      await expect(died).rejects.toThrow("died");
      // A gateway that was told of the tables already, and one that still uses the file.
      const elsewhere = `${directory}-elsewhere`;
      cpSync(directory, elsewhere, { recursive: true });
      writeUrl(layout(elsewhere), url);
      const charged = await Promise.all([
        chargedIn(() => openLedger(elsewhere, { clock })),
        chargedFile(join(directory, "ledger.db")),
      ]);
      expect(charged.filter(Boolean).length).toBeLessThan(2);
      expect(charged).toEqual([
        ["committed", "written"].includes(step),
        ["verified", "copied"].includes(step),
      ]);
      if (charged[0] || charged[1]) return;
      // Sealed and not committed: nobody can charge it until the move is asked for again.
      expect(await codeOf(openLedger(directory, { clock }))).toBe("ledger.moved");
      expect(await codeOf(moveLedger(directory, await freshUrl()))).toBe("ledger.moved");
      expect(await moveLedger(directory, url)).toMatchObject({ charges: 3 });
      expect(await chargedIn(() => openLedger(directory, { clock }))).toBe(true);
    }),
  );

  it("goes on from each step to the same end", () =>
    withSpent(async (directory) => {
      const before = await verifyLedger(directory);
      const url = await freshUrl();
      for (const step of steps) {
        const died = moveLedger(directory, url, {
          between: (at) => {
            if (at === step) throw new Error("died");
          },
        });
        await expect(died).rejects.toThrow("died");
      }
      expect(await moveLedger(directory, url)).toEqual(before);
    }));

  it("goes on where the tables were charged before its file said where it is", () =>
    withSpent(async (directory) => {
      const url = await freshUrl();
      const died = moveLedger(directory, url, {
        between: (at) => {
          if (at === "committed") throw new Error("died");
        },
      });
      await expect(died).rejects.toThrow("died");
      const elsewhere = `${directory}-elsewhere`;
      cpSync(directory, elsewhere, { recursive: true });
      writeUrl(layout(elsewhere), url);
      expect(await chargedIn(() => openLedger(elsewhere, { clock }))).toBe(true);
      expect(await moveLedger(directory, url)).toMatchObject({ charges: 4 });
    }));

  it("is refused where the tables hold another", () =>
    withSpent(async (directory) => {
      const url = await freshUrl();
      const options = { budget: pureBudget("1"), policyHash, source: "people", clock, url };
      await (await createLedger(`${directory}-other`, options)).close();
      expect(await codeOf(moveLedger(directory, url))).toBe("ledger.exists");
      expect(await chargedIn(() => openLedger(directory, { clock }))).toBe(true);
    }));

  async function chargedIn(open: () => ReturnType<typeof openLedger>): Promise<boolean> {
    const ledger = await open().catch(() => null);
    const told = await ledger?.reserve(request("one more", "1/8")).catch(() => null);
    await ledger?.close();
    return told?.kind === "charged";
  }

  async function chargedFile(path: string): Promise<boolean> {
    const store = await openSqliteStore(path).catch(() => null);
    await store?.close();
    return store !== null;
  }
});
