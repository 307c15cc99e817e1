import type { DuckDBConnection } from "@duckdb/node-api";
import { LetheError } from "@lethe/core";
import { type Exact, type ExactRows, seal, type UnitRows } from "@lethe/core/mechanisms";
import type {
  CompiledPublic,
  CompiledQuery,
  CompiledRows,
  Policy,
  PublicRows,
  TablePolicy,
  TableReading,
  TableStorage,
  TellingEngine,
} from "@lethe/query";
import { checkSchema } from "./check-schema.ts";
import type { Instance } from "./instance.ts";
import type { EngineLimits } from "./limits.ts";
import { readingOfManifest } from "./reading-of-manifest.ts";
import type { ResolvedSource } from "./resolve-source.ts";
import { readPublicRows } from "./rows/read-public-rows.ts";
import { readRows } from "./rows/read-rows.ts";
import { readUnitRows } from "./rows/read-unit-rows.ts";

export interface DuckDbEngineParts {
  readonly policy: Policy;
  readonly instance: Instance;
  /** Per table: where it lies, or why it cannot be asked. */
  readonly sources: ReadonlyMap<string, ResolvedSource | LetheError>;
  readonly seed: string;
  readonly limits: EngineLimits;
  readonly log: (detail: string) => void;
}

/** Runs compiled queries on a locked-down DuckDB; each on a connection of its own, so any number at once. */
export class DuckDbEngine implements TellingEngine {
  readonly dialect: string = "duckdb";
  readonly #parts: DuckDbEngineParts;
  readonly #running = new Set<Promise<unknown>>();
  readonly #connections = new Set<DuckDBConnection>();
  /** Tables whose snapshot has what the policy reads: no other process can write to a file that is attached. */
  readonly #checked = new Set<string>();
  #closed: Promise<void> | null = null;

  constructor(parts: DuckDbEngineParts) {
    this.#parts = parts;
  }

  async storage(table: string): Promise<TableStorage> {
    const { log } = this.#parts;
    const { tablePolicy, storage } = this.#sourceOf(table);
    if (this.#checked.has(table)) return storage;
    const isSnapshot = storage.layout !== "raw";
    const types = await this.#connected((connection) =>
      checkSchema(connection, table, tablePolicy, storage.relation, log, isSnapshot),
    );
    if (!isSnapshot) return { ...storage, types };
    this.#checked.add(table);
    return storage;
  }

  /** Says how this very engine reads a table, which stays so until it is opened anew. */
  reading(table: string, needsOrder: boolean): TableReading {
    const { policy, seed } = this.#parts;
    const { manifest } = this.#sourceOf(table);
    return readingOfManifest({ policy, table, manifest, needsOrder, seed: () => seed });
  }

  /** Errors: query.unknown-table; what is wrong with a table that cannot be asked. */
  #sourceOf(table: string): ResolvedSource & { readonly tablePolicy: TablePolicy } {
    const { policy, sources } = this.#parts;
    const tablePolicy = Object.hasOwn(policy.tables, table) ? policy.tables[table] : undefined;
    const source = sources.get(table);
    if (!tablePolicy || !source) {
      throw new LetheError("query.unknown-table", `the policy has no table ${table}`, {
        fix: "ask a table that the policy names",
        fields: { table },
      });
    }
    if (source instanceof LetheError) throw source;
    return { ...source, tablePolicy };
  }

  run(query: CompiledQuery): Promise<Exact<ExactRows>> {
    const { seed, limits } = this.#parts;
    return this.#sealed(query, (connection) => readRows(connection, query, seed, limits.maxGroups));
  }

  rows(query: CompiledRows): Promise<Exact<UnitRows>> {
    const { seed, limits } = this.#parts;
    return this.#sealed(query, (connection) => readUnitRows(connection, query, seed, limits.maxValues));
  }

  published(query: CompiledPublic): Promise<PublicRows> {
    // What is refused of public rows depends on these alone.
    return this.#read(query, (connection) => readPublicRows(connection, query), isCoded);
  }

  /** Seals what is read within the time allowed. */
  #sealed<T>(
    query: { readonly dialect: string },
    read: (connection: DuckDBConnection) => Promise<T>,
  ): Promise<Exact<T>> {
    return this.#read(query, async (connection) => seal(await read(connection)));
  }

  /** Reads within the time allowed. */
  async #read<T>(
    { dialect }: { readonly dialect: string },
    read: (connection: DuckDBConnection) => Promise<T>,
    isShown: (error: unknown) => boolean = () => false,
  ): Promise<T> {
    const { limits, log } = this.#parts;
    try {
      if (dialect !== this.dialect) throw new Error(`compiled for ${dialect}`);
      return await this.#connected(async (connection) => {
        const stop = interruptAfter(connection, limits.timeoutMs);
        try {
          return await read(connection);
        } finally {
          stop();
        }
      });
    } catch (error) {
      if (isShown(error)) throw error;
      log(error instanceof Error ? error.message : String(error));
      // What failed, and whether it was time, memory or a value, may depend on the data: one constant for all.
      throw new LetheError("engine.failed", "the database could not answer; details are in the owner's log", {
        fix: "ask the owner of the data",
      });
    }
  }

  /** Interrupts what is running and frees every native handle. */
  close(): Promise<void> {
    this.#closed ??= (async () => {
      const interrupting = setInterval(() => this.#interrupt(), 20);
      this.#interrupt();
      await Promise.allSettled(this.#running);
      clearInterval(interrupting);
      this.#parts.instance.close();
    })();
    return this.#closed;
  }

  #interrupt(): void {
    for (const connection of this.#connections) connection.interrupt();
  }

  /** Lends a connection to one piece of work. */
  async #connected<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    if (this.#closed) {
      throw new LetheError("internal.invariant", "the engine was asked after it was closed", {
        fix: "open it again",
      });
    }
    const job = (async () => {
      const connection = await this.#parts.instance.connect();
      this.#connections.add(connection);
      try {
        return await work(connection);
      } finally {
        this.#connections.delete(connection);
        connection.closeSync();
      }
    })();
    this.#running.add(job);
    try {
      return await job;
    } finally {
      this.#running.delete(job);
    }
  }
}

function isCoded(error: unknown): boolean {
  return error instanceof LetheError;
}

/** Interrupts from the deadline on, again and again: an interrupt between two steps of a statement is lost. */
function interruptAfter(connection: DuckDBConnection, timeoutMs: number): () => void {
  let repeat: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    connection.interrupt();
    repeat = setInterval(() => connection.interrupt(), 20);
  }, timeoutMs);
  return () => {
    clearTimeout(first);
    clearInterval(repeat);
  };
}
