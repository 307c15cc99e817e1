import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { openDuckDb } from "@lethe/engine-duckdb";
import { duckdb, placedSelect, snapshotSelect, type TableStorage } from "@lethe/query";
import { type RowsRequestOfTest, type RowsSubject, rowsContract } from "./contracts/rows-contract.ts";
import { names, seed } from "./differential-data.ts";
import type { RawRow, RawValue } from "./reference-evaluator.ts";

const native: Readonly<Record<string, string>> = {
  ...{ pid: "VARCHAR", sector: "VARCHAR", town: "VARCHAR", member: "BOOLEAN" },
  ...{ since: "DATE", born: "DATE", seen: "TIMESTAMP" },
};

async function open({ policy, types, rows, maxValues }: RowsRequestOfTest): Promise<RowsSubject> {
  const folder = mkdtempSync(join(tmpdir(), "lethe-rows-"));
  const table = policy.tables.people!;
  const isPlaced = table.unit.kind !== "row";
  const instance = await DuckDBInstance.create(join(folder, "people.duckdb"));
  const connection = await instance.connect();
  const typeOf = (name: string): string => (types === "text" ? "VARCHAR" : (native[name] ?? "DOUBLE"));
  await connection.run(
    `CREATE TABLE people (${names.map((name) => `"${name}" ${typeOf(name)}`).join(", ")})`,
  );
  if (rows.length > 0)
    await connection.run(`INSERT INTO people VALUES ${rows.map((row) => tuple(row, typeOf)).join(", ")}`);
  await connection.run(`CREATE TABLE snapshot AS ${snapshotSelect(table, "people", duckdb)}`);
  if (isPlaced)
    await connection.run(`CREATE TABLE placed AS ${placedSelect(table, "snapshot", duckdb)}`, [seed]);
  connection.closeSync();
  instance.closeSync();

  const logged: string[] = [];
  const engine = await openDuckDb({
    policy,
    baseDirectory: folder,
    stateDirectory: join(folder, ".lethe"),
    seed,
    limits: {
      memory: 512 << 20,
      threads: 2,
      timeoutMs: 60_000,
      spillDirectory: join(folder, "spill"),
      ...(maxValues === undefined ? {} : { maxValues }),
    },
    log: (detail) => logged.push(detail),
  });
  const raw = await engine.storage("people");
  const beside = (name: string): TableStorage => ({
    relation: [...raw.relation.slice(0, -1), name],
    layout: "snapshot",
  });
  const snapshot = beside("snapshot");
  return {
    engine,
    logged,
    layouts: [
      raw,
      snapshot,
      ...(isPlaced
        ? [
            { ...snapshot, hasUnitNumbers: true },
            { ...beside("placed"), hasPlaces: true },
          ]
        : []),
    ],
    async close() {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function tuple(row: RawRow, typeOf: (name: string) => string): string {
  const literal = (value: RawValue, type: string): string =>
    value === null
      ? "NULL"
      : `CAST('${(Object.is(value, -0) ? "-0.0" : String(value)).replaceAll("'", "''")}' AS ${type})`;
  return `(${names.map((name) => literal(row[name] ?? null, typeOf(name))).join(", ")})`;
}

rowsContract("DuckDB", { policy: "", table: "file: people.duckdb" }, open, 4);
