import type { SelectStmt } from "@pgsql/types";

export interface NamedRelation {
  readonly schema: string | null;
  readonly name: string;
}

/** Returns the relations that a query names, but for those that its own WITH defines. */
export function namedRelations(select: SelectStmt): readonly NamedRelation[] {
  const defined = new Set<string>();
  const named: NamedRelation[] = [];
  const open: unknown[] = [select];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== "object" || part === null) continue;
    if ("ctename" in part && typeof part.ctename === "string") defined.add(part.ctename);
    if ("relname" in part && typeof part.relname === "string") {
      const schema = "schemaname" in part && typeof part.schemaname === "string" ? part.schemaname : null;
      named.push({ schema, name: part.relname });
    }
    open.push(...Object.values(part));
  }
  return named.filter(({ schema, name }) => schema !== null || !defined.has(name));
}
