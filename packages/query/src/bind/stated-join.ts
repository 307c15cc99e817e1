import type { Node } from "@pgsql/types";
import type { JoinedKeys, JoinRelation } from "./relation.ts";
import type { Scope, ScopeColumn } from "./scope.ts";

/** A join as it is written: what is on both sides, and what must hold of a pair of rows. */
export interface StatedJoin {
  readonly type: JoinRelation["type"];
  readonly left: Scope;
  readonly right: Scope;
  /** Each must be true. */
  readonly conditions: readonly Node[];
  readonly using: readonly string[];
  /** Where it is written, or as near as the grammar says. */
  readonly offset: number | undefined;
}

/** Where two columns hold keys of one thing, where those are found; "unit" where the join says so by itself. */
export function keysOfOne(a: ScopeColumn, b: ScopeColumn): JoinedKeys | "unit" | null {
  if (!a.key || !b.key || a.key.of.table !== b.key.of.table || a.key.of.column !== b.key.of.column)
    return null;
  if (a.key.at && b.key.at) return { left: a.key.at, right: b.key.at };
  return a.isUnit && b.isUnit ? "unit" : null;
}
