import { LetheError } from "@lethe/core";
import type { Connection } from "./connection.ts";
import { type PostgresPlace, placeText } from "./place.ts";
import { rights } from "./schema.ts";

/** Every right that a table can have which is more than a gateway's. */
const kinds = ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"] as const;

/**
 * Refuses a role that can do more with a ledger than add to it, or less: rights of PUBLIC and of every role that it is a member of count
 * alike. Errors: ledger.server, naming the right; ledger.missing where there are no tables.
 */
export async function checkRole(connection: Connection, place: PostgresPlace): Promise<void> {
  const names = Object.keys(rights);
  const [told] = await connection.run(
    `SELECT quote_ident(session_user) AS role,
      EXISTS (SELECT FROM pg_roles AS r WHERE pg_has_role(session_user, r.oid, 'MEMBER') AND r.rolsuper) AS super,
      EXISTS (SELECT FROM pg_roles AS r WHERE pg_has_role(session_user, r.oid, 'MEMBER') AND r.oid < 16384
        AND r.rolname IN ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program', 'pg_maintain')) AS writer,
      EXISTS (SELECT FROM pg_roles AS r WHERE pg_has_role(session_user, r.oid, 'MEMBER') AND (r.rolcreaterole OR r.rolreplication)) AS maker,
      EXISTS (SELECT FROM pg_namespace AS n WHERE n.nspname = $1
        AND (pg_has_role(session_user, n.nspowner, 'MEMBER') OR has_schema_privilege(session_user, n.oid, 'CREATE'))) AS "ownsSchema",
      (SELECT jsonb_object_agg(c.relname, jsonb_build_object('owns', pg_has_role(session_user, c.relowner, 'MEMBER'),
          'may', (SELECT jsonb_agg(k) FROM unnest($3::text[]) AS k WHERE has_table_privilege(session_user, c.oid, k)
            OR (k IN ('INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege(session_user, c.oid, k)))))
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = ANY ($2::text[]) AND c.relkind = 'r') AS tables`,
    [place.schema, names, kinds],
  );
  const found = told?.rows[0] as unknown as Found;
  const { role, tables } = found;
  if (tables === null || names.some((name) => tables[name] === undefined)) throw noTables(place);
  if (found.super) throw tooMuch(place, role, "is a superuser, or may become one");
  if (found.writer) throw tooMuch(place, role, "may write every table or run programs on the server");
  if (found.maker) throw tooMuch(place, role, "may make roles or replicate");
  if (found.ownsSchema)
    throw tooMuch(place, role, `owns the schema ${place.schema} or may make things in it`);
  for (const [name, allowed] of Object.entries(rights)) {
    const { owns, may } = tables[name] ?? { owns: false, may: null };
    if (owns) throw tooMuch(place, role, `owns the table ${name}`);
    const more = (may ?? []).find((right) => !allowed.includes(right));
    if (more) throw tooMuch(place, role, `may ${more} on the table ${name}`);
    const less = allowed.find((right) => !(may ?? []).includes(right));
    if (less)
      throw new LetheError(
        "ledger.server",
        `the role ${role} may not ${less} on the table ${name} of ${placeText(place)}`,
        {
          fix: `GRANT ${less} ON ${place.schema}.${name} TO ${role}`,
          fields: { role, right: less, table: name },
        },
      );
  }
}

interface Found {
  readonly role: string;
  readonly super: boolean;
  readonly writer: boolean;
  readonly maker: boolean;
  readonly ownsSchema: boolean;
  readonly tables: Readonly<
    Record<string, { readonly owns: boolean; readonly may: readonly string[] | null }>
  > | null;
}

function noTables(place: PostgresPlace): LetheError {
  return new LetheError("ledger.missing", `there are no tables of a ledger in ${placeText(place)}`, {
    fix: "have their owner make them: lethe ledger tables prints the SQL; if there was a ledger, restore it: a new one forgets what was spent",
    fields: { host: place.host, database: place.database, schema: place.schema },
  });
}

function tooMuch(place: PostgresPlace, role: string, what: string): LetheError {
  return new LetheError(
    "ledger.server",
    `the role ${role} ${what}, so that it could change what was charged in ${placeText(place)}`,
    {
      fix: "connect as a role made for this: CREATE ROLE lethe_gateway LOGIN; then grant what lethe ledger tables prints, and no more",
      fields: { role },
    },
  );
}
