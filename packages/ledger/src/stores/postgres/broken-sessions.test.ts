import type { LetheError } from "@lethe/core";
import { hasPostgres, serverWith } from "@lethe/testing";
import { describe, expect, it } from "vitest";
import { AccountLedger } from "../../account-ledger.ts";
import { createLedger } from "../../create-ledger.ts";
import { readKeyPair } from "../../directory/key-pair.ts";
import { layout } from "../../directory/layout.ts";
import { openLedger } from "../../open-ledger.ts";
import { clock, policyHash, pureBudget, request, withDirectory } from "../../testing/temporary-ledger.ts";
import { verifyLedger } from "../../verify-ledger.ts";
import { type Connection, Cut, connect } from "./connection.ts";
import { openPostgresStore } from "./postgres-store.ts";
import { postgresSchema } from "./schema.ts";

/** Where a session breaks: before a statement reaches the server, or when it was done and nobody heard of it. */
type Break = "before" | "after";

describe.skipIf(!hasPostgres())("a session that breaks", () => {
  const own = serverWith("CREATE ROLE gateway LOGIN", { fsync: "on" });
  let made = 0;

  async function withLedger(use: (directory: string, url: string) => Promise<void>): Promise<void> {
    made += 1;
    const schema = `broken_${made}`;
    await own.admin.query(postgresSchema(schema, "gateway"));
    const url = `${own.server.urlOf("gateway")}?schema=${schema}`;
    await withDirectory(async (directory) => {
      const options = { budget: pureBudget("1"), policyHash, source: "people", clock, url };
      await (await createLedger(directory, options)).close();
      await use(directory, url);
    });
  }

  /** Sessions that break at the statement of a number, counted over all of them; at none after `dies`. */
  function breaking(at: number, how: Break, dies: boolean) {
    const count = { statements: 0, broken: false };
    const connectTo = async (...asked: Parameters<typeof connect>): Promise<Connection> => {
      if (count.broken && dies) throw new Cut("it is dead");
      const real = await connect(...asked);
      return {
        ...real,
        async run(sql, values) {
          if (count.broken && dies) throw new Cut("it is dead");
          count.statements += 1;
          if (count.statements !== at) return real.run(sql, values);
          count.broken = true;
          if (how === "after") await real.run(sql, values);
          await real.end();
          throw new Cut("it broke");
        },
      };
    };
    return { count, connectTo };
  }

  async function openBreaking(
    directory: string,
    url: string,
    connectTo: typeof connect,
    patienceMs: number,
  ): Promise<AccountLedger> {
    const store = await openPostgresStore(url, { patienceMs }, connectTo);
    return new AccountLedger("people", store, readKeyPair(layout(directory).privateKey), clock);
  }

  it.each(["before", "after"] as const)("%s any statement: what was asked is done once, and told", (how) =>
    withLedger(async (directory, url) => {
      let broken = 0;
      for (let at = 1; ; at += 1) {
        const id = `${how}-${at}`;
        const { count, connectTo } = breaking(at, how, false);
        const opened = await openBreaking(directory, url, connectTo, 12_000).catch(
          (error: LetheError) => error.code,
        );
        if (typeof opened === "string") {
          // It broke as it was opened, which is not tried again.
          expect(opened).toBe("ledger.unreadable");
          continue;
        }
        const [paid, refused] = await Promise.allSettled([
          opened.reserve(request(id, "1/1000")),
          opened.reserve(request(`${id} too dear`, "2")),
        ]);
        expect(refused).toMatchObject({ status: "rejected", reason: { code: "ledger.budget" } });
        if (paid.status !== "fulfilled" || paid.value.kind !== "charged")
          throw new Error("expected a charge");
        // A charge that was made and not heard of is found, and not made twice.
        expect(paid.value.resumed).toBe(false);
        expect(await opened.settle(paid.value.charge, `answer ${id}`)).toBe(`answer ${id}`);
        await opened.close();
        if (!count.broken) break;
        broken += 1;
      }
      expect(broken).toBeGreaterThan(7);
      const { charges, records } = await verifyLedger(directory);
      // Of those that opened, one charge and one answer each; the last broke nothing.
      expect([charges, records]).toEqual([broken + 1, 2 * (broken + 1) + 1]);
    }),
  );

  it.each(["before", "after"] as const)(
    "%s any statement, and its process with it: nothing is told unpaid, lost or doubled",
    (how) =>
      withLedger(async (directory, url) => {
        let died = 0;
        for (let at = 1; ; at += 1) {
          const id = `${how}-${at}`;
          const { count, connectTo } = breaking(at, how, true);
          const told: string[] = [];
          const run = async (): Promise<void> => {
            const ledger = await openBreaking(directory, url, connectTo, 0);
            const reservation = await ledger.reserve(request(id, "1/1000"));
            told.push("paid");
            if (reservation.kind === "charged") told.push(await ledger.settle(reservation.charge, "first"));
            await ledger.close();
          };
          const dying = run().catch((error: LetheError) => error.code);
          const ended = await dying;
          const next = await openLedger(directory, { clock });
          const charge = await next.charge({ principal: "owner", requestId: id });
          if (told.includes("paid")) expect(charge).not.toBeNull();
          if (told.includes("first")) expect((await next.settled(id, "owner"))?.release).toBe("first");
          const again = await next.reserve(request(id, "1/1000"));
          const release =
            again.kind === "settled" ? again.release : await next.settle(again.charge, "second");
          expect(["first", ...(told.includes("first") ? [] : ["second"])]).toContain(release);
          expect(again.kind === "charged" ? again.resumed : true).toBe(charge !== null);
          await next.close();
          if (!count.broken) {
            expect(ended).toBeUndefined();
            break;
          }
          died += 1;
        }
        expect(died).toBeGreaterThan(7);
        const { charges, records } = await verifyLedger(directory);
        expect([charges, records]).toEqual([died + 1, 2 * (died + 1) + 1]);
      }),
  );

  it("that stays silent while another process holds the lock is told of as busy, and charges nothing", () =>
    withLedger(async (directory, url) => {
      const store = await openPostgresStore(url, { lockTimeoutMs: 200, patienceMs: 0 });
      const ledger = new AccountLedger("people", store, readKeyPair(layout(directory).privateKey), clock);
      const schema = new URL(url).searchParams.get("schema");
      await own.admin.query(`BEGIN; SELECT FROM ${schema}.ledger FOR UPDATE`);
      await expect(ledger.reserve(request("a", "1/2"))).rejects.toMatchObject({
        code: expect.stringMatching(/^ledger\.(busy|unreadable)$/),
      });
      await own.admin.query("ROLLBACK");
      expect(await ledger.reserve(request("a", "1/2"))).toMatchObject({ kind: "charged" });
      await ledger.close();
      expect(await verifyLedger(directory)).toMatchObject({ charges: 1 });
    }));
});
