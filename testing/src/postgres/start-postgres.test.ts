import { existsSync } from "node:fs";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { hasPostgres, startPostgres } from "./start-postgres.ts";

describe.skipIf(!hasPostgres())("a PostgreSQL server for tests", () => {
  it("starts, answers and leaves nothing behind", async () => {
    const server = await startPostgres();
    const client = new Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query("SELECT current_setting('server_encoding') AS encoding");
    expect(rows).toEqual([{ encoding: "UTF8" }]);
    await client.end();
    await server.stop();
    await expect(new Client({ connectionString: server.url }).connect()).rejects.toThrow();
    expect(existsSync(server.directory)).toBe(false);
  });
});
