import { basename } from "node:path";
import { quote } from "./make-file.mjs";

/** The plain side: the .duckdb file with the engine's own settings, every row brought over. */
export async function openPlain(file, limits) {
  const plain = await openInstance(limits);
  const { connection } = plain;
  const attached = new Set();
  /** Under the name that compiled text gives the file. */
  const attachOnce = async (path, name) => {
    if (!attached.has(path)) await connection.run(`ATTACH '${path}' AS "${name}" (READ_ONLY)`);
    attached.add(path);
  };
  await attachOnce(file, basename(file, ".duckdb"));
  await connection.run(`USE "${basename(file, ".duckdb")}"`);
  return { ...plain, attachOnce };
}

/** The same of a Parquet file, under the name events. */
export async function openPlainParquet(file, limits) {
  const plain = await openInstance(limits);
  await plain.connection.run(`CREATE VIEW events AS SELECT * FROM ${quote(file)}`);
  return plain;
}

async function openInstance({ memory, threads }) {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: `${memory}B`,
    threads: String(threads),
    preserve_insertion_order: "false",
  });
  const connection = await instance.connect();
  return {
    connection,
    rows: async (sql, values) => (await connection.runAndReadAll(sql, values)).getRows(),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
