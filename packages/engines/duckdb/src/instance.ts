import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { checkLimits, type EngineLimits } from "./limits.ts";
import { ownedFolder } from "./owned-folder.ts";
import { quoteText } from "./quote.ts";

/** An in-memory DuckDB with capped resources. */
export interface Instance {
  connect(): Promise<DuckDBConnection>;
  /** Closes the native handles; every connection must be closed before. */
  close(): void;
}

/** Opens an instance that never downloads, never loads an extension by itself and keeps within its limits. */
export async function openInstance(limits: EngineLimits): Promise<Instance> {
  checkLimits(limits);
  // Loaded here, not above: the native library costs 0.1 s, which `explain` and `budget` need not pay.
  const { DuckDBInstance: DuckDB } = await import("@duckdb/node-api");
  // Two instances must not share a folder: both name their files alike.
  const spill = ownedFolder(limits.spillDirectory, "spill", limits.removedAtEnd);
  const database: DuckDBInstance = await DuckDB.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
    preserve_insertion_order: "false",
    threads: String(limits.threads),
    memory_limit: `${limits.memory}B`,
    temp_directory: spill.path,
  });
  return {
    connect: () => database.connect(),
    close: () => {
      database.closeSync();
      spill.remove();
    },
  };
}

/** Lends a connection to an instance of its own, for work that nobody else sees. */
export async function inInstance<T>(
  limits: EngineLimits,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await openInstance(limits);
  try {
    const connection = await instance.connect();
    try {
      return await work(connection);
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.close();
  }
}

/** Locks a connection's instance: after it no statement can read another file, attach, copy out, load code or change a setting. */
export async function lockDown(
  connection: DuckDBConnection,
  readableFiles: readonly string[],
): Promise<void> {
  await connection.run(`SET allowed_paths = [${readableFiles.map(quoteText).join(", ")}]`);
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
}
