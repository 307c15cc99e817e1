import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

export const quote = (text) => `'${text.replaceAll("'", "''")}'`;

/** Has `write(connection, draft)` make a file: made whole under its name, or not at all. */
export async function makeFile(path, write) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: "2GB",
    preserve_insertion_order: "false",
    temp_directory: `${draft}.spill`,
  });
  const connection = await instance.connect();
  await write(connection, draft);
  connection.closeSync();
  instance.closeSync();
  rmSync(`${draft}.spill`, { recursive: true, force: true });
  renameSync(draft, path);
}
