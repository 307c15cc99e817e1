import type { Exact, ExactRows } from "@lethe/core";
import type { CompiledQuery } from "./compile/compiled-query.ts";

/** How a table lies in the database, which compile needs to read it. */
export interface TableStorage {
  /** Quoted-by-the-dialect name parts of the relation. */
  readonly relation: readonly string[];
  /**
   * "raw": columns as the owner keeps them; every value is cast, cleaned, clamped in the query.
   * "snapshot": made by import under this very policy; number columns hold grid integers, texts hold clean categories.
   */
  readonly layout: "raw" | "snapshot";
  /** Whether a snapshot keeps each row's place within its unit (see placeColumn), under the seed that the engine has. */
  readonly hasPlaces?: boolean;
  /** Whether a snapshot's units of different names have different numbers (see numberColumn), so that a number says whose a row is. */
  readonly hasUnitNumbers?: boolean;
  /** Native types of a raw relation's columns by name, where the dialect's text depends on them. */
  readonly types?: Readonly<Record<string, string>>;
}

/** I/O to one database. Knows nothing of privacy but to seal what it read. */
export interface Engine {
  /** Name of the dialect it speaks; compile picks the dialect by it. */
  readonly dialect: string;
  /** Checks the source against the policy before anything is charged. Errors: engine.source, engine.schema, engine.not-imported. */
  storage(table: string): Promise<TableStorage>;
  /** Runs one compiled query. Any failure is the one constant engine.failed; details go to the owner's log. */
  run(query: CompiledQuery): Promise<Exact<ExactRows>>;
  close(): Promise<void>;
}
