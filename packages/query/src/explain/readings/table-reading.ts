import type { Policy } from "../../policy/policy.ts";
import { unitPath } from "../../policy/unit-path.ts";

/**
 * What a question reads of a table. lies: the table itself, as its owner keeps it. import: the rows that an import froze of a file. copy: those that it froze of a table in PostgreSQL. snapshot: those
 * that it froze within Trino. Nothing is read of the other two: not-imported, since the table must be imported first; stale, since the policy changed after its import.
 */
export type ReadFrom = "lies" | "import" | "copy" | "snapshot" | "not-imported" | "stale";

/**
 * Whether the order of each unit's rows lies beside the rows, so that a question need not find it. built: it does, and is used. other-seed: it was made under another secret seed, and is not. none: it
 * does not. not-needed: the rows do not name their units, so that nothing would be ordered.
 */
export type OrderKept = "built" | "other-seed" | "none" | "not-needed";

/** The way in which a question reads a table. It is told of what the owner did, and never of rows: no number or size of them, and nothing that is made of them. */
export interface TableReading {
  readonly table: string;
  readonly from: ReadFrom;
  /** The name of a snapshot in Trino; null elsewhere. */
  readonly snapshot: string | null;
  /** The moment of which the rows are, ISO 8601: of a copy and of a snapshot; null elsewhere. */
  readonly asOf: string | null;
  /** Null where the question needs no order of rows. */
  readonly order: OrderKept | null;
}

/** Says how a question would read a table now. `needsOrder`: whether it limits the table's rows before the filter. It asks no database. Errors: query.unknown-table, engine.*. */
export type ReadingOf = (table: string, needsOrder: boolean) => TableReading;

/** Whether the rows of a table name their units, so that a unit's rows can have an order. */
export function namesUnits(policy: Policy, table: string): boolean {
  const unit = unitPath(policy, table);
  return unit.kind === "column" && unit.path.length === 0;
}

/** Returns the reading of a table as its owner keeps it, where rows have no order. */
export function readingAsItLies(policy: Policy, table: string, needsOrder: boolean): TableReading {
  const order = needsOrder ? (namesUnits(policy, table) ? "none" : "not-needed") : null;
  return { table, from: "lies", snapshot: null, asOf: null, order };
}
