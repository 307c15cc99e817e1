import type { LetheError } from "@lethe/core";
import { hasPostgres, serverWith } from "@lethe/testing";
import { describe, expect, it } from "vitest";
import { toldOfPeople } from "./testing/asked-server.ts";

/*
 * Whatever a session of the role could come to do beyond reading is refused: by rights of its own, of PUBLIC's, or of any role it is
 * a member of, inherited or not. Each case gives a right to a new role and is refused; what the fix says in SQL is then run, and the
 * role is accepted.
 */

const columns = "columns: { wage: { type: number } }";

describe.skipIf(!hasPostgres())("roles that are refused", () => {
  const own = serverWith(`CREATE SCHEMA clinic; CREATE TABLE clinic.people (wage float8, other text);
      CREATE TABLE clinic.base (wage float8); CREATE VIEW clinic.inner_view AS SELECT * FROM clinic.base;
      CREATE VIEW clinic.seen AS SELECT * FROM clinic.inner_view;
      CREATE TABLE clinic.allowed (wage float8); CREATE TABLE clinic.secured (wage float8);
      CREATE POLICY few ON clinic.secured USING (wage IN (SELECT wage FROM clinic.allowed));
      ALTER TABLE clinic.secured ENABLE ROW LEVEL SECURITY;
      CREATE TABLE clinic.parent (wage float8); CREATE TABLE clinic.child () INHERITS (clinic.parent);
      GRANT USAGE ON SCHEMA clinic TO PUBLIC`);

  let made = 0;
  /** A role that may read and no more. */
  async function reader(): Promise<string> {
    made += 1;
    await own.admin.query(`CREATE ROLE reader_${made} LOGIN;
      GRANT SELECT ON clinic.people, clinic.seen, clinic.parent, clinic.secured TO reader_${made}`);
    return `reader_${made}`;
  }
  const told = (role: string, relation = "people"): ReturnType<typeof toldOfPeople> =>
    toldOfPeople(own.server, role, `relation: clinic.${relation}, trusted: true, unit: row, ${columns}`);

  /** Refuses `:who` in these words; accepted once the fix, or `undo` where it is another role, was run. */
  async function refused(grant: string, words: RegExp, relation = "people", undo?: string): Promise<void> {
    const role = await reader();
    const as = (sql: string): string => sql.replaceAll(":who", role);
    expect(await told(role, relation), grant).toMatchObject({ layout: "raw" });
    await own.admin.query(as(grant));
    const error = (await told(role, relation)) as LetheError;
    expect(error, grant).toMatchObject({ code: "engine.source", message: expect.stringMatching(words) });
    expect(error.message).toContain(role);
    await own.admin.query(undo === undefined ? error.fix.split("; or ")[0]! : as(undo));
    expect(await told(role, relation), error.fix).toMatchObject({ layout: "raw" });
  }

  it.each([
    ["INSERT", /may write to the relation of people/],
    ["UPDATE", /may write to the relation of people/],
    ["DELETE", /may write to the relation of people/],
    ["TRUNCATE", /may write to the relation of people/],
    ["TRIGGER", /has TRIGGER on the relation/],
    ["MAINTAIN", /has MAINTAIN on the relation/],
    ["REFERENCES", /has REFERENCES on the relation/],
    ["INSERT (other)", /may write to/],
    ["UPDATE (wage)", /may write to/],
    ["REFERENCES (wage)", /has REFERENCES on/],
  ] as const)("for %s on the relation", async (right: string, words: RegExp) => {
    await refused(`GRANT ${right} ON clinic.people TO :who`, words);
  });

  it("for SELECT that it may pass on", async () => {
    await refused(
      "GRANT SELECT ON clinic.people TO :who WITH GRANT OPTION",
      /has SELECT WITH GRANT OPTION on/,
    );
    await refused(
      "GRANT SELECT (other) ON clinic.people TO :who WITH GRANT OPTION",
      /SELECT WITH GRANT OPTION/,
    );
  });

  it("for what everybody may do", async () => {
    await refused("GRANT DELETE ON clinic.people TO PUBLIC", /may write to/);
    await refused(
      "GRANT CREATE ON SCHEMA public TO PUBLIC",
      /may make relations and functions in the schema/,
    );
  });

  it("for an owner", async () => {
    await refused(
      "ALTER TABLE clinic.people OWNER TO :who",
      /owns the relation/,
      "people",
      "ALTER TABLE clinic.people OWNER TO postgres; GRANT SELECT ON clinic.people TO :who",
    );
    await refused("CREATE SCHEMA AUTHORIZATION :who", /in the schema reader/, "people", "DROP SCHEMA :who");
    await refused(
      "ALTER DATABASE postgres OWNER TO :who",
      /is a member of pg_database_owner/,
      "people",
      "ALTER DATABASE postgres OWNER TO postgres; REVOKE CREATE ON DATABASE postgres FROM :who",
    );
  });

  it.each([
    ["inherited", ""],
    ["not inherited, for SET ROLE", " WITH INHERIT FALSE, SET TRUE"],
    ["for neither, but to pass on", " WITH INHERIT FALSE, SET FALSE, ADMIN TRUE"],
    ["for nothing yet", " WITH INHERIT FALSE, SET FALSE"],
  ])("for members of who may write: %s", async (_, how) => {
    const at = made;
    const chain = `CREATE ROLE writers_${at}; CREATE ROLE between_${at}; GRANT writers_${at} TO between_${at}`;
    await refused(
      `${chain}; GRANT INSERT ON clinic.people TO writers_${at}; GRANT between_${at} TO :who${how}`,
      new RegExp(`may write to the relation of people, as a member of writers_${at}`),
    );
    await refused(
      `CREATE ROLE chief_${at} SUPERUSER; GRANT chief_${at} TO :who${how}`,
      new RegExp(`is a superuser.*, as a member of chief_${at}`),
      "people",
      `REVOKE chief_${at} FROM :who`,
    );
  });

  it("for attributes of a role", async () => {
    for (const [attribute, words] of [
      ["SUPERUSER", /is a superuser, which may write/],
      ["CREATEROLE", /may make roles/],
      ["CREATEDB", /may make databases/],
      ["REPLICATION", /REPLICATION/],
    ] as const)
      await refused(`ALTER ROLE :who ${attribute}`, words, "people", `ALTER ROLE :who NO${attribute}`);
  });

  it("for PostgreSQL's own roles that do more than read, and for none of those that read", async () => {
    const { rows } = await own.admin.query<{ rolname: string }>(
      "SELECT rolname FROM pg_roles WHERE oid < 16384 AND rolname LIKE 'pg\\_%' AND rolname <> 'pg_database_owner'",
    );
    const reading = /^pg_(read_all_\w+|monitor|stat_scan_tables|use_reserved_connections)$/;
    const names = rows.map(({ rolname }) => rolname);
    expect(names).toEqual(expect.arrayContaining(["pg_write_all_data", "pg_maintain", "pg_read_all_data"]));
    for (const name of names) {
      if (!reading.test(name)) {
        await refused(`GRANT ${name} TO :who`, new RegExp(`is a member of ${name}$`));
        continue;
      }
      const role = await reader();
      await own.admin.query(`GRANT ${name} TO ${role}`);
      expect(await told(role), name).toMatchObject({ layout: "raw" });
    }
  });

  it("for what it may make in the database or change of the server", async () => {
    await refused("GRANT CREATE ON DATABASE postgres TO :who", /may make schemas/);
    await refused(
      "GRANT CREATE ON SCHEMA clinic TO :who",
      /may make relations and functions in the schema clinic/,
    );
    await refused(
      "GRANT ALTER SYSTEM ON PARAMETER log_min_messages TO :who",
      /may change the server's setting log_min_messages/,
    );
  });

  it("for rights on what is read with the relation: a view's tables, partitions, children, what its policies read", async () => {
    await refused(
      "GRANT UPDATE ON clinic.base TO :who",
      /may write to clinic\.base, which is read with the relation of people/,
      "seen",
    );
    await refused("GRANT TRIGGER ON clinic.inner_view TO :who", /has TRIGGER on clinic\.inner_view/, "seen");
    await refused("GRANT TRUNCATE ON clinic.child TO :who", /may write to clinic\.child/, "parent");
    await refused(
      "GRANT INSERT ON clinic.allowed TO :who",
      /may write to clinic\.allowed, which is read/,
      "secured",
    );
  });

  it("for the role that logged in, not the one that it takes", async () => {
    const role = await reader();
    await own.admin.query(`CREATE ROLE lofty_${made} LOGIN; GRANT ${role} TO lofty_${made}; ALTER ROLE lofty_${made} SET role = ${role};
      GRANT INSERT ON clinic.people TO lofty_${made}`);
    expect(await told(`lofty_${made}`)).toMatchObject({
      code: "engine.source",
      message: expect.stringContaining("may write"),
    });
  });
});
