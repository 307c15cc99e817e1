import { basename, extname } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { LetheError } from "@lethe/core";
import { quoteIdentifier, quoteRelation, quoteText } from "./quote.ts";

/** The place where a table can be read now, and the files that must stay readable for it. */
export interface Attached {
  readonly relation: readonly string[];
  readonly files: readonly string[];
}

/** Attaches files to one connection's instance, each at most once. Errors: engine.source. */
export class Attachments {
  readonly #connection: DuckDBConnection;
  readonly #log: (detail: string) => void;
  readonly #catalogs = new Map<string, string>();

  constructor(connection: DuckDBConnection, log: (detail: string) => void) {
    this.#connection = connection;
    this.#log = log;
  }

  /** Attaches a .duckdb file, read-only: any number of processes may hold it so at once. */
  async database(table: string, path: string, relation: string): Promise<Attached> {
    let catalog = this.#catalogs.get(path);
    if (catalog === undefined) {
      catalog = this.#freeName(basename(path, extname(path)));
      const attach = `ATTACH ${quoteText(path)} AS ${quoteIdentifier(catalog)} (TYPE duckdb, READ_ONLY)`;
      await this.#run(table, attach, "is not a DuckDB database, or another process is writing to it");
      this.#catalogs.set(path, catalog);
    }
    const dot = relation.indexOf(".");
    const inside = dot < 0 ? ["main", relation] : [relation.slice(0, dot), relation.slice(dot + 1)];
    return { relation: [catalog, ...inside], files: [path] };
  }

  /** Returns the name that DuckDB itself gives the file when it is opened alone: views inside may have been made under it. */
  #freeName(stem: string): string {
    const taken = ["memory", "system", "temp", ...this.#catalogs.values()].map((name) => name.toLowerCase());
    return taken.includes(stem.toLowerCase()) ? `source_${this.#catalogs.size}` : stem;
  }

  /** Attaches a Parquet file, behind a view. */
  async parquet(table: string, path: string): Promise<Attached> {
    const relation = ["memory", "main", table];
    // A folder named like key=value would otherwise become a column.
    const scan = `read_parquet(${quoteText(path)}, hive_partitioning = false, union_by_name = false)`;
    const view = `CREATE VIEW ${quoteRelation(relation)} AS SELECT * FROM ${scan}`;
    await this.#run(table, view, "is not a Parquet file");
    return { relation, files: [path] };
  }

  async #run(table: string, sql: string, problem: string): Promise<void> {
    try {
      await this.#connection.run(sql);
    } catch (error) {
      this.#log(`${table}: ${error instanceof Error ? error.message : String(error)}`);
      throw new LetheError("engine.source", `the file of ${table} ${problem}`, {
        fix: "check the file; details are in the owner's log",
        fields: { table },
      });
    }
  }
}
