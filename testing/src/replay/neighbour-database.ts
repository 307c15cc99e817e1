import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { openDuckDb } from "@lethe/engine-duckdb";
import {
  duckdb,
  type Engine,
  type Policy,
  placedSelect,
  snapshotSelect,
  type TableStorage,
} from "@lethe/query";
import { columnNames, type Neighbours } from "../random-neighbours.ts";
import type { RawRow, RawValue } from "../reference-evaluator.ts";

const secret = "a secret seed";

export type Layout = "raw" | "snapshot" | "placed";

/** All tables of all neighbours in one DuckDB file, as their owners keep them and as import freezes them, and the engine over it. */
export interface NeighbourDatabase {
  readonly engine: Engine;
  /** Returns the last entry of the owner's log. */
  lastLogged(): string | undefined;
  /** Returns the layouts that a side's people can have: all that their policy is imported as. */
  layouts(at: number): readonly Layout[];
  lies(at: number, side: number, layout: Layout): TableStorage;
  close(): Promise<void>;
}

export async function openNeighbourDatabase(
  all: readonly Neighbours[],
  policies: readonly Policy[],
): Promise<NeighbourDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "lethe-neighbours-"));
  const logged: string[] = [];
  const isPlaced = (at: number): boolean =>
    policies[at]!.tables.people!.contribution.limit === "rows-before-filter";
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  await connection.run(`ATTACH '${join(folder, "people.duckdb")}' AS people`);
  await connection.run("BEGIN");
  for (const [at, neighbours] of all.entries()) {
    for (const statement of statements(at, neighbours, policies[at]!)) await connection.run(statement);
    for (const side of isPlaced(at) ? neighbours.tables.keys() : []) {
      const placed = placedSelect(policies[at]!.tables.people!, `people.snapshot_${at}_${side}`, duckdb);
      await connection.run(`CREATE TABLE people.placed_${at}_${side} AS ${placed}`, [secret]);
    }
  }
  await connection.run("COMMIT");
  await connection.run("DETACH people");
  connection.closeSync();
  instance.closeSync();
  const engine = await openDuckDb({
    policy: policies[0]!,
    baseDirectory: folder,
    stateDirectory: folder,
    seed: secret,
    limits: { threads: 2, memory: 1 << 30, timeoutMs: 600_000 },
    log: (detail) => logged.push(detail),
  });
  return {
    engine,
    lastLogged: () => logged.at(-1),
    layouts: (at) => ["raw", "snapshot", ...(isPlaced(at) ? (["placed"] as const) : [])],
    lies: (at, side, layout) => ({
      relation: ["people", "main", `${layout}_${at}_${side}`],
      layout: layout === "raw" ? "raw" : "snapshot",
      hasPlaces: layout === "placed",
      hasUnitNumbers: layout !== "raw",
    }),
    async close() {
      await engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function statements(at: number, { types, tables }: Neighbours, policy: Policy): string[] {
  const columns = columnNames.map((name, column) => `"${name}" ${types[column]}`).join(", ");
  return tables.flatMap((rows, side) => {
    const raw = `people.raw_${at}_${side}`;
    const values = rows.map((row) => `(${literals(row, types).join(", ")})`);
    return [
      `CREATE TABLE ${raw} (${columns})`,
      ...(values.length === 0 ? [] : [`INSERT INTO ${raw} VALUES ${values.join(", ")}`]),
      `CREATE TABLE people.snapshot_${at}_${side} AS ${snapshotSelect(policy.tables.people!, raw, duckdb)}`,
    ];
  });
}

function literals(row: RawRow, types: readonly string[]): string[] {
  return columnNames.map((name, column) => {
    const value: RawValue = row[name] ?? null;
    if (value === null) return "NULL";
    const text = Object.is(value, -0) ? "-0.0" : String(value);
    // What a narrow type cannot hold is missing in it.
    return `TRY_CAST('${text.replaceAll("'", "''")}' AS ${types[column]!.replace(/ COLLATE .*/, "")})`;
  });
}
