import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { contractRecord } from "../../../../../testing/src/contracts/audit-log-contract.ts";
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from "../../../../../testing/src/postgres/start-postgres.ts";
import type { ServiceStore } from "../service-store.ts";
import { addContractPerson, serviceStoreContract } from "../testing/service-store-contract.ts";
import { openServiceDatabase } from "./open-service-database.ts";
import { openTables } from "./tables.ts";

const unreadable = expect.objectContaining({ code: "people.unreadable" });
const random = (count: number): Uint8Array => new Uint8Array(randomBytes(count));

describe.skipIf(!hasPostgres())("the service in PostgreSQL", () => {
  let server: PostgresServer;
  let made = 0;
  beforeAll(async () => {
    server = await startPostgres({ fsync: "on", max_connections: "100" });
  });
  afterAll(() => server.stop());

  /** Runs statements as the superuser; returns the rows of the last. */
  async function execute(sql: string, url = server.url): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows ?? [];
    } finally {
      await client.end();
    }
  }
  /** Makes an empty database, and returns its URL. */
  async function database(): Promise<string> {
    made += 1;
    await execute(`CREATE DATABASE service${made}`);
    return server.url.replace(/\/postgres$/, `/service${made}`);
  }
  const open = (
    url: string,
    more: { readonly random?: null; readonly connections?: number } = {},
  ): Promise<ServiceStore> =>
    openServiceDatabase({ url, random, connections: 4, log: () => undefined, ...more });

  serviceStoreContract("a PostgreSQL database", async () => {
    const url = await database();
    return { open: () => open(url), dispose: async () => undefined };
  });

  it("says what is wrong with the way to it", async () => {
    const url = await database();
    const refused = (said: RegExp): unknown =>
      expect.objectContaining({ code: "people.unreadable", message: expect.stringMatching(said) });
    await expect(open(`${url}?sslmode=verify-full`)).rejects.toEqual(refused(/takes no TLS/));
    await expect(open(url.replace(/:\d+\//, ":1/"))).rejects.toEqual(refused(/cannot be reached/));
    await expect(open(`${url}0`)).rejects.toEqual(refused(/is not there/));

    vi.stubEnv("PGPASSWORD", undefined);
    vi.stubEnv("PGPASSFILE", "/none");
    await execute("CREATE ROLE asked LOGIN PASSWORD 'right'");
    const path = join(server.directory, "data", "pg_hba.conf");
    writeFileSync(path, `host all asked all scram-sha-256\n${readFileSync(path, "utf8")}`);
    await execute("SELECT pg_reload_conf()");
    const asked = url.replace("postgres@", "asked@");
    while (await execute("SELECT 1", asked).then(Boolean, () => false))
      await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(open(asked)).rejects.toEqual(refused(/asks for a password, and there is none/));
    await expect(open(asked.replace("asked@", "asked:wrong@"))).rejects.toEqual(
      refused(/refuses the service's role/),
    );
    vi.unstubAllEnvs();
  });

  it("is made by one of many processes that start together, with one secret", async () => {
    const url = await database();
    await expect(open(url, { random: null })).rejects.toEqual(unreadable);
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(url)));
    expect(new Set(stores.map(({ secret }) => Buffer.from(secret).toString("hex"))).size).toBe(1);
    for (const store of stores) await store.close();
    await (await open(url, { random: null })).close();
  });

  it("loses none of many facts that are written at once, and a busy process writes them in few transactions", async () => {
    const url = await database();
    const store = await open(url);
    await execute("SELECT pg_stat_reset()", url);
    const written = await Promise.all(
      Array.from({ length: 200 }, (_, number) => store.audit.write([contractRecord(number)])),
    );
    expect(written.map(([entry]) => entry!.sequence)).toEqual(Array.from({ length: 200 }, (_, at) => at));
    expect(written.map(([entry]) => (entry!.fact as { request: string }).request)).toEqual(
      Array.from({ length: 200 }, (_, at) => `r${at}`),
    );
    const [row] = await execute(
      "SELECT COUNT(DISTINCT xmin::text)::int AS transactions FROM lethe_service.audit",
      url,
    );
    expect(row!.transactions).toBeLessThan(20);
    await store.close();
  });

  it("lets nobody remove a person or change a fact", async () => {
    const url = await database();
    const store = await open(url);
    await addContractPerson(store.people, "ada", 1);
    await store.audit.write([contractRecord(0)]);
    for (const sql of [
      "DELETE FROM people",
      "TRUNCATE people CASCADE",
      "DELETE FROM audit",
      "TRUNCATE audit",
      "UPDATE audit SET content = ''",
    ])
      await expect(execute(sql.replace(/(people|audit)/, "lethe_service.$1"), url), sql).rejects.toThrow(
        /append only/,
      );
    await store.close();
  });

  it.each<[string, string]>([
    ["of another version", "UPDATE lethe_service.service SET version = 2"],
    ["without a trigger", "DROP TRIGGER audit_stays ON lethe_service.audit"],
    ["with a trigger that is off", "ALTER TABLE lethe_service.audit DISABLE TRIGGER audit_stays"],
    ["with a further table", "CREATE TABLE lethe_service.more (x int)"],
    ["with a column of another type", "ALTER TABLE lethe_service.sessions ALTER generation TYPE text"],
    ["without a key", "ALTER TABLE lethe_service.tokens DROP CONSTRAINT tokens_pkey"],
    [
      "with a function that does something else",
      "CREATE OR REPLACE FUNCTION lethe_service.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
    ],
    ["without its secret", "DELETE FROM lethe_service.service"],
    ["that takes no writes", "ALTER DATABASE current SET default_transaction_read_only = on"],
    ["that forgets what it committed", "ALTER DATABASE current SET synchronous_commit = off"],
  ])("%s is refused", async (_, spoil) => {
    const url = await database();
    await (await open(url)).close();
    await execute(spoil.replace("DATABASE current", `DATABASE ${url.split("/").at(-1)}`), url);
    await expect(open(url)).rejects.toEqual(unreadable);
  });

  it("has tables of one shape on every version, so that a server that was upgraded is not taken for a changed one", async () => {
    const url = await database();
    await (await open(url)).close();
    expect(await execute("SELECT version, shape FROM lethe_service.service", url)).toEqual([
      { version: 1, shape: "eb9d1a6e8a4454672cbcce472b41ce155c39b6f25ead86008a0fe267de4c7981" },
    ]);
  });

  it("says where it is not to be had, and nothing of its address", async () => {
    for (const url of [
      "postgres://ada:secret-word@127.0.0.1:1/none",
      server.url.replace(/\/postgres$/, "/missing"),
      server.urlOf("nobody-there").replace("nobody-there@", "nobody-there:secret-word@"),
    ]) {
      const error = await open(url).catch((error: unknown) => error);
      expect(error).toEqual(unreadable);
      expect(`${JSON.stringify(error)} ${error}`).not.toMatch(/secret-word|127\.0|nobody-there|missing/);
    }
  });

  it("a transaction whose connection is cut fails, and nothing else does", async () => {
    const tables = openTables({ url: await database(), log: () => undefined });
    const cut = tables.within(async (run) => {
      const [own] = await run<{ readonly pid: number }>("SELECT pg_backend_pid() AS pid");
      await execute(`SELECT pg_terminate_backend(${own?.pid})`);
      for (;;) {
        // Nothing is asked while the server says that it ends.
        await new Promise((resolve) => setTimeout(resolve, 50));
        await run("SELECT 1");
      }
    });
    await expect(cut).rejects.toEqual(unreadable);
    expect(await tables.run("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await tables.close();
  });

  it("goes on where its connections were cut, and says so while it cannot", async () => {
    const url = await database();
    const store = await open(url);
    await addContractPerson(store.people, "ada", 1);
    await execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      url,
    );
    await expect
      .poll(
        () =>
          store.people.byName("ada").then(
            (ada) => ada?.name,
            () => null,
          ),
        { timeout: 30_000 },
      )
      .toBe("ada");
    await execute(
      "ALTER DATABASE current ALLOW_CONNECTIONS false".replace("current", url.split("/").at(-1)!),
    );
    await execute(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${url.split("/").at(-1)}'`,
    );
    await expect
      .poll(() => store.audit.write([contractRecord(1)]).catch((error: { code: string }) => error.code), {
        timeout: 30_000,
      })
      .toBe("people.unreadable");
    await store.close();
  });
});
