import { basename } from "node:path";

/** The plain side: the file with the engine's own settings, every row brought over. */
export async function openPlain(file, { memory, threads }) {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: `${memory}B`,
    threads: String(threads),
    preserve_insertion_order: "false",
  });
  const connection = await instance.connect();
  const attached = new Set();
  /** Under the name that compiled text gives the file. */
  const attachOnce = async (path, name) => {
    if (!attached.has(path)) await connection.run(`ATTACH '${path}' AS "${name}" (READ_ONLY)`);
    attached.add(path);
  };
  await attachOnce(file, basename(file, ".duckdb"));
  await connection.run(`USE "${basename(file, ".duckdb")}"`);
  return {
    attachOnce,
    rows: async (sql, values) => (await connection.runAndReadAll(sql, values)).getRows(),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
