import type { SelectStmt } from "@pgsql/types";
import { refuse } from "../../refusals/refuse.ts";
import { offsetWithin } from "../names/nodes.ts";

/** The clauses that are read: of a SELECT over an answer, of a union, and of VALUES. */
export const overClauses: ReadonlySet<string> = new Set([
  ...[
    "withClause",
    "targetList",
    "fromClause",
    "whereClause",
    "groupClause",
    "havingClause",
    "qualifyClause",
    "privacyClause",
  ],
  ...["windowClause", "distinctClause", "sortClause", "limitCount", "limitOffset", "limitOption", "op"],
]);
export const unionClauses: ReadonlySet<string> = new Set([
  ...["withClause", "op", "all", "larg", "rarg", "sortClause", "limitCount", "limitOffset", "limitOption"],
]);
export const valuesClauses: ReadonlySet<string> = new Set(["withClause", "valuesLists", "limitOption", "op"]);

/** Refuses every clause that is not read. Errors: query.unsupported. */
export function checkOver(select: SelectStmt, known: ReadonlySet<string>): void {
  const other = Object.keys(select).find((clause) => !known.has(clause));
  if (other !== undefined || select.limitOption === "LIMIT_OPTION_WITH_TIES")
    refuse(
      "query.unsupported",
      other === undefined
        ? "WITH TIES is not answered"
        : `the clause ${other} is not answered over an answer`,
      other === undefined ? "write LIMIT n" : "leave it out",
      offsetWithin(select.limitCount ?? select.targetList),
    );
}
