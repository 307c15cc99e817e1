import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { openDuckDb } from "@lethe/engine-duckdb";
import { duckdb, type Policy, readPolicy, snapshotSelect } from "@lethe/query";
import type { Dice } from "../dice.ts";
import {
  ownedTables,
  ownerIn,
  questionOf,
  randomShop,
  shapes,
  withNewcomer,
  without,
} from "../joins/random-shop.ts";
import { shopPolicy } from "../joins/shop.ts";
import type { RawRow, RawTables } from "../reference-evaluator.ts";
import { finished, request, type Script } from "./random-scripts.ts";
import { lying, type OpenedCases } from "./replay-scripts.ts";

/** Native types of the shop's columns; all others are texts. */
const types: Readonly<Record<string, string>> = {
  ...{ id: "INTEGER", person_id: "INTEGER", age: "INTEGER", day: "INTEGER", grade: "INTEGER" },
  ...{ cost: "DOUBLE", price: "DOUBLE", weight: "DOUBLE", fee: "DOUBLE", borrower: "INTEGER", sum: "DOUBLE" },
};

/** The tables of a shop, and others that differ in all that one unit owns. */
export interface ShopNeighbours {
  readonly policy: Policy;
  readonly scripts: readonly Script[];
  readonly sides: readonly RawTables[];
}

export function shopNeighbours(
  seed: number,
  neighbours: number,
  read: (text: string) => Policy = readPolicy,
): ShopNeighbours {
  const { tables, dice } = randomShop(seed);
  const adjacency = dice.one(["add-or-remove-one", "replace-one"]);
  const policy = read(shopPolicy(adjacency, 1 + dice.below(2), 1 + dice.below(3)));
  const units = ownedTables.flatMap((table) =>
    (tables[table] ?? []).flatMap((row) => ownerIn(policy, tables, table, row) ?? []),
  );
  // Of neighbours that replace one unit the same one goes in each, so that each differs in one from the first.
  const gone = units.length === 0 ? "nobody" : dice.one(units);
  return {
    policy,
    scripts: Array.from({ length: 6 }, (_, n) => {
      const shape = shapes[(seed * 6 + n) % shapes.length]!;
      return [request(finished(dice, questionOf(dice, shape)))];
    }),
    sides: [
      tables,
      ...Array.from({ length: neighbours }, () => neighbour(dice, policy, tables, adjacency, gone)),
    ],
  };
}

function neighbour(
  dice: Dice,
  policy: Policy,
  tables: RawTables,
  adjacency: string,
  gone: string,
): RawTables {
  const rest = without(policy, tables, gone);
  if (adjacency === "replace-one") return gone === "nobody" ? tables : withNewcomer(rest, dice);
  if (dice.below(4) === 0) return { ...tables, guests: (tables.guests ?? []).slice(1) };
  return dice.below(2) === 0 ? rest : withNewcomer(tables, dice);
}

/** Random shops in one DuckDB file, each script over one layout of their tables. */
export async function openShopCases(seeds: readonly number[], neighbours: number): Promise<OpenedCases> {
  const all = seeds.map((seed) => shopNeighbours(seed, neighbours));
  const folder = mkdtempSync(join(tmpdir(), "lethe-shops-"));
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  await connection.run(`ATTACH '${join(folder, "shop.duckdb")}' AS shop`);
  for (const [at, { policy, sides }] of all.entries())
    for (const [side, tables] of sides.entries())
      for (const statement of statements(policy, tables, `${at}_${side}`)) await connection.run(statement);
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
    cases: all.map(({ policy, scripts, sides }, at) => ({
      name: `shop ${seeds[at]}`,
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

function statements(policy: Policy, tables: RawTables, of: string): string[] {
  return Object.entries(policy.tables).flatMap(([table, declared]) => {
    const names = Object.keys(declared.columns);
    const raw = `shop.raw_${table}_${of}`;
    const typed = names.map((name) => `"${name}" ${types[name] ?? "VARCHAR"}`).join(", ");
    const rows = (tables[table] ?? []).map(
      (row) => `(${names.map((name) => literal(row, name)).join(", ")})`,
    );
    return [
      `CREATE TABLE ${raw} (${typed})`,
      ...(rows.length === 0 ? [] : [`INSERT INTO ${raw} VALUES ${rows.join(", ")}`]),
      `CREATE TABLE shop.snapshot_${table}_${of} AS ${snapshotSelect(declared, raw, duckdb)}`,
    ];
  });
}

function literal(row: RawRow, name: string): string {
  const value = row[name] ?? null;
  if (value === null) return "NULL";
  return `TRY_CAST('${String(value).replaceAll("'", "''")}' AS ${types[name] ?? "VARCHAR"})`;
}
