import type { TablePolicy } from "@lethe/query";

/** Schema and relation that the policy means: the table's own name, in schema public, unless it says otherwise. */
export function relationName(table: string, { relation }: TablePolicy): readonly [string, string] {
  const parts = (relation ?? table).split(".");
  // A name of a policy may hold dots; what the policy calls a relation has one at most.
  if (relation === null || parts.length < 2) return ["public", relation ?? table];
  return [parts[0]!, parts.slice(1).join(".")];
}
