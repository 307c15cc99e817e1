import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { LetheError } from "@lethe/core";
import type { Catalog, CatalogColumn, CatalogForeignKey, CatalogKey, CatalogRelation } from "@lethe/query";
import { isScalar } from "./check-schema.ts";
import { inInstance, lockDown } from "./instance.ts";
import { defaultLimits } from "./limits.ts";
import { quoteText } from "./quote.ts";

/**
 * Returns the declarations of a .duckdb file about its tables and views. Reads DuckDB's catalog alone: no row, no statistics, no
 * default or CHECK, which may quote values. Errors: engine.source.
 * @example await describeDuckDb("shop.duckdb")
 */
export async function describeDuckDb(file: string): Promise<Catalog> {
  const path = resolve(file);
  try {
    accessSync(path, constants.R_OK);
    const spill = mkdtempSync(join(tmpdir(), "lethe-catalog-"));
    try {
      const limits = { ...defaultLimits(spill), threads: 1 };
      return await inInstance(limits, async (connection) => {
        await connection.run(`ATTACH ${quoteText(path)} AS source (TYPE duckdb, READ_ONLY)`);
        // Views of the file may name other files; none of them is opened.
        await lockDown(connection, [path]);
        return described(connection);
      });
    } finally {
      rmSync(spill, { recursive: true, force: true });
    }
  } catch {
    throw new LetheError("engine.source", `the catalog of ${file} cannot be read`, {
      fix: "check that it is a DuckDB database, and that no other process is writing to it",
      fields: { file },
    });
  }
}

async function described(connection: DuckDBConnection): Promise<Catalog> {
  const rows = async <Row>(sql: string): Promise<readonly Row[]> =>
    (await connection.runAndReadAll(sql)).getRowObjectsJson() as unknown as readonly Row[];
  const relations = await rows<Relation>(
    `SELECT schema_name AS schema, table_name AS name, 'table' AS kind FROM duckdb_tables()
     WHERE database_name = 'source' AND NOT internal
     UNION ALL SELECT schema_name, view_name, 'view' FROM duckdb_views() WHERE database_name = 'source' AND NOT internal`,
  );
  const columns = await rows<Relation & Pick<CatalogColumn, "native"> & { readonly column: string }>(
    `SELECT schema_name AS schema, table_name AS name, column_name AS column, data_type AS native FROM duckdb_columns()
     WHERE database_name = 'source' AND NOT internal ORDER BY schema_name, table_name, column_index`,
  );
  const constraints = await rows<Constraint>(
    `SELECT schema_name AS schema, table_name AS name, constraint_type AS kind, constraint_column_names AS columns,
       referenced_table AS target, referenced_column_names AS "targetColumns" FROM duckdb_constraints()
     WHERE database_name = 'source' AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
     ORDER BY schema_name, table_name, constraint_index`,
  );
  return {
    relations: relations.map(({ schema, name, kind }): CatalogRelation => {
      const isOf = (row: Relation): boolean => row.schema === schema && row.name === name;
      const own = constraints.filter(isOf);
      return {
        schema,
        name,
        kind: kind === "view" ? "view" : "table",
        columns: columns.filter(isOf).map(({ column, native }) => catalogColumn(column, native)),
        keys: own.flatMap(keyOf),
        foreignKeys: own.flatMap(foreignKeyOf),
      };
    }),
  };
}

interface Relation {
  readonly schema: string;
  readonly name: string;
  readonly kind?: string;
}

interface Constraint extends Relation {
  readonly kind: string;
  readonly columns: readonly string[];
  readonly target: string | null;
  readonly targetColumns: readonly string[];
}

function keyOf({ kind, columns }: Constraint): readonly CatalogKey[] {
  return kind === "FOREIGN KEY" ? [] : [{ columns, primary: kind === "PRIMARY KEY" }];
}

/** DuckDB's foreign keys stay within one schema. */
function foreignKeyOf({ schema, columns, target, targetColumns }: Constraint): readonly CatalogForeignKey[] {
  return target === null ? [] : [{ columns, references: { schema, name: target, columns: targetColumns } }];
}

function catalogColumn(name: string, native: string): CatalogColumn {
  // A list of an enum begins alike, and ends in brackets.
  const isEnum = native.startsWith("ENUM(") && native.endsWith(")");
  const labels = isEnum ? [...native.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = ""]) => text) : [];
  return {
    name,
    native: isEnum ? "ENUM" : native,
    type: isScalar(native) ? typeOf(native) : null,
    spelling: isEnum ? "enum" : spellingOf(native),
    labels: labels.map((label) => label.replaceAll("''", "'")),
  };
}

const integers = /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/;

function typeOf(native: string): NonNullable<CatalogColumn["type"]> {
  if (integers.test(native)) return "integer";
  if (/^(FLOAT|DOUBLE|DECIMAL\b)/.test(native)) return "number";
  if (native === "BOOLEAN") return "boolean";
  if (native === "DATE") return "date";
  return native.startsWith("TIMESTAMP") ? "timestamp" : "text";
}

/** Types whose equality is that of their texts: not decimals of two scales, and not doubles. */
function spellingOf(native: string): string | null {
  if (integers.test(native)) return "integer";
  if (native === "VARCHAR") return "text";
  return native === "UUID" ? "uuid" : null;
}
