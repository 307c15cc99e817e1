import { type TableDescription, valuesText } from "@lethe/query";
import { Client, type QueryArrayConfig } from "pg";
import { type PostgresServer, startPostgres } from "../../../../../../testing/src/postgres/start-postgres.ts";
import type { FilledQuery } from "./fill-query.ts";

/** An answer of either side: the types as oids, every value as PostgreSQL's text. */
export interface CatalogRows {
  readonly columns: readonly { readonly name: string; readonly type: number; readonly typmod: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

const columnTypes = {
  number: "double precision",
  integer: "bigint",
  text: "text STORAGE PLAIN",
  boolean: "boolean",
  date: "date",
  timestamp: "timestamp",
} as const;

const name = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * A PostgreSQL that holds nothing but the tables of a policy, all of them empty. Its one database has the name and the owner that the catalog tells, and
 * no template is left.
 */
export class RealCatalog {
  readonly #server: PostgresServer;
  readonly #admin: Client;
  readonly #asker: Client;

  private constructor(server: PostgresServer, admin: Client, asker: Client) {
    this.#server = server;
    this.#admin = admin;
    this.#asker = asker;
  }

  static async start(): Promise<RealCatalog> {
    const server = await startPostgres({ timezone: "UTC" }, "lethe");
    const at = (role: string, database: string): string =>
      server.urlOf(role).replace(/\/postgres$/, `/${database}`);
    const first = new Client({ connectionString: at("lethe", "template1") });
    await first.connect();
    await first.query("ALTER DATABASE postgres RENAME TO lethe");
    await first.query("CREATE ROLE ada LOGIN");
    await first.end();
    const admin = new Client({ connectionString: at("lethe", "lethe") });
    await admin.connect();
    await admin.query("UPDATE pg_database SET datistemplate = false WHERE datname <> 'lethe'");
    await admin.query("DROP DATABASE template0");
    await admin.query("DROP DATABASE template1");
    const asker = new Client({ connectionString: at("ada", "lethe") });
    await asker.connect();
    return new RealCatalog(server, admin, asker);
  }

  async stop(): Promise<void> {
    await this.#asker.end();
    await this.#admin.end();
    await this.#server.stop();
  }

  /** Replaces all tables by those of a policy, for a connection that begins anew. */
  async hold(tables: readonly TableDescription[]): Promise<void> {
    const { rows } = await this.#admin.query<{ nspname: string }>(
      "SELECT nspname FROM pg_namespace WHERE oid >= 16384",
    );
    await this.#asker.query("RESET ALL");
    const schemas = new Set(tables.map(({ schema }) => schema));
    await this.#admin.query(
      [
        ...rows.map(({ nspname }) => `DROP SCHEMA ${name(nspname)} CASCADE`),
        ...(await this.#ownTables()),
        ...[...schemas].filter((schema) => schema !== "public").flatMap((schema) => madeSchema(schema)),
        ...tables.flatMap((table) => madeTable(table)),
        // Tables that keep long values elsewhere would have tables beside them. The texts are declared not to be kept so, and told as they usually are.
        "UPDATE pg_attribute SET attstorage = 'x' WHERE attrelid >= 16384 AND attnum > 0 AND atttypid = 25",
      ].join(";\n"),
    );
  }

  async #ownTables(): Promise<readonly string[]> {
    const { rows } = await this.#admin.query<{ kind: string; name: string }>(
      "SELECT CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END AS kind, oid::regclass::text AS name FROM pg_class WHERE relnamespace = 2200 AND relkind IN ('r', 'v')",
    );
    return rows.map(({ kind, name: held }) => `DROP ${kind} ${held} CASCADE`);
  }

  /** Asks as somebody who may read. Errors: what PostgreSQL refuses. */
  async ask({ text, parameters }: FilledQuery): Promise<CatalogRows> {
    const types = { getTypeParser: () => (value: string) => value };
    const query: QueryArrayConfig = { text, values: [...parameters], rowMode: "array", types };
    const { fields, rows } = await this.#asker.query<(string | null)[]>(query);
    return {
      columns: fields.map((field) => ({
        name: field.name,
        type: field.dataTypeID,
        typmod: field.dataTypeModifier,
      })),
      rows,
    };
  }
}

function madeSchema(schema: string): readonly string[] {
  return [`CREATE SCHEMA ${name(schema)}`, `GRANT USAGE ON SCHEMA ${name(schema)} TO PUBLIC`];
}

function madeTable({
  schema,
  name: table,
  kind,
  isView,
  unit,
  columns,
}: TableDescription): readonly string[] {
  const at = `${name(schema)}.${name(table)}`;
  const made = isView
    ? `CREATE VIEW ${at} AS SELECT ${columns.map((column) => `CAST(NULL AS ${columnTypes[column.type].replace(" STORAGE PLAIN", "")}) AS ${name(column.name)}`).join(", ")}`
    : `CREATE TABLE ${at} (${columns.map((column) => `${name(column.name)} ${columnTypes[column.type]}${column.nullable ? "" : " NOT NULL"}`).join(", ")})`;
  const words = unit === null ? kind : `${kind}: ${unit}`;
  return [
    made,
    `GRANT SELECT ON ${at} TO PUBLIC`,
    `COMMENT ON ${isView ? "VIEW" : "TABLE"} ${at} IS ${literal(words)}`,
    ...columns.flatMap((column) => {
      const values = valuesText(column);
      return values === null ? [] : [`COMMENT ON COLUMN ${at}.${name(column.name)} IS ${literal(values)}`];
    }),
  ];
}
