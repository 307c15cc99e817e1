import { readFileSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { hasPostgres, serverWith } from "@lethe/testing";
import pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EndingClient } from "./ending-client.ts";

/** The socket of a client, which `pg` does not tell of. */
const socketOf = (client: pg.Client): Socket =>
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;

describe.skipIf(!hasPostgres())("a client that cannot sign in", () => {
  const own = serverWith("CREATE ROLE reader LOGIN PASSWORD 'right'");
  afterEach(() => vi.unstubAllEnvs());

  it("leaves no connection open, by itself and in a pool, where the driver's own does", async () => {
    vi.stubEnv("PGPASSWORD", undefined);
    vi.stubEnv("PGPASSFILE", join(own.server.directory, "none"));
    const path = join(own.server.directory, "data", "pg_hba.conf");
    writeFileSync(path, `host all reader all scram-sha-256\n${readFileSync(path, "utf8")}`);
    await own.admin.query("SELECT pg_reload_conf()");
    const connectionString = own.server.urlOf("reader");
    const failing = async (Client: typeof pg.Client): Promise<pg.Client> => {
      for (;;) {
        const client = new Client({ connectionString });
        client.on("error", () => undefined);
        const isIn = await client.connect().then(
          () => true,
          (error: Error) => {
            expect(error.message).toMatch(/password must be/);
            return false;
          },
        );
        if (!isIn) return client;
        // The server has not read its file again yet.
        await client.end();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const left = socketOf(await failing(pg.Client));
    expect(left.destroyed).toBe(false);
    left.destroy();
    expect(socketOf(await failing(EndingClient)).destroyed).toBe(true);

    const made: pg.Client[] = [];
    class Told extends EndingClient {
      constructor(config?: pg.ClientConfig) {
        super(config);
        made.push(this);
      }
    }
    const pool = new pg.Pool({ connectionString, Client: Told });
    await expect(pool.query("SELECT 1")).rejects.toThrow(/password must be/);
    await pool.end();
    expect(made.map((client) => socketOf(client).destroyed)).toEqual([true]);
  });
});
