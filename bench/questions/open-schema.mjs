import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { open } from "lethe";
import { makeFile, quote } from "../sql/make-file.mjs";
import { runLethe } from "../workspace.mjs";
import { clinic } from "./tables/clinic.mjs";
import { product } from "./tables/product.mjs";
import { shop } from "./tables/shop.mjs";
import { tpch } from "./tables/tpch.mjs";
import { transit } from "./tables/transit.mjs";

const tables = { clinic, product, shop, tpch, transit };

/** Opens a schema in a temporary folder: its policy, its invented rows, a fresh ledger. `plain` answers rows with no privacy at all. */
export async function openSchema(name) {
  const folder = mkdtempSync(join(tmpdir(), "lethe-questions-"));
  copyFileSync(fileURLToPath(new URL(`${name}/lethe.yaml`, import.meta.url)), join(folder, "lethe.yaml"));
  const file = join(folder, `${name}.duckdb`);
  await makeFile(file, async (connection, draft) => {
    await connection.run(`ATTACH ${quote(draft)} AS made`);
    for (const [table, sql] of Object.entries(tables[name]))
      await connection.run(`CREATE TABLE made.${table} AS ${sql}`);
    await connection.run("DETACH made");
  });
  runLethe(folder, ["init"]);
  const house = await open(join(folder, "lethe.yaml"));
  return {
    house,
    plain: (text) => plainRows(file, text),
    async close() {
      await house.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function plainRows(file, text) {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await connection.run(`ATTACH ${quote(file)} AS data (READ_ONLY)`);
    await connection.run("USE data");
    return (await connection.runAndReadAll(text)).getRowsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
