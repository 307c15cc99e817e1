import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LetheError } from "@lethe/core";
import { collected, hasPostgres, serverWith } from "@lethe/testing";
import { describe, expect, it } from "vitest";
import { createLedger } from "./create-ledger.ts";
import { moveLedger } from "./move-ledger.ts";
import { openLedger } from "./open-ledger.ts";
import { type ReturnStep, returnLedger } from "./return-ledger.ts";
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

describe.skipIf(!hasPostgres())("a ledger that returns from PostgreSQL to a file", () => {
  const own = serverWith("CREATE ROLE gateway LOGIN", { fsync: "on" });
  let made = 0;

  async function freshUrl(): Promise<string> {
    made += 1;
    await own.admin.query(postgresSchema(`returned_${made}`, "gateway"));
    return `${own.server.urlOf("gateway")}?schema=returned_${made}`;
  }

  /** A ledger that was moved to tables and charged there, with an answer, a charge without one, and a failure; and another gateway's folder. */
  const withMoved = (use: (directory: string, elsewhere: string) => Promise<void>): Promise<void> =>
    withDirectory(async (directory) => {
      const budget = pureBudget("1", { ana: "1/2" });
      const first = await createLedger(directory, { budget, policyHash, source: "people", clock });
      const paid = await first.reserve(request("a", "1/4", "ana"));
      if (paid.kind !== "charged") throw new Error("expected a charge");
      await first.settle(paid.charge, "answer of a");
      await first.close();
      await moveLedger(directory, await freshUrl());
      const ledger = await openLedger(directory, { clock });
      await ledger.reserve(request("b", "1/4"));
      const failed = await ledger.reserve(request("c", "1/8"));
      if (failed.kind !== "charged") throw new Error("expected a charge");
      await ledger.fail(failed.charge);
      await ledger.close();
      await collected();
      const elsewhere = `${directory}-elsewhere`;
      cpSync(directory, elsewhere, { recursive: true });
      await use(directory, elsewhere);
    });

  async function chargedIn(directory: string): Promise<boolean> {
    const ledger = await openLedger(directory, { clock }).catch(() => null);
    const told = await ledger?.reserve(request("one more", "1/16")).catch(() => null);
    await ledger?.close();
    return told?.kind === "charged" && !told.resumed;
  }

  /** What lies in a directory, but for a log that is open. */
  const leftIn = (directory: string): readonly string[] =>
    readdirSync(directory)
      .filter((name) => !/-(?:wal|shm)$/.test(name))
      .sort();

  const dying = (step: ReturnStep) => ({
    between: (at: ReturnStep) => {
      if (at === step) throw new Error("died");
    },
  });

  it("is the same there, goes on there, and is charged in its tables no more", () =>
    withMoved(async (directory, elsewhere) => {
      const before = await verifyLedger(directory);
      const headFile = `${directory}.head`;
      await verifyLedger(directory, { headFile, makeHeadFile: true });
      const open = await openLedger(elsewhere, { clock });
      expect(await returnLedger(directory, { headFile })).toEqual(before);
      // Whoever uses the tables, and whoever opens them, is refused.
      expect(await codeOf(open.reserve(request("d", "1/8")))).toBe("ledger.moved");
      const resumed = await open.reserve(request("b", "1/4")).catch((error: LetheError) => error.code);
      expect(resumed).toBe("ledger.moved");
      await open.close();
      expect(await chargedIn(elsewhere)).toBe(false);
      expect(leftIn(directory)).toEqual(["ledger.db", "ledger.key", "ledger.pub"]);
      const ledger = await openLedger(directory, { clock, headFile });
      expect((await ledger.settled("a", "ana"))?.release).toBe("answer of a");
      const again = await ledger.reserve(request("b", "1/4"));
      if (again.kind !== "charged") throw new Error("expected the charge");
      expect(again.resumed).toBe(true);
      expect(await ledger.settle(again.charge, "answer of b")).toBe("answer of b");
      expect(await codeOf(ledger.reserve(request("e", "1/2")))).toBe("ledger.budget");
      await ledger.close();
      expect(await returnLedger(directory, { headFile })).toMatchObject({ charges: 3 });
      // And there again, in other tables.
      expect(await moveLedger(directory, await freshUrl(), { headFile })).toMatchObject({ charges: 3 });
    }));

  it.each(["verified", "copied", "sealed", "placed", "forgotten"] as const)(
    "may die when it is %s: at no moment can two be charged, and it goes on",
    (step) =>
      withMoved(async (directory, elsewhere) => {
        await expect(returnLedger(directory, dying(step))).rejects.toThrow("died");
        const charged = [await chargedIn(elsewhere), await chargedIn(directory)];
        // The directory still names the tables until it forgets them.
        const inTables = ["verified", "copied"].includes(step);
        expect(charged).toEqual([inTables, step === "forgotten"]);
        // Another gateway cannot take a ledger that went to this directory.
        if (!inTables) expect(await codeOf(returnLedger(elsewhere))).toBe("ledger.moved");
        const charges = charged.includes(true) ? 4 : 3;
        expect(await returnLedger(directory)).toMatchObject({ charges });
        expect(await chargedIn(directory)).toBe(charges === 3);
        expect(await chargedIn(elsewhere)).toBe(false);
        expect(leftIn(directory)).toEqual(["ledger.db", "ledger.key", "ledger.pub"]);
      }),
  );

  it("is returned into one directory where two gateways ask for it", () =>
    withMoved(async (directory, elsewhere) => {
      const codes = await Promise.all([directory, elsewhere].map((each) => codeOf(returnLedger(each))));
      expect(codes.sort()).toEqual(["ledger.moved", "none"]);
      const charged = [await chargedIn(directory), await chargedIn(elsewhere)];
      expect(charged.filter(Boolean)).toHaveLength(1);
    }));

  it("is refused where a process has the file open that it was moved from", () =>
    withDirectory(async (directory) => {
      const budget = pureBudget("1");
      const open = await createLedger(directory, { budget, policyHash, source: "people", clock });
      await moveLedger(directory, await freshUrl());
      expect(await codeOf(returnLedger(directory))).toBe("ledger.busy");
      expect(await chargedIn(directory)).toBe(true);
      await open.close();
      await collected();
      expect(await returnLedger(directory)).toMatchObject({ charges: 1 });
      await (await openSqliteStore(join(directory, "ledger.db"))).close();
    }));

  it("is refused where its head is older than the one that was kept", () =>
    withMoved(async (directory) => {
      const headFile = `${directory}.head`;
      const ahead = `${directory}-ahead`;
      cpSync(directory, ahead, { recursive: true });
      await verifyLedger(directory, { headFile, makeHeadFile: true });
      writeFileSync(headFile, `99:${"0".repeat(64)}\n`);
      expect(await codeOf(returnLedger(directory, { headFile }))).toBe("ledger.restored");
      expect(await chargedIn(ahead)).toBe(true);
    }));
});
