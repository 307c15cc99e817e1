import type { TablePolicy } from "@lethe/query";

/** Schema and relation that the policy means: the table's own name, in schema public, unless it says otherwise. */
export function relationName(table: string, { relation }: TablePolicy): readonly [string, string] {
  // A name of a policy may hold dots; what the policy calls a relation has one at most.
  if (relation === null) return ["public", table];
  const dot = relation.indexOf(".");
  return dot < 0 ? ["public", relation] : [relation.slice(0, dot), relation.slice(dot + 1)];
}
