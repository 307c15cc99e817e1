import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { openDuckDb } from "@lethe/engine-duckdb";
import { duckdb, type Policy, snapshotSelect } from "@lethe/query";
import type { RawRow, RawTables } from "../reference-evaluator.ts";
import type { Script } from "./random-scripts.ts";
import { lying, type OpenedCases } from "./replay-scripts.ts";

/** The tables of a policy, and others that differ in all that one unit owns. */
export interface TableNeighbours {
  readonly name: string;
  readonly policy: Policy;
  readonly scripts: readonly Script[];
  readonly sides: readonly RawTables[];
}

/** Native types of columns by name; all others are texts. */
export type NativeTypes = Readonly<Record<string, string>>;

/** Neighbouring tables in one DuckDB file, each script over one layout of them. */
export async function openTables(all: readonly TableNeighbours[], types: NativeTypes): Promise<OpenedCases> {
  const folder = mkdtempSync(join(tmpdir(), "lethe-tables-"));
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  await connection.run(`ATTACH '${join(folder, "shop.duckdb")}' AS shop`);
  await connection.run("BEGIN");
  for (const [at, { policy, sides }] of all.entries())
    for (const [side, tables] of sides.entries())
      for (const statement of statements(policy, tables, types, `${at}_${side}`))
        await connection.run(statement);
  await connection.run("COMMIT");
  await connection.run("DETACH shop");
  connection.closeSync();
  instance.closeSync();
  const logged: string[] = [];
  const engine = await openDuckDb({
    policy: all[0]!.policy,
    baseDirectory: folder,
    stateDirectory: folder,
    seed: "a secret seed",
    limits: { threads: 2, memory: 1 << 30, timeoutMs: 600_000 },
    log: (detail) => logged.push(detail),
  });
  return {
    cases: all.map(({ name, policy, scripts, sides }, at) => ({
      name,
      policy,
      scripts,
      sides: sides.length,
      engine: (side, script) => {
        const layout = script % 2 === 0 ? "raw" : "snapshot";
        return lying(engine, (table) => ({
          relation: ["shop", "main", `${layout}_${table}_${at}_${side}`],
          layout,
        }));
      },
    })),
    lastLogged: () => logged.at(-1),
    async close() {
      await engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function statements(policy: Policy, tables: RawTables, types: NativeTypes, of: string): string[] {
  return Object.entries(policy.tables).flatMap(([table, declared]) => {
    const names = Object.keys(declared.columns);
    const raw = `shop.raw_${table}_${of}`;
    const typed = names.map((name) => `"${name}" ${types[name] ?? "VARCHAR"}`).join(", ");
    const rows = (tables[table] ?? []).map(
      (row) => `(${names.map((name) => literal(row, name, types)).join(", ")})`,
    );
    return [
      `CREATE TABLE ${raw} (${typed})`,
      ...(rows.length === 0 ? [] : [`INSERT INTO ${raw} VALUES ${rows.join(", ")}`]),
      `CREATE TABLE shop.snapshot_${table}_${of} AS ${snapshotSelect(declared, raw, duckdb)}`,
    ];
  });
}

function literal(row: RawRow, name: string, types: NativeTypes): string {
  const value = row[name] ?? null;
  if (value === null) return "NULL";
  return `TRY_CAST('${String(value).replaceAll("'", "''")}' AS ${types[name] ?? "VARCHAR"})`;
}
