import type { LetheError } from "@lethe/core";
import { hasPostgres, serverWith } from "@lethe/testing";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { toldOfPeople } from "./testing/asked-server.ts";
import { hasVirtualColumns } from "./testing/has-virtual-columns.ts";

/*
 * What a server takes for a relation, and what no row may decide. Each case makes one, shows what is wrong with it where a row can
 * show it, is refused, and is accepted again by what the refusal says.
 */

const columns = "columns: { id: { type: integer }, mail: { type: text }, wage: { type: number } }";

describe.skipIf(!hasPostgres())("relations that are refused", () => {
  const own = serverWith(`CREATE ROLE lethe LOGIN;
      CREATE EXTENSION citext; CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
      CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
      CREATE TABLE plain (id integer, mail text, wage float8); INSERT INTO plain VALUES (1, 'a@b.c', 5), (2, 'x', 6);
      GRANT SELECT ON plain TO lethe`);

  const told = (lines: string): ReturnType<typeof toldOfPeople> => toldOfPeople(own.server, "lethe", lines);
  const of = (relation: string, more = ""): string =>
    `relation: public.${relation}, unit: row, ${more}${columns}`;

  /** Refused with these words, by this code; for what the policy can vouch for, accepted where it does. */
  async function refused(lines: string, code: string, words: RegExp): Promise<LetheError> {
    const error = (await told(lines)) as LetheError;
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
    const vouched = await told(lines.replace("unit:", "trusted: true, unit:"));
    if (code === "engine.untrusted") {
      expect(error.fix).toContain("trusted: true");
      expect(vouched).toMatchObject({ layout: "raw" });
    } else expect(vouched).toMatchObject({ code });
    return error;
  }

  /** The server's error for a plain count that the role asks, or null. */
  async function raised(relation: string): Promise<string | null> {
    const client = new pg.Client({ connectionString: own.server.urlOf("lethe") });
    await client.connect();
    try {
      return await client.query(`SELECT sum(wage) FROM ${relation}`).then(
        () => null,
        (error: { readonly code: string }) => error.code,
      );
    } finally {
      await client.end();
    }
  }

  it("takes a table, its partitions and what inherits from it", async () => {
    await own.admin.query(`CREATE TABLE parted (id integer, mail text, wage float8) PARTITION BY RANGE (id);
      CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10);
      CREATE TABLE parent (id integer, mail text, wage float8); CREATE TABLE child () INHERITS (parent);
      CREATE UNLOGGED TABLE unlogged AS TABLE plain;
      GRANT SELECT ON parted, parent, unlogged TO lethe`);
    for (const relation of ["plain", "parted", "parent", "unlogged"])
      expect(await told(of(relation)), relation).toMatchObject({
        layout: "raw",
        relation: ["public", relation],
      });
  });

  it("refuses views, whose rows may raise, differ each time or hold another's values", async () => {
    await own.admin.query(`CREATE VIEW casting AS SELECT id, mail, CAST(mail AS float8) AS wage FROM plain;
      CREATE VIEW drawing AS SELECT id, mail, random() AS wage FROM plain;
      CREATE VIEW tied AS SELECT id, mail, max(wage) OVER () AS wage FROM plain;
      CREATE MATERIALIZED VIEW kept AS SELECT * FROM tied;
      GRANT SELECT ON casting, drawing, tied, kept TO lethe`);
    expect(await raised("casting")).toBe("22P02");
    for (const view of ["casting", "drawing", "tied"])
      await refused(of(view), "engine.untrusted", /is a view/);
    await refused(of("kept"), "engine.untrusted", /is a materialized view/);
    await own.admin.query("REFRESH MATERIALIZED VIEW kept WITH NO DATA");
    const error = await refused(of("kept"), "engine.source", /never filled/);
    await own.admin.query(error.fix);
    expect(await told(of("kept", "trusted: true, "))).toMatchObject({ layout: "raw" });
  });

  it("refuses columns that are computed when they are read", async ({ skip }) => {
    skip(!(await hasVirtualColumns(own.admin)), "columns are VIRTUAL from PostgreSQL 18 on");
    await own.admin.query(`CREATE TABLE virtual (id integer, mail text, wage float8 GENERATED ALWAYS AS (CAST(mail AS float8)) VIRTUAL);
      INSERT INTO virtual VALUES (1, 'x');
      GRANT SELECT ON virtual TO lethe`);
    expect(await raised("virtual")).toBe("22P02");
    await refused(of("virtual"), "engine.untrusted", /computes wage when it is read \(VIRTUAL\)/);
    expect(await told(of("virtual").replace(", wage: { type: number }", ""))).toMatchObject({
      layout: "raw",
    });
  });

  it("refuses columns that functions of others generate, also those of partitions", async () => {
    await own.admin.query(`CREATE TABLE heir (id integer, mail text, wage float8 GENERATED ALWAYS AS (id) STORED);
      CREATE FUNCTION own(integer) RETURNS float8 IMMUTABLE LANGUAGE sql AS 'SELECT 1e0';
      CREATE TABLE heir_1 (wage float8 GENERATED ALWAYS AS (own(id)) STORED) INHERITS (heir);
      CREATE TABLE stored (id integer, mail text, wage float8 GENERATED ALWAYS AS (id * 2) STORED);
      GRANT SELECT ON heir, stored TO lethe`);
    await refused(of("heir"), "engine.untrusted", /generates wage by functions/);
    expect(await told(of("stored"))).toMatchObject({ layout: "raw" });
  });

  it("refuses row-level security, which may read other tables and raise", async () => {
    await own.admin.query(`CREATE TABLE secured AS TABLE plain; ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
      CREATE POLICY few ON secured USING (wage / (id - 2) > (SELECT count(*) FROM plain));
      GRANT SELECT ON secured TO lethe`);
    expect(await raised("secured")).toBe("22012");
    await refused(of("secured"), "engine.untrusted", /has row-level security for this role/);
    await own.admin.query("ALTER ROLE lethe BYPASSRLS");
    expect(await told(of("secured"))).toMatchObject({ layout: "raw" });
    await own.admin.query("ALTER ROLE lethe NOBYPASSRLS");
  });

  it("refuses foreign tables, as a partition, a child, below a view or a policy of rows, whoever vouches for them", async () => {
    await own.admin.query(`CREATE FOREIGN TABLE lines (id integer, mail text, wage float8) SERVER files
        OPTIONS (program 'printf "1,a,2\\n2,b,bad\\n"', format 'csv');
      CREATE TABLE split (id integer, mail text, wage float8) PARTITION BY RANGE (id);
      CREATE TABLE split_1 PARTITION OF split FOR VALUES FROM (0) TO (10);
      CREATE FOREIGN TABLE split_2 PARTITION OF split FOR VALUES FROM (10) TO (20) SERVER files
        OPTIONS (program 'printf "11,a,bad\\n"', format 'csv');
      CREATE TABLE upper_table (id integer, mail text, wage float8);
      CREATE FOREIGN TABLE lower_table () INHERITS (upper_table) SERVER files OPTIONS (program 'echo 1,a,bad', format 'csv');
      CREATE VIEW seen AS SELECT * FROM split; CREATE VIEW over_seen AS SELECT * FROM seen;
      CREATE TABLE allowed AS TABLE plain; ALTER TABLE allowed ENABLE ROW LEVEL SECURITY;
      CREATE POLICY few ON allowed USING (wage IN (SELECT wage FROM lines));
      GRANT SELECT ON lines, split, upper_table, over_seen, allowed TO lethe`);
    for (const relation of ["lines", "split", "upper_table", "over_seen", "allowed"]) {
      expect(await raised(relation), relation).toBe("22P02");
      await refused(of(relation), "engine.source", /foreign table/);
    }
    expect((await told(of("over_seen"))) as LetheError).toMatchObject({
      message: expect.stringContaining("public.split_2, which is read with the relation of people,"),
      fix: expect.stringContaining("CREATE TABLE … AS SELECT * FROM public.split_2"),
    });
    // Rows that were copied are read as they lie.
    await own.admin.query(`ALTER TABLE split DETACH PARTITION split_2; ALTER FOREIGN TABLE split_2 OPTIONS (SET program 'echo 11,a,3');
      CREATE TABLE split_copy AS SELECT * FROM split_2; CREATE MATERIALIZED VIEW split_kept AS SELECT * FROM split_2;
      GRANT SELECT ON split_copy, split_kept TO lethe`);
    expect(await told(of("split_copy"))).toMatchObject({ layout: "raw" });
    expect(await told(of("split_kept", "trusted: true, "))).toMatchObject({ layout: "raw" });
  });

  it("refuses units that the database takes for equal though they differ", async () => {
    await own.admin.query(`CREATE TABLE mails (id integer, mail citext, wage float8, folded text GENERATED ALWAYS AS (lower(mail::text)) STORED);
      INSERT INTO mails SELECT 1, v, 1 FROM unnest(ARRAY['a@b.c', 'A@b.c', 'a@B.c', 'a@b.C', 'A@B.C']) AS v;
      CREATE DOMAIN address AS text COLLATE nocase;
      CREATE TABLE named (id integer, mail address, wage float8); GRANT SELECT ON mails, named TO lethe`);
    const { rows } = await own.admin.query(
      "SELECT count(DISTINCT mail)::int AS people, count(DISTINCT CAST(mail AS text))::int AS spelled FROM mails",
    );
    expect(rows).toEqual([{ people: 1, spelled: 5 }]);
    const by = (relation: string, unit: string): string =>
      of(relation)
        .replace("unit: row", `unit: ${unit}`)
        .replace("{ id", "{ folded: { type: text }, id")
        .replace(relation === "named" ? "folded: { type: text }, " : "\0", "");
    await refused(by("mails", "mail"), "engine.untrusted", /takes texts of mail for equal that differ/);
    await refused(by("named", "mail"), "engine.untrusted", /takes texts of mail for equal that differ/);
    // One spelling is one unit; and a key of groups that is compared byte by byte costs no promise.
    expect(await told(by("mails", "folded"))).toMatchObject({ types: { folded: "text", mail: "citext" } });
    expect(await told(of("mails"))).toMatchObject({ types: { mail: "citext" } });
  });

  it("refuses types and casts whose texts the code of others writes", async () => {
    await own.admin.query(`CREATE TYPE mood AS ENUM ('sad', 'ok');
      CREATE FUNCTION told(mood) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RAISE 'run'; END $$;
      CREATE TABLE moody (id integer, mail mood, wage float8); INSERT INTO moody VALUES (1, 'sad', 2); GRANT SELECT ON moody TO lethe;
      CREATE SCHEMA own; CREATE TYPE own.citext;
      CREATE FUNCTION own.citext_in(cstring) RETURNS own.citext IMMUTABLE STRICT LANGUAGE internal AS 'textin';
      CREATE FUNCTION own.citext_out(own.citext) RETURNS cstring IMMUTABLE STRICT LANGUAGE internal AS 'textout';
      CREATE TYPE own.citext (INPUT = own.citext_in, OUTPUT = own.citext_out, LIKE = text);
      CREATE TYPE pair AS (a integer, b integer);
      CREATE TABLE strange (id pair, mail own.citext, wage float8); GRANT SELECT ON strange TO lethe`);
    expect(await told(of("moody"))).toMatchObject({ types: { mail: "enum" } });
    await own.admin.query("CREATE CAST (mood AS text) WITH FUNCTION told(mood)");
    await refused(of("moody"), "engine.untrusted", /reads mail through a cast/);
    for (const column of ["mail", "id"])
      expect(
        await told(
          `relation: public.strange, trusted: true, unit: row, columns: { ${column}: { type: text } }`,
        ),
        column,
      ).toMatchObject({ code: "engine.schema", message: expect.stringContaining("cannot be read as") });
  });

  it("runs no CHECK of a domain, no trigger and no rule when it reads", async () => {
    await own.admin.query(`CREATE FUNCTION never(float8) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE 'run'; END $$;
      CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'run'; END $$;
      CREATE DOMAIN pay AS float8; CREATE TABLE paid (id integer, mail text, wage pay); INSERT INTO paid VALUES (1, 'a', 2);
      ALTER DOMAIN pay ADD CONSTRAINT checked CHECK (never(VALUE)) NOT VALID;
      CREATE TRIGGER stopping BEFORE INSERT OR UPDATE OR DELETE ON paid EXECUTE FUNCTION stop();
      CREATE RULE nothing AS ON INSERT TO paid DO INSTEAD NOTHING; GRANT SELECT ON paid TO lethe`);
    expect(await raised("paid")).toBeNull();
    expect(await told(of("paid"))).toMatchObject({ types: { wage: "float8" } });
  });

  it("names all that is to be trusted at once, and nothing of other columns", async () => {
    // VIRTUAL from PostgreSQL 18 on: before, columns that are generated by a function of another's are as little to be trusted.
    const generated = (await hasVirtualColumns(own.admin)) ? "(1 / id) VIRTUAL" : "(hers(id)) STORED";
    await own.admin.query(`CREATE FUNCTION hers(integer) RETURNS float8 IMMUTABLE LANGUAGE sql AS 'SELECT 1e0';
      CREATE TABLE much (id integer, mail text COLLATE nocase, other float8 GENERATED ALWAYS AS ${generated},
        wage float8 GENERATED ALWAYS AS ${generated});
      ALTER TABLE much ENABLE ROW LEVEL SECURITY; GRANT SELECT ON much TO lethe`);
    const error = await refused(
      of("much").replace("unit: row", "unit: mail"),
      "engine.untrusted",
      /row-level security .*, and (?:computes|generates) wage .*, and takes texts of mail/,
    );
    expect(error.message).not.toContain("other");
  });
});
