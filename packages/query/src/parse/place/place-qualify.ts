import type { Node, SelectStmt } from "@pgsql/types";
import { allOf, conjuncts } from "../conditions.ts";

/** A SELECT whose QUALIFY was read, which PostgreSQL's grammar does not know. */
export interface QualifiedSelect extends SelectStmt {
  qualifyClause?: Node;
  /** Marks a SELECT within the question that WITH DIFFERENTIAL_PRIVACY stands behind. */
  privacyClause?: true;
}

/**
 * Puts the conditions of QUALIFY, which were read as conditions of HAVING, into a clause of their own. `offsets` are the places of the word in the text. Changes the tree in
 * place.
 */
export function placeQualify(tree: SelectStmt, offsets: readonly number[]): void {
  if (offsets.length === 0) return;
  const selects = havings(tree);
  for (const offset of offsets) {
    let nearest: QualifiedSelect | null = null;
    let start = Number.POSITIVE_INFINITY;
    for (const select of selects)
      for (const condition of conjuncts(select.havingClause)) {
        const at = startOf(condition);
        if (at > offset && at < start) [nearest, start] = [select, at];
      }
    if (nearest) move(nearest, offset);
  }
}

function move(select: QualifiedSelect, offset: number): void {
  const all = conjuncts(select.havingClause);
  const behind = all.filter((condition) => startOf(condition) > offset);
  const before = all.filter((condition) => !behind.includes(condition));
  select.qualifyClause = allOf(behind);
  if (before.length > 0) select.havingClause = allOf(before);
  else delete select.havingClause;
}

/** The place where a condition begins: the least of its parts', for an operator stands behind its left side. */
function startOf(tree: unknown): number {
  let least = Number.POSITIVE_INFINITY;
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== "object" || part === null) continue;
    for (const [key, value] of Object.entries(part)) {
      if (key === "location" && typeof value === "number" && value >= 0) least = Math.min(least, value);
      else open.push(value);
    }
  }
  return least;
}

/** All SELECTs of a tree that have a HAVING. */
function havings(tree: SelectStmt): readonly QualifiedSelect[] {
  const found: QualifiedSelect[] = [];
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== "object" || part === null) continue;
    if ("havingClause" in part) found.push(part as QualifiedSelect);
    open.push(...Object.values(part));
  }
  return found;
}
