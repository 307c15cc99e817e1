import { hasPostgres, serverWith } from "@lethe/testing";
import { describe, expect, it, vi } from "vitest";
import { postgresSchema } from "../postgres/schema.ts";
import type { HeldLedger } from "./held-ledger.ts";
import { holdTables } from "./hold-tables.ts";

describe.skipIf(!hasPostgres())("a ledger in PostgreSQL that services hold", () => {
  const own = serverWith(
    `CREATE ROLE gateway LOGIN; ${postgresSchema("lethe", "gateway")} ${postgresSchema("another", "gateway")}`,
  );
  const urlOf = (schema = "lethe"): string => `${own.server.urlOf("gateway")}?schema=${schema}`;
  const hold = (number: number, schema = "lethe"): Promise<HeldLedger> =>
    holdTables(urlOf(schema), { number });
  const served = expect.objectContaining({
    code: "ledger.served",
    message: expect.stringContaining("schema lethe"),
  });
  /** Ends the sessions of those who hold a ledger. */
  const cut = (): Promise<unknown> =>
    own.admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()",
    );

  it("is held by any number of processes of one service, and by another service once all are gone", async () => {
    const held = await Promise.all([hold(1), hold(1), hold(1)]);
    await expect(hold(2)).rejects.toEqual(served);
    // A ledger of its own is held by itself.
    (await hold(2, "another")).release();
    held[0].release();
    held[1].release();
    await expect(hold(2_147_483_647)).rejects.toEqual(served);
    (await hold(1)).release();
    held[2].release();
    const next = await hold(2);
    await expect(hold(1)).rejects.toEqual(served);
    next.release();
  });

  it("has one of many services that start together", async () => {
    const all = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => hold(100 + at)));
    const held = all.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(held).toHaveLength(1);
    for (const each of all) if (each.status === "rejected") expect(each.reason).toEqual(served);
    held[0]!.release();
  });

  it("is held again after its session was cut", async () => {
    const onTaken = vi.fn();
    const held = await holdTables(urlOf(), { number: 1, onTaken }, 50);
    const holders = async (): Promise<string> => {
      const { rows } = await own.admin.query(
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 1",
      );
      return JSON.stringify(rows);
    };
    const before = await holders();
    await cut();
    await expect.poll(async () => [before, "[]"].includes(await holders())).toBe(false);
    await expect(hold(2)).rejects.toEqual(served);
    held.release();
    expect(onTaken).not.toHaveBeenCalled();
  });

  it("is given up where another service has it by then", async () => {
    const onTaken = vi.fn();
    const held = await holdTables(urlOf(), { number: 1, onTaken }, 1_000);
    await cut();
    const other = await hold(2);
    await expect.poll(() => onTaken.mock.calls.length).toBe(1);
    expect(onTaken.mock.calls[0]).toEqual([served]);
    held.release();
    other.release();
  });
});
