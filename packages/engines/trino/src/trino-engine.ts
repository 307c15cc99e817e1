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
  readingAsItLies,
  type TablePolicy,
  type TableReading,
  type TableStorage,
  type TellingEngine,
  trino,
  withTrinoSeed,
} from "@lethe/query";
import { checkRelation } from "./check-relation.ts";
import { checkRole } from "./check-role.ts";
import { type AskCatalog, checkServer } from "./check-server.ts";
import type { TrinoStatement } from "./client/run-statement.ts";
import type { TrinoAddress } from "./client/trino-address.ts";
import { allRows } from "./each-row.ts";
import type { TrinoLimits } from "./limits.ts";
import { relationFacts } from "./relation-facts.ts";
import { relationName, type TrinoRelation } from "./relation-name.ts";
import { readPublicRows } from "./rows/read-public-rows.ts";
import { readRows } from "./rows/read-rows.ts";
import { readUnitRows } from "./rows/read-unit-rows.ts";
import { sessionOf } from "./session.ts";
import { Slots } from "./slots.ts";
import { readingInTrino } from "./snapshot/reading-in-trino.ts";
import { readsSnapshots, snapshotInForce } from "./snapshot/snapshot-in-force.ts";
import { sourcesRead } from "./sources-read.ts";

export interface TrinoEngineParts {
  readonly policy: Policy;
  readonly address: TrinoAddress;
  readonly seed: string;
  /** The folder of the manifests of snapshots; null: tables are read as they lie. */
  readonly stateDirectory: string | null;
  readonly limits: TrinoLimits;
  readonly log: (detail: string) => void;
}

/** The most bytes of one answer: Trino's are about one MiB, and a row of the longest texts is not cut. */
const maxAnswerBytes = 256 * 1024 * 1024;
/** How often a server that is busy is asked again: a minute or so in all. */
const retries = 16;

/** Runs compiled queries on a Trino, each as one statement. */
export class TrinoEngine implements TellingEngine {
  readonly dialect: string = "trino";
  readonly #parts: TrinoEngineParts;
  readonly #slots: Slots;
  readonly #jobs = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();
  /** The relations that the role was found not to write to. */
  readonly #onlyRead = new Set<string>();
  #server: Promise<void> | null = null;

  constructor(parts: TrinoEngineParts) {
    this.#parts = parts;
    this.#slots = new Slots(parts.limits.connections);
  }

  async storage(table: string): Promise<TableStorage> {
    const policy = this.#policyOf(table);
    try {
      return await this.#find(table, policy);
    } catch (error) {
      throw this.#unreachable(error, table);
    }
  }

  async #find(table: string, policy: TablePolicy): Promise<TableStorage> {
    const ask = (sql: string) => this.#statement(sql, allRows);
    await this.#checkServer();
    const { stateDirectory, seed } = this.#parts;
    if (stateDirectory !== null && readsSnapshots(this.#parts.policy, stateDirectory)) {
      const asked = { policy: this.#parts.policy, table, stateDirectory, seed };
      const { storage, manifest } = await snapshotInForce(ask, asked, policy);
      await this.#checkRole(ask, table, manifest.relation, false);
      return storage;
    }
    const relation = relationName(table, policy, this.#parts.address);
    await this.#checkSources(ask, table);
    const facts = await relationFacts(ask, relation);
    const types = await checkRelation(ask, table, policy, relation, facts);
    await this.#checkRole(ask, table, relation, facts?.isView ?? false);
    return { relation, layout: "raw", types };
  }

  /** Says how the next question would read a table, by the manifests that are in force now. */
  reading(table: string, needsOrder: boolean): TableReading {
    this.#policyOf(table);
    const { policy, stateDirectory, seed } = this.#parts;
    if (stateDirectory === null) return readingAsItLies(policy, table, needsOrder);
    return readingInTrino({ policy, table, stateDirectory, needsOrder, seed: () => seed });
  }

  /** Checks once what the role may do to a relation. */
  async #checkRole(ask: AskCatalog, table: string, relation: TrinoRelation, isView: boolean): Promise<void> {
    const name = relation.join(".");
    if (this.#onlyRead.has(name)) return;
    await checkRole(ask, table, relation, isView);
    this.#onlyRead.add(name);
  }

  /** Returns the relations that are read for a table, by one name each; null where they cannot be told. For an import. Errors: those of storage. */
  async sources(table: string): Promise<readonly string[] | null> {
    const { policy, address } = this.#parts;
    try {
      const read = await sourcesRead((sql) => this.#statement(sql, allRows), policy, address);
      return read.get(table) ?? null;
    } catch (error) {
      throw this.#unreachable(error, table);
    }
  }

  /** Runs statements of an import by the user that this engine has. Errors: engine.source, with the details in the owner's log. */
  async asOwner<T>(table: string, work: (ask: AskCatalog) => Promise<T>): Promise<T> {
    try {
      return await work((sql) => this.#statement(sql, allRows));
    } catch (error) {
      throw this.#unreachable(error, table);
    }
  }

  /** Checks the server once; after a failure again. */
  async #checkServer(): Promise<void> {
    this.#server ??= checkServer((sql) => this.#statement(sql, allRows));
    try {
      await this.#server;
    } catch (error) {
      this.#server = null;
      throw error;
    }
  }

  /** Refuses a table whose source another table of the policy reads in another role. Errors: policy.roles. */
  async #checkSources(ask: AskCatalog, table: string): Promise<void> {
    const { policy, address } = this.#parts;
    if (!hasSeveralRoles(policy)) return;
    const clash = doubleRoles(policy, await sourcesRead(ask, policy, address)).find(({ tables }) =>
      tables.includes(table),
    );
    if (clash) throw clash.error;
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

  /** Returns an error of a table's check as its asker is told of it. */
  #unreachable(error: unknown, table: string): LetheError {
    if (error instanceof LetheError) return error;
    this.#parts.log(`${table}: ${detailOf(error)}`);
    return new LetheError("engine.source", "the Trino of the policy cannot be asked", {
      fix: "check that the server runs and that the environment names it; details are in the owner's log",
      fields: { table },
    });
  }

  run(query: CompiledQuery): Promise<Exact<ExactRows>> {
    const { maxGroups } = this.#parts.limits;
    return this.#sealed(query, (statement) => readRows(statement, query, maxGroups));
  }

  rows(query: CompiledRows): Promise<Exact<UnitRows>> {
    const { maxValues } = this.#parts.limits;
    return this.#sealed(query, (statement) => readUnitRows(statement, query, maxValues));
  }

  published(query: CompiledPublic): Promise<PublicRows> {
    // What is refused of public rows depends on these alone.
    return this.#failingAlike(async () => {
      if (query.dialect !== this.dialect) throw new Error(`compiled for ${query.dialect}`);
      return this.#statement(query.sql, (statement) => readPublicRows(statement, query));
    }, isCoded);
  }

  #sealed<T>(
    { dialect, sql, needsSeed }: Pick<CompiledQuery, "dialect" | "sql" | "needsSeed">,
    read: (statement: TrinoStatement) => Promise<T>,
  ): Promise<Exact<T>> {
    return this.#failingAlike(async () => {
      if (dialect !== this.dialect) throw new Error(`compiled for ${dialect}`);
      const text = needsSeed ? withTrinoSeed(sql, this.#parts.seed) : sql;
      return seal(await this.#statement(text, read));
    });
  }

  /**
   * Returns how many rows the limits on a unit's rows keep in a table: exact, and for its owner's eyes alone. Reads all of its
   * rows. Errors: those of storage; engine.failed.
   */
  async keptRows(table: string): Promise<KeptRows | null> {
    const storage = await this.storage(table);
    return this.#failingAlike(() =>
      keptRows(this.#parts.policy, table, storage, trino, async (sql) => {
        const [counts] = await this.#statement(sql, allRows);
        if (counts === undefined) throw new Error("no counts of rows came back");
        return counts.map(Number);
      }),
    );
  }

  /** Ends what is running, on the server too, and answers nothing from then on. */
  async close(): Promise<void> {
    this.#ending.abort(new Error("the engine was closed"));
    await Promise.allSettled(this.#jobs);
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

  /** Runs a statement within the limits, and hands it to what reads it. */
  async #statement<T>(sql: string, read: (statement: TrinoStatement) => Promise<T>): Promise<T> {
    const job = this.#slots.in(() => this.#within(sql, read));
    this.#jobs.add(job);
    try {
      return await job;
    } finally {
      this.#jobs.delete(job);
    }
  }

  async #within<T>(sql: string, read: (statement: TrinoStatement) => Promise<T>): Promise<T> {
    const { limits, log } = this.#parts;
    this.#refuseIfClosed();
    const address = this.#parts.address;
    const ending = new AbortController();
    const stop = (): void => ending.abort(this.#ending.signal.reason);
    const late = setTimeout(
      () => ending.abort(new Error("the statement took longer than it may")),
      limits.timeoutMs + limits.graceMs,
    );
    this.#ending.signal.addEventListener("abort", stop, { once: true });
    try {
      return await read({
        address,
        sql,
        session: sessionOf(limits, address.session),
        limits: { requestMs: limits.requestMs, maxAnswerBytes, retries },
        signal: ending.signal,
        log,
      });
    } finally {
      clearTimeout(late);
      this.#ending.signal.removeEventListener("abort", stop);
    }
  }

  #refuseIfClosed(): void {
    if (!this.#ending.signal.aborted) return;
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
  return error instanceof Error ? error.message : String(error);
}
