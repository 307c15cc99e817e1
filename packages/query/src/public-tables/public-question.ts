import type { RangeVar, SelectStmt } from "@pgsql/types";
import type { ParsedQuestion } from "../parse/parsed-question.ts";
import type { Policy } from "../policy/policy.ts";
import { viewsOf } from "../resolve/from/tables/policy-views.ts";
import { publicTableNamed } from "../resolve/from/tables/resolve-table.ts";

/** A question that reads public tables alone: there is nothing to protect, so the database's own answer is shown. */
export interface PublicQuestion {
  readonly select: SelectStmt;
  /** The tables that it reads, by the policy's names, in the order of the alphabet. */
  readonly tables: readonly string[];
  readonly policy: Policy;
}

/**
 * Returns a question as one of public tables alone; null where it reads any table that has units, one that the policy does not know, or none. A question that states a price is
 * none either. Errors: query.unsupported for a table that lies in another schema.
 * @example publicQuestion(await parseQuestion("SELECT name FROM regions"), policy)?.tables // => ["regions"]
 */
export function publicQuestion({ select, options }: ParsedQuestion, policy: Policy): PublicQuestion | null {
  if (options.length > 0) return null;
  const views = viewsOf(policy);
  const tables = new Set<string>();
  const isPublic = (tree: unknown, seen: ReadonlySet<string>): boolean =>
    tablesRead(tree, new Set()).every((range) => {
      const view = isBare(range) ? (range.relname ?? "").toLowerCase() : "";
      const named = views.get(view);
      if (named) return !seen.has(view) && isPublic(named.select, new Set([...seen, view]));
      const table = publicTableNamed(range, policy);
      if (table) tables.add(table.name);
      return table !== null;
    });
  if (!isPublic(select, new Set()) || tables.size === 0) return null;
  return { select, tables: [...tables].sort(), policy };
}

export function isBare({ schemaname, catalogname }: RangeVar): boolean {
  return !schemaname && !catalogname;
}

/** Returns the tables that a tree names, those aside that WITH names there. */
function tablesRead(tree: unknown, named: ReadonlySet<string>): readonly RangeVar[] {
  if (typeof tree !== "object" || tree === null) return [];
  const { withClause, ...parts } = tree as { readonly withClause?: SelectStmt["withClause"] };
  const found: RangeVar[] = [];
  let known = named;
  for (const node of withClause?.ctes ?? []) {
    if (!("CommonTableExpr" in node)) continue;
    found.push(...tablesRead(node.CommonTableExpr.ctequery, known));
    known = new Set([...known, (node.CommonTableExpr.ctename ?? "").toLowerCase()]);
  }
  for (const [key, part] of Object.entries(parts)) {
    if (key !== "RangeVar") found.push(...tablesRead(part, known));
    else if (!(isBare(part as RangeVar) && known.has(((part as RangeVar).relname ?? "").toLowerCase())))
      found.push(part as RangeVar);
  }
  return found;
}
