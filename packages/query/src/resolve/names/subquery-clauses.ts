import type { SelectStmt } from "@pgsql/types";
import { refuse } from "../../refusals/refuse.ts";

/** The clauses of a subquery in FROM: rows shown, filtered and joined, as they are. */
const subqueryClauses: ReadonlySet<string> = new Set([
  "withClause",
  "targetList",
  "fromClause",
  "whereClause",
  "op",
  "limitOption",
]);

/** The further clauses that a subquery may have where it is grouped by the unit. */
export const groupingClauses: readonly string[] = ["groupClause", "havingClause", "distinctClause"];

/** Refuses every clause of a subquery but those above and those of `also`. Errors: query.unsupported. */
export function checkSubquery(
  select: SelectStmt,
  offset: number | undefined,
  also: readonly string[] = [],
): void {
  if (select.op !== undefined && select.op !== "SETOP_NONE")
    refuse(
      "query.unsupported",
      "UNION, INTERSECT and EXCEPT are not answered in conditions",
      "write one condition for each part",
      offset,
    );
  for (const clause of Object.keys(select))
    if (!subqueryClauses.has(clause) && !also.includes(clause)) refuseClause(clause, offset);
}

export function refuseClause(clause: string, offset: number | undefined): never {
  if (clause === "privacyClause")
    refuse(
      "query.unsupported",
      "WITH DIFFERENTIAL_PRIVACY stands behind a SELECT whose rows are not released",
      "write it behind the SELECT that aggregates private tables",
      offset,
    );
  if (clause === "groupClause" || clause === "havingClause") refuseAggregates(offset);
  return refuse(
    "query.unsupported",
    "a subquery in FROM shows, filters and joins rows, or aggregates those of each unit, and nothing else",
    "write (SELECT … FROM … WHERE …), and group, order and limit outside",
    offset,
  );
}

export function refuseAggregates(offset: number | undefined): never {
  return refuse(
    "query.unsupported",
    "a subquery that aggregates is not answered",
    "aggregate in the question itself",
    offset,
  );
}
