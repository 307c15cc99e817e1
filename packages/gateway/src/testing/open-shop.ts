import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { secureEntropy } from "@lethe/core";
import { importTable, openDuckDb } from "@lethe/engine-duckdb";
import { createLedger } from "@lethe/ledger";
import { type Policy, policyHash, readPolicy } from "@lethe/query";
import type { House } from "../house.ts";
import { now } from "./open-house.ts";

/** A house whose policy has private tables and public ones, and what DuckDB returns for a text over the same tables, with no privacy at all. */
export interface Shop {
  readonly house: House;
  readonly policyText: string;
  plain(text: string): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
}

const tables = {
  people: `SELECT i::INTEGER AS id, ['north', 'south', 'east'][1 + i % 3] AS region, 18 + (i * 7 % 60)::INTEGER AS age FROM range(300) r(i)`,
  orders: `SELECT i::INTEGER AS number, (i * 13 % 300)::INTEGER AS person, 1 + (i * i % 5)::INTEGER AS product, 1 + (i % 9)::INTEGER AS pieces FROM range(900) r(i)`,
  regions: `SELECT * FROM (VALUES ('north', 1.5::DOUBLE, DATE '1990-05-01', true), ('south', 2.25, DATE '2001-11-30', false), ('east', 0.5, NULL, true), ('west', 4.0, DATE '1970-01-01', NULL)) v(region, millions, founded, coastal)`,
  products: `SELECT i::INTEGER AS product, ['tea', 'Earl Grey', 'cup', 'o''clock', 'cake'][i] AS name, (i * 3.25)::DOUBLE AS price, TIMESTAMP '2024-01-01 08:30:00' + INTERVAL 1 DAY * i AS listed FROM range(1, 6) r(i)`,
} as const;

const policyText = (fileOf: (table: string) => string): string => `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1000000 }
tables:
  people:
    ${fileOf("people")}
    unit: id
    key: id
    columns:
      id: { type: integer }
      region: { type: text, categories: [north, south, east], default: north }
      age: { type: integer, bounds: [18, 90], default: 18 }
  orders:
    ${fileOf("orders")}
    unit: { through: person, references: people.id }
    max_groups_contributed: 5
    max_rows_contributed_per_group: 20
    columns:
      number: { type: integer }
      person: { type: integer }
      product: { type: integer, bounds: [1, 5], default: 1 }
      pieces: { type: integer, bounds: [0, 10], default: 0 }
  regions:
    ${fileOf("regions")}
    public: true
    key: region
    columns:
      region: { type: text }
      millions: { type: number, bounds: [0, 8] }
      founded: { type: date, bounds: [1900-01-01, 2030-12-31] }
      coastal: { type: boolean }
  products:
    ${fileOf("products")}
    public: true
    key: product
    columns:
      product: { type: integer }
      name: { type: text }
      price: { type: number, bounds: [0, 64] }
      listed: { type: timestamp, bounds: [2020-01-01, 2030-01-01] }
views:
  coasts: SELECT region, millions FROM regions WHERE coastal
  buyers: SELECT id, region FROM people
`;

/** Opens a shop whose tables lie in a database file, or whose CSV files were imported. */
export async function openShop(stored: "raw" | "imported"): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), "lethe-shop-"));
  const path = (name: string): string => join(folder, name);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`ATTACH '${path("shop.duckdb")}' AS shop`);
  for (const [table, sql] of Object.entries(tables)) {
    for (const place of [table, `shop.${table}`]) await connection.run(`CREATE TABLE ${place} AS ${sql}`);
    await connection.run(`COPY ${table} TO '${path(`${table}.csv`)}' (HEADER)`);
  }
  await connection.run("DETACH shop");
  for (const view of [
    "coasts AS SELECT region, millions FROM regions WHERE coastal",
    "buyers AS SELECT id, region FROM people",
  ])
    await connection.run(`CREATE VIEW ${view}`);
  const text = policyText((table) => (stored === "raw" ? "file: shop.duckdb" : `file: ${table}.csv`));
  const policy: Policy = readPolicy(text);
  const directories = { baseDirectory: folder, stateDirectory: path(".lethe") };
  const clock = (): number => now;
  const log = (): void => undefined;
  if (stored === "imported")
    for (const table of Object.keys(tables)) await importTable({ policy, table, ...directories, clock, log });
  const engine = await openDuckDb({ policy, ...directories, seed: "a seed", log });
  const ledger = await createLedger(path("ledger"), {
    budget: policy.budget,
    policyHash: policyHash(policy),
    source: "people",
    clock,
  });
  return {
    house: { policy, engine, ledger, entropy: secureEntropy(), clock },
    policyText: text,
    plain: async (asked) => (await connection.runAndReadAll(asked)).getRowsJson() as unknown[][],
    async close() {
      connection.closeSync();
      instance.closeSync();
      await engine.close();
      await ledger.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
