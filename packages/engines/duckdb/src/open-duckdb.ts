import { resolve } from "node:path";
import { LetheError } from "@lethe/core";
import { doubleRoles, type Policy, type TellingEngine } from "@lethe/query";
import { Attachments } from "./attach.ts";
import { DuckDbEngine } from "./duckdb-engine.ts";
import { lockDown, openInstance } from "./instance.ts";
import { defaultLimits, type EngineLimits } from "./limits.ts";
import { type ResolvedSource, resolveSource } from "./resolve-source.ts";
import { sweepDrafts } from "./snapshot/draft.ts";
import { sourcesFrozen } from "./sources-frozen.ts";
import { sourcesRead } from "./sources-read.ts";

export interface DuckDbOptions {
  readonly policy: Policy;
  /** The policy's folder: its files are relative to it. */
  readonly baseDirectory: string;
  /** The folder where snapshots lie (.lethe). */
  readonly stateDirectory: string;
  /** The secret that chooses which groups of a unit are kept. */
  readonly seed: string;
  /** Half the machine's memory, all its cores, ten minutes, five million groups and 1 GiB of rows, unless stated. */
  readonly limits?: Partial<EngineLimits>;
  /** The owner's log: what it is told may contain data. */
  readonly log: (detail: string) => void;
}

/**
 * Opens the policy's tables on DuckDB: Parquet and .duckdb files as they lie, CSV files (and any table that was
 * imported, from a file or a database) by their snapshot. When it returns, no statement can reach another file or change a setting. A table that
 * cannot be asked, or reads what another table reads in another role, does not stop the others: `storage` says what is wrong with it.
 * @example const engine = await openDuckDb({ policy, baseDirectory: ".", stateDirectory: ".lethe", seed, limits, log });
 */
export async function openDuckDb(options: DuckDbOptions): Promise<TellingEngine> {
  const { policy, seed, log } = options;
  const directories = { base: resolve(options.baseDirectory), state: resolve(options.stateDirectory) };
  const limits = { ...defaultLimits(directories.state), ...options.limits };
  sweepDrafts(directories.state);
  const instance = await openInstance(limits);
  try {
    const connection = await instance.connect();
    try {
      const attachments = new Attachments(connection, log);
      const sources = new Map<string, ResolvedSource | LetheError>();
      for (const [table, tablePolicy] of Object.entries(policy.tables)) {
        const source = resolveSource(table, tablePolicy, directories, seed, attachments);
        sources.set(table, await source.catch(refusal));
      }
      const read =
        policy.database === null
          ? await sourcesRead(policy, directories.base, limits, log)
          : sourcesFrozen(policy, directories.state);
      for (const { tables, error } of doubleRoles(policy, read))
        for (const table of tables) sources.set(table, error);
      const files = [...sources.values()].flatMap((source) =>
        source instanceof LetheError ? [] : source.files,
      );
      await lockDown(connection, files);
      return new DuckDbEngine({ policy, instance, sources, seed, limits, log });
    } finally {
      connection.closeSync();
    }
  } catch (error) {
    instance.close();
    throw error;
  }
}

function refusal(error: unknown): LetheError {
  if (error instanceof LetheError) return error;
  throw error;
}
