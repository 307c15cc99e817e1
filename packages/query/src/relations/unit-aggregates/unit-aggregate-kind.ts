import type { ColumnPolicy } from "../../policy/policy.ts";

/** What is asked of one kind of value of some rows of one unit. */
export interface UnitAggregateKind<V> {
  /** Writes the value as a question asks for it. */
  write(value: V): string;
  /** Whether it is 0 of no rows, and never NULL. */
  readonly isCount: boolean;
  /** Whether engines compute it in a window. */
  readonly inWindows: boolean;
  /** Whether a column of this type and bounds can hold it, NULL aside. */
  fits(value: V, column: ColumnPolicy): boolean;
}
