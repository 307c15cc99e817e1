import type { Exact, ExactRows, UnitRows } from "@lethe/core/mechanisms";
import type { ReadingOf, TableReading } from "../explain/readings/table-reading.ts";
import type { CompiledPublic, PublicRows } from "./compiled-public.ts";
import type { CompiledQuery } from "./compiled-query.ts";
import type { CompiledRows } from "./compiled-rows.ts";
import type { TableStorage } from "./stored/storage-of.ts";

/** I/O to one database. Knows nothing of privacy but to seal what it read. */
export interface Engine {
  /** Name of the dialect it speaks; compile picks the dialect by it. */
  readonly dialect: string;
  /** Checks the source against the policy before anything is charged. Errors: engine.source, engine.schema, engine.not-imported. */
  storage(table: string): Promise<TableStorage>;
  /** Runs one compiled query. Any failure is the one constant engine.failed; details go to the owner's log. */
  run(query: CompiledQuery): Promise<Exact<ExactRows>>;
  /**
   * Reads compiled rows for training, in memory and sealed: no analyst sees them. Any failure is the one constant engine.failed, and so are more
   * rows than the engine's limits allow, since how many there are depends on the data; details go to the owner's log.
   */
  rows(query: CompiledRows): Promise<Exact<UnitRows>>;
  /**
   * Reads rows of public tables, which are shown as they are. Errors: query.too-large for more rows than the query reads, query.type for a column whose values are neither
   * numbers, texts, booleans nor times; any other failure is engine.failed.
   */
  published(query: CompiledPublic): Promise<PublicRows>;
  close(): Promise<void>;
}

/** An engine that says how questions read its tables, from what it knows without a look at the database. */
export interface TellingEngine extends Engine {
  /** Errors: query.unknown-table; those of {@link Engine.storage} that it knows of itself. */
  reading(...asked: Parameters<ReadingOf>): TableReading;
}
