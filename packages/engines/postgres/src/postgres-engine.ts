import { LetheError } from "@lethe/core";
import { type Exact, type ExactRows, seal, type UnitRows } from "@lethe/core/mechanisms";
import {
  type CompiledPublic,
  type CompiledQuery,
  type CompiledRows,
  doubleRoles,
  hasSeveralRoles,
  type KeptRows,
  keptRows,
  type Policy,
  type PublicRows,
  postgres,
  type RowsToFreeze,
  readingAsItLies,
  type TablePolicy,
  type TableReading,
  type TableStorage,
  type TellingEngine,
} from "@lethe/query";
import type { Pool, PoolClient } from "pg";
import { checkRole } from "./check-role.ts";
import { checkSchema } from "./check-schema.ts";
import { checkServer } from "./check-server.ts";
import type { PostgresLimits } from "./limits.ts";
import { partitionsOf } from "./partitions-of.ts";
import { relationName } from "./relation-name.ts";
import { readPublicRows } from "./rows/read-public-rows.ts";
import { readRows } from "./rows/read-rows.ts";
import { type FoundTable, rowsToFreeze } from "./rows/read-rows-to-freeze.ts";
import { readUnitRows } from "./rows/read-unit-rows.ts";
import { beginReading, endReading } from "./session.ts";
import { sourcesRead } from "./sources-read.ts";

export interface PostgresEngineParts {
  readonly policy: Policy;
  readonly pool: Pool;
  readonly seed: string;
  readonly limits: PostgresLimits;
  readonly log: (detail: string) => void;
  /** Ends the statement that another connection's backend runs. */
  readonly cancel: (backend: number) => Promise<void>;
}

/** Runs compiled queries on a PostgreSQL server, each in a transaction of its own that may only read. */
export class PostgresEngine implements TellingEngine {
  readonly dialect: string = "postgres";
  readonly #parts: PostgresEngineParts;
  readonly #jobs = new Set<Promise<unknown>>();
  readonly #busy = new Set<PoolClient>();
  #closed: Promise<void> | null = null;

  constructor(parts: PostgresEngineParts) {
    this.#parts = parts;
  }

  async storage(table: string): Promise<TableStorage> {
    const tablePolicy = this.#policyOf(table);
    try {
      return await this.#reading(async (client) => {
        const { relation, types } = await this.#find(client, table, tablePolicy);
        const partitions = await partitionsOf(client, relation, types);
        return { relation, layout: "raw", types, ...(partitions && { partitions }) };
      });
    } catch (error) {
      throw this.#unreachable(error, table);
    }
  }

  /** Tables are read as they lie: once one of them was imported, another engine reads the copies. */
  reading(table: string, needsOrder: boolean): TableReading {
    this.#policyOf(table);
    return readingAsItLies(this.#parts.policy, table, needsOrder);
  }

  /**
   * Reads tables one after the other for an import, as they lie at one moment and cleaned as questions clean them, and hands each to `keep`; returns what that returns. For the owner: the rows
   * are not sealed. Errors: those of storage, for any of the tables and before a row is read; those of `keep`.
   * @example await engine.freeze(["visits"], (table, rows) => importRows({ policy, table, … }, rows))
   */
  async freeze<T>(
    tables: readonly string[],
    keep: (table: string, rows: RowsToFreeze) => Promise<T>,
  ): Promise<readonly T[]> {
    for (const table of tables) await this.storage(table);
    return this.#reading(async (client) => {
      const read = await sourcesRead(client, this.#parts.policy);
      const kept: T[] = [];
      for (const table of tables) {
        try {
          const policy = this.#policyOf(table);
          const place = await this.#find(client, table, policy);
          const found = { ...place, policy, sources: read.get(table) ?? null };
          kept.push(await keep(table, await rowsToFreeze(client, found, () => this.#stop(client))));
        } catch (error) {
          throw this.#unreachable(error, table);
        }
      }
      return kept;
    });
  }

  #policyOf(table: string): TablePolicy {
    const { tables } = this.#parts.policy;
    const found = Object.hasOwn(tables, table) ? tables[table] : undefined;
    if (found) return found;
    throw new LetheError("query.unknown-table", `the policy has no table ${table}`, {
      fix: "ask a table that the policy names",
      fields: { table },
    });
  }

  /** Checks a table, and says where it lies. Errors: those of storage; rejects with whatever the database says. */
  async #find(
    client: PoolClient,
    table: string,
    policy: TablePolicy,
  ): Promise<Pick<FoundTable, "types"> & { readonly relation: readonly [string, string] }> {
    await checkServer(client);
    await checkRole(client);
    await this.#checkSources(client, table);
    const relation = relationName(table, policy);
    return { relation, types: await checkSchema(client, table, policy, relation) };
  }

  /** Refuses a table whose source another table of the policy reads in another role. Errors: policy.roles. */
  async #checkSources(client: PoolClient, table: string): Promise<void> {
    const { policy } = this.#parts;
    if (!hasSeveralRoles(policy)) return;
    const clash = doubleRoles(policy, await sourcesRead(client, policy)).find(({ tables }) =>
      tables.includes(table),
    );
    if (clash) throw clash.error;
  }

  /** Returns an error of a table's check as its asker is told of it. */
  #unreachable(error: unknown, table: string): LetheError {
    if (error instanceof LetheError) return error;
    this.#parts.log(`${table}: ${detailOf(error)}`);
    return new LetheError("engine.source", "the database of the policy cannot be asked", {
      fix: "check that the server runs and that the environment names it; details are in the owner's log",
      fields: { table },
    });
  }

  run(query: CompiledQuery): Promise<Exact<ExactRows>> {
    const { seed, limits } = this.#parts;
    return this.#sealed(query, (client, stop) => readRows(client, query, seed, limits.maxGroups, stop));
  }

  rows(query: CompiledRows): Promise<Exact<UnitRows>> {
    const { seed, limits } = this.#parts;
    return this.#sealed(query, (client, stop) => readUnitRows(client, query, seed, limits.maxValues, stop));
  }

  published(query: CompiledPublic): Promise<PublicRows> {
    // What is refused of public rows depends on these alone.
    return this.#failingAlike(async () => {
      if (query.dialect !== this.dialect) throw new Error(`compiled for ${query.dialect}`);
      return this.#reading((client) => readPublicRows(client, query, () => this.#stop(client)));
    }, isCoded);
  }

  /** Seals what is read in a transaction of its own; `stop` ends the statement that runs in it. */
  #sealed<T>(
    { dialect }: { readonly dialect: string },
    read: (client: PoolClient, stop: () => void) => Promise<T>,
  ): Promise<Exact<T>> {
    return this.#failingAlike(async () => {
      if (dialect !== this.dialect) throw new Error(`compiled for ${dialect}`);
      return this.#reading(async (client) => seal(await read(client, () => this.#stop(client))));
    });
  }

  /**
   * Returns how many rows the limits on a unit's rows keep in a table: exact, and for its owner's eyes alone. Reads all of its
   * rows. Errors: those of storage; engine.failed.
   */
  async keptRows(table: string): Promise<KeptRows | null> {
    const storage = await this.storage(table);
    return this.#failingAlike(() =>
      this.#reading((client) =>
        keptRows(this.#parts.policy, table, storage, postgres, async (sql) => {
          const { rows } = await client.query<string[]>({ text: sql, rowMode: "array" });
          const [counts] = rows;
          if (counts === undefined) throw new Error("no counts of rows came back");
          return counts.map(Number);
        }),
      ),
    );
  }

  /** Cancels what is running and closes every connection. */
  close(): Promise<void> {
    this.#closed ??= (async () => {
      const stopAll = (): void => {
        for (const client of this.#busy) this.#stop(client);
      };
      // A cancellation between two statements is lost: again, until nothing runs.
      const stopping = setInterval(stopAll, 200);
      stopAll();
      await Promise.allSettled(this.#jobs);
      clearInterval(stopping);
      await this.#parts.pool.end();
    })();
    return this.#closed;
  }

  /** Replaces every error by one constant: the part that failed, and whether it was time, memory or a value, may depend on the data. */
  async #failingAlike<T>(
    work: () => Promise<T>,
    isShown: (error: unknown) => boolean = () => false,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isShown(error)) throw error;
      this.#parts.log(detailOf(error));
      throw new LetheError("engine.failed", "the database could not answer; details are in the owner's log", {
        fix: "ask the owner of the data",
      });
    }
  }

  #stop(client: PoolClient): void {
    const { processID: backend } = client as unknown as { readonly processID: number | null };
    if (backend === null) return;
    this.#parts.cancel(backend).catch((error: unknown) => this.#parts.log(detailOf(error)));
  }

  /** Lends a connection inside a reading transaction to one piece of work. A connection whose work failed is not used again. */
  async #reading<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const job = this.#lend(work);
    this.#jobs.add(job);
    try {
      return await job;
    } finally {
      this.#jobs.delete(job);
    }
  }

  async #lend<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    this.#refuseIfClosed();
    const client = await this.#parts.pool.connect();
    let failed = true;
    // A lost connection reports it twice: by the statement that fails, and here.
    const lost = (error: Error): void => this.#parts.log(`a lost connection: ${detailOf(error)}`);
    client.on("error", lost);
    this.#busy.add(client);
    try {
      this.#refuseIfClosed();
      await beginReading(client, this.#parts.limits);
      const result = await work(client);
      await endReading(client);
      failed = false;
      return result;
    } finally {
      this.#busy.delete(client);
      client.off("error", lost);
      client.release(failed);
    }
  }

  #refuseIfClosed(): void {
    if (!this.#closed) return;
    throw new LetheError("internal.invariant", "the engine was asked after it was closed", {
      fix: "open it again",
    });
  }
}

function isCoded(error: unknown): boolean {
  return error instanceof LetheError;
}

/** Returns the details of an error for the owner's log alone: they may quote values. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, detail } = error as { readonly code?: unknown; readonly detail?: unknown };
  return [code, error.message, detail].filter((part) => typeof part === "string" && part !== "").join(": ");
}
