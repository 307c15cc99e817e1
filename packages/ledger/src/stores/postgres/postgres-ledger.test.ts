import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LetheError } from "@lethe/core";
import { hasPostgres, serverWith } from "@lethe/testing";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { createLedger } from "../../create-ledger.ts";
import { openLedger } from "../../open-ledger.ts";
import { clock, policyHash, pureBudget, request, withDirectory } from "../../testing/temporary-ledger.ts";
import { verifyLedger } from "../../verify-ledger.ts";
import { openPostgresStore } from "./postgres-store.ts";
import { postgresSchema } from "./schema.ts";

const options = { budget: pureBudget("1"), policyHash, source: "people", clock };

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "none",
    (error: unknown) => (error instanceof LetheError ? error.code : String(error)),
  );
}

describe.skipIf(!hasPostgres())("a ledger whose records are in PostgreSQL", () => {
  const own = serverWith("CREATE ROLE gateway LOGIN", { fsync: "on" });
  let made = 0;

  async function freshUrl(): Promise<{ readonly url: string; readonly schema: string }> {
    made += 1;
    const schema = `shared_${made}`;
    await own.admin.query(postgresSchema(schema, "gateway"));
    return { url: `${own.server.urlOf("gateway")}?schema=${schema}`, schema };
  }

  it("is charged by two gateways, and never beyond its budget", () =>
    withDirectory(async (directory) => {
      const { url } = await freshUrl();
      const first = await createLedger(directory, { ...options, url });
      const second = await openLedger(directory, { clock });
      const asked = Array.from({ length: 12 }, (_, i) =>
        (i % 2 ? first : second).reserve(request(`q${i}`, "1/10")).catch((error: LetheError) => error.code),
      );
      const told = await Promise.all(asked);
      expect(told.filter((each) => each === "ledger.budget")).toHaveLength(2);
      const [resumed] = [await second.reserve(request("q0", "1/10"))];
      expect(resumed).toMatchObject({ kind: "charged", resumed: true });
      if (resumed?.kind !== "charged") throw new Error("expected a charge");
      expect(await second.settle(resumed.charge, "bytes")).toBe("bytes");
      expect(await first.settled("q0", "owner")).toMatchObject({ release: "bytes" });
      await first.close();
      await second.close();
      expect(await verifyLedger(directory)).toMatchObject({ charges: 10, records: 12 });
    }));

  it("keeps no secret in the database, and no password in its directory", () =>
    withDirectory(async (directory) => {
      const { url, schema } = await freshUrl();
      await (await createLedger(directory, { ...options, url })).close();
      const secret = readFileSync(join(directory, "ledger.key"), "utf8").split("\n")[1] ?? "?";
      const { rows } = await own.admin.query(
        `SELECT string_agg(r::text, '') AS text FROM ${schema}.records AS r`,
      );
      expect(rows[0].text).toContain("genesis");
      expect(rows[0].text).not.toContain(secret);
      const withPassword = url.replace("gateway@", "gateway:hunter2@");
      const refused = await createLedger(`${directory}-2`, { ...options, url: withPassword }).catch(
        (e: Error) => e,
      );
      expect(refused).toMatchObject({ code: "parameter.invalid" });
      expect(JSON.stringify(refused)).not.toContain("hunter2");
    }));

  it("is begun once in its tables, and refuses the key of another", () =>
    withDirectory(async (directory) => {
      const { url } = await freshUrl();
      await (await createLedger(directory, { ...options, url })).close();
      expect(await codeOf(createLedger(`${directory}-2`, { ...options, url }))).toBe("ledger.exists");
      const other = await freshUrl();
      await (await createLedger(`${directory}-3`, { ...options, url: other.url })).close();
      writeFileSync(join(`${directory}-3`, "ledger.url"), url);
      expect(await codeOf(openLedger(`${directory}-3`, { clock }))).toBe("ledger.unreadable");
    }));

  it("that is behind its kept head is refused", () =>
    withDirectory(async (directory) => {
      const { url, schema } = await freshUrl();
      mkdirSync(join(directory, ".."), { recursive: true });
      const headFile = `${directory}.head`;
      const ledger = await createLedger(directory, { ...options, url, headFile });
      await own.admin.query(`CREATE TABLE public.older_${made} AS SELECT * FROM ${schema}.ledger`);
      await ledger.reserve(request("a", "1/4"));
      const headless = await openLedger(directory, { clock });
      await headless.reserve(request("z", "1/4"));
      await restore(schema, `public.older_${made}`);
      // A process that charged it finds out by itself; every other by the head file.
      expect(await codeOf(headless.reserve(request("b", "1/2")))).toBe("ledger.restored");
      await headless.close();
      expect(await codeOf(ledger.reserve(request("b", "1/2")))).toBe("ledger.restored");
      expect(await codeOf(ledger.settled("a", "owner"))).toBe("none");
      await ledger.close();
      expect(await codeOf(openLedger(directory, { clock, headFile }))).toBe("ledger.restored");
      expect(await codeOf(verifyLedger(directory, { headFile }))).toBe("ledger.restored");
    }));

  /** Puts a ledger back to its genesis, as from a backup. */
  async function restore(schema: string, older: string): Promise<void> {
    await own.admin.query(`BEGIN; SET LOCAL session_replication_role = replica;
      DELETE FROM ${schema}.records WHERE sequence > 0; DELETE FROM ${schema}.nodes;
      UPDATE ${schema}.ledger AS l SET sequence = o.sequence, hash = o.hash, balance = o.balance FROM ${older} AS o; COMMIT`);
  }

  describe("refuses a server or a role that does not promise what it needs", () => {
    const codeAndField = async (url: string, field: string): Promise<string> => {
      const error = await openPostgresStore(url).then(
        (store) => store.close().then(() => null),
        (refusal: unknown) => refusal,
      );
      if (!(error instanceof LetheError)) return String(error);
      expect(error.fix).not.toBe("");
      return `${error.code} ${String(error.fields[field])}`;
    };

    it.each([
      ["ALTER ROLE gateway SET default_transaction_read_only = on", "default_transaction_read_only"],
      ["ALTER SYSTEM SET full_page_writes = off", "full_page_writes"],
    ])("%s", async (sql, setting) => {
      const { url } = await freshUrl();
      await own.admin.query(sql);
      await own.admin.query("SELECT pg_reload_conf()");
      await expect
        .poll(() => codeAndField(url, "setting"), { timeout: 20_000 })
        .toBe(`ledger.server ${setting}`);
      await own.admin.query(sql.replace(/SET (\w+) = \w+/, "RESET $1"));
      await own.admin.query("SELECT pg_reload_conf()");
      await expect.poll(() => codeAndField(url, "setting"), { timeout: 20_000 }).toBe("null");
    });

    it("sets synchronous_commit itself, whatever the role's is, and wants a replica where it is told to", async () => {
      const { url, schema } = await freshUrl();
      await own.admin.query("ALTER ROLE gateway SET synchronous_commit = off");
      await own.admin.query(
        `CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN INSERT INTO public.noted VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
         CREATE TABLE public.noted (how text)`,
      );
      const store = await openPostgresStore(url);
      await own.admin.query(
        `CREATE TRIGGER noted AFTER UPDATE ON ${schema}.ledger FOR EACH STATEMENT EXECUTE FUNCTION public.note()`,
      );
      const zeros = "0".repeat(64);
      const record = {
        sequence: 0,
        at: 1,
        kind: "genesis",
        payload: "{}",
        balance: zeros,
        previous: zeros,
        hash: zeros,
      };
      await store.transact(null, () => ({
        append: { record, balance: "b", nodes: new Map(), release: null },
        result: 0,
      }));
      await store.close();
      expect((await own.admin.query("SELECT how FROM public.noted")).rows).toEqual([{ how: "on" }]);
      await own.admin.query("ALTER ROLE gateway RESET synchronous_commit");
      const other = await freshUrl();
      expect(await codeAndField(`${other.url}&synchronous_replica=required`, "setting")).toBe(
        "ledger.server synchronous_standby_names",
      );
      expect(await codeAndField(url, "schema")).toBe(`ledger.corrupt ${schema}`);
    });

    it.each([
      ["a superuser", "ALTER ROLE gateway SUPERUSER", "ALTER ROLE gateway NOSUPERUSER"],
      ["one that makes roles", "ALTER ROLE gateway CREATEROLE", "ALTER ROLE gateway NOCREATEROLE"],
      ["one that may change records", "GRANT UPDATE ON $.records TO gateway", null],
      ["one that may change a column of them", "GRANT UPDATE (payload) ON $.records TO gateway", null],
      ["one that may remove releases", "GRANT DELETE ON $.releases TO gateway", null],
      ["everybody may empty them", "GRANT TRUNCATE ON $.records TO PUBLIC", null],
      ["one that owns a table", "ALTER TABLE $.nodes OWNER TO gateway", null],
      ["one that may make things in the schema", "GRANT CREATE ON SCHEMA $ TO gateway", null],
      ["one that may not add", "REVOKE INSERT ON $.records FROM gateway", null],
      [
        "a member of one that may write all",
        "GRANT pg_write_all_data TO gateway",
        "REVOKE pg_write_all_data FROM gateway",
      ],
    ])("%s", async (_, sql, undo) => {
      const { url, schema } = await freshUrl();
      await own.admin.query(sql.replace("$", schema));
      expect(await codeAndField(url, "role")).toBe("ledger.server gateway");
      if (undo) await own.admin.query(undo);
    });

    it("no tables, tables of another version, tables that were changed, and nobody there", async () => {
      const { url, schema } = await freshUrl();
      expect(await codeAndField(url.replace(schema, "nowhere"), "schema")).toBe("ledger.missing nowhere");
      await own.admin.query(`UPDATE ${schema}.ledger SET version = 2`);
      expect(await codeAndField(url, "version")).toBe("ledger.unreadable 2");
      await own.admin.query(
        `UPDATE ${schema}.ledger SET version = 1; DROP TRIGGER records_only_grow ON ${schema}.records`,
      );
      expect(await codeAndField(url, "schema")).toBe(`ledger.corrupt ${schema}`);
      expect(await codeAndField("postgres://gateway@127.0.0.1:1/postgres", "host")).toBe(
        "ledger.unreadable 127.0.0.1:1",
      );
    });
  });

  it("keeps its records from their owner's hand", async () => {
    const { url, schema } = await freshUrl();
    await withDirectory(async (directory) => {
      await (await createLedger(directory, { ...options, url })).close();
      for (const sql of [
        "UPDATE $.records SET at = 2",
        "DELETE FROM $.records",
        "TRUNCATE $.records CASCADE",
      ])
        await expect(own.admin.query(sql.replace("$", schema)), sql).rejects.toMatchObject({ code: "LE001" });
      const gateway = new Client({ connectionString: own.server.urlOf("gateway") });
      await gateway.connect();
      await expect(gateway.query(`DELETE FROM ${schema}.nodes`)).rejects.toMatchObject({ code: "42501" });
      await gateway.end();
    });
  });
});
