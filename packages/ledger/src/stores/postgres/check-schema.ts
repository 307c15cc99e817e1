import { createHash } from "node:crypto";
import { LetheError } from "@lethe/core";
import type { Connection } from "./connection.ts";
import { type PostgresPlace, placeText } from "./place.ts";
import { schemaVersion } from "./schema.ts";

/** sha256 of the lines that describe the tables, indexes, constraints, triggers and functions of this version. */
export const schemaHash: string = "e1410f7f9ebe6990541111e878daa3ce1e56213c01646afe20e8594125689bb9";

/** Refuses tables of another version, and tables that were changed. Errors: ledger.unreadable, ledger.corrupt. */
export async function checkSchema(connection: Connection, place: PostgresPlace): Promise<void> {
  const [told] = await connection.run(`SELECT version FROM ${place.schema}.ledger`);
  const version = Number(told?.rows[0]?.version);
  if (version !== schemaVersion)
    throw new LetheError("ledger.unreadable", `the ledger in ${placeText(place)} has version ${version}`, {
      fix: `open it with the release of Lethe that made its tables; this one reads version ${schemaVersion}`,
      fields: { version },
    });
  if ((await describedHash(connection, place.schema)) === schemaHash) return;
  throw new LetheError("ledger.corrupt", `the tables of the ledger in ${placeText(place)} were changed`, {
    fix: "compare them with what lethe ledger tables prints, and have their owner put them back",
    fields: { schema: place.schema },
  });
}

/** Returns {@link schemaHash} of a schema as it is. */
export async function describedHash(connection: Connection, schema: string): Promise<string> {
  const lines = await describedSchema(connection, schema);
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

/** Returns one line for each thing of a schema, in an order of its own; the schema's name is left out, NOT NULL is a column's. */
export async function describedSchema(connection: Connection, schema: string): Promise<readonly string[]> {
  const [told] = await connection.run(
    `WITH own AS (SELECT oid FROM pg_namespace WHERE nspname = $1), tables AS (
       SELECT c.oid, c.relname, c.relkind, c.relpersistence, c.relrowsecurity, c.relhasrules FROM pg_class AS c
       WHERE c.relnamespace = (SELECT oid FROM own) AND c.relkind NOT IN ('i', 't'))
     SELECT line FROM (
       SELECT format('relation %s %s %s %s %s', relname, relkind, relpersistence, relrowsecurity, relhasrules) FROM tables
       UNION ALL
       SELECT format('column %s.%s %s %s %s %s %s', t.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
         a.atthasdef, a.attidentity::text || a.attgenerated::text, (SELECT collname FROM pg_collation WHERE oid = a.attcollation))
       FROM tables AS t JOIN pg_attribute AS a ON a.attrelid = t.oid WHERE a.attnum > 0 AND NOT a.attisdropped
       UNION ALL
       SELECT format('index %s valid %s', pg_get_indexdef(i.indexrelid), i.indisvalid AND i.indisready)
       FROM tables AS t JOIN pg_index AS i ON i.indrelid = t.oid
       UNION ALL
       SELECT format('constraint %s %s %s %s', t.relname, o.conname, pg_get_constraintdef(o.oid), o.convalidated)
       FROM tables AS t JOIN pg_constraint AS o ON o.conrelid = t.oid WHERE o.contype <> 'n'
       UNION ALL
       SELECT format('trigger %s %s', pg_get_triggerdef(g.oid), g.tgenabled)
       FROM tables AS t JOIN pg_trigger AS g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal
       UNION ALL
       SELECT format('function %s %s %s %s %s', p.proname, p.prokind, p.prosecdef, p.proconfig, p.prosrc)
       FROM pg_proc AS p WHERE p.pronamespace = (SELECT oid FROM own)
     ) AS described (line)`,
    [schema],
  );
  const own = new RegExp(`\\b${schema}\\.`, "g");
  const lines = (told?.rows ?? []).map(({ line }) => String(line));
  return lines.map((line) => (line.startsWith("column ") ? line : line.replace(own, ""))).sort();
}
