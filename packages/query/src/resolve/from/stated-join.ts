import type { Node } from "@pgsql/types";
import type { JoinedKeys, JoinRelation } from "../../relations/relation.ts";
import type { Scope, ScopeColumn } from "../names/scope.ts";

/** A join as it is written: its two sides, and the conditions on a pair of rows. */
export interface StatedJoin {
  readonly type: JoinRelation["type"];
  readonly left: Scope;
  readonly right: Scope;
  /** The conditions, each of which must be true. */
  readonly conditions: readonly Node[];
  readonly using: readonly string[];
  /** The place where it is written, as near as the grammar tells. */
  readonly offset: number | undefined;
}

/**
 * Returns the places of two columns that hold keys of one thing; "unit" where both name the unit but have no place; "value" where
 * both are such keys, of which one was computed and so is compared by its value; null for other columns.
 */
export function keysOfOne(a: ScopeColumn, b: ScopeColumn): JoinedKeys | "unit" | "value" | null {
  if (!a.key || !b.key || a.key.of.table !== b.key.of.table || a.key.of.column !== b.key.of.column)
    return null;
  if (a.key.at && b.key.at) return { left: a.key.at, right: b.key.at };
  if (a.isUnit && b.isUnit) return "unit";
  return a.namesUnit || b.namesUnit ? null : "value";
}
