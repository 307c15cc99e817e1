import type { SelectStmt } from "@pgsql/types";
import type { QualifiedSelect } from "../../parse/place/place-qualify.ts";
import { refuse } from "../../refusals/refuse.ts";
import { offsetOf } from "../names/nodes.ts";
import { refuseWindow } from "../names/refuse-window.ts";

/** Refuses every clause of a SELECT that has no private answer here. Fails closed: what is not read below is refused. */
export function checkClauses(select: SelectStmt): void {
  const no = (what: string, fix: string, offset?: number): never =>
    refuse("query.unsupported", what, fix, offset);
  const at = (nodes: SelectStmt["targetList"]): number | undefined =>
    nodes?.[0] ? offsetOf(nodes[0]) : undefined;
  for (const [clause, value] of Object.entries(select)) {
    switch (clause as keyof QualifiedSelect) {
      case "op":
        if (value !== "SETOP_NONE")
          no("UNION, INTERSECT and EXCEPT are not answered", "ask each part by itself");
        break;
      case "valuesLists":
        no("VALUES reads no table", "ask SELECT COUNT(*) FROM a table");
        break;
      case "intoClause":
        no("SELECT INTO is not answered: nothing is stored", "remove INTO", select.intoClause?.rel?.location);
        break;
      case "lockingClause":
        no("FOR UPDATE is not answered: nothing is locked", "remove it");
        break;
      case "windowClause":
        refuseWindow(at(select.windowClause));
        break;
      case "qualifyClause":
        no("QUALIFY without windows over groups is not answered", "write the condition into HAVING or WHERE");
        break;
      case "distinctClause":
        no("SELECT DISTINCT is not answered", "group by the columns and count", at(select.targetList));
        break;
      case "groupDistinct":
        no("GROUP BY DISTINCT is not answered", "remove DISTINCT", at(select.groupClause));
        break;
      case "limitOption":
        if (value === "LIMIT_OPTION_WITH_TIES")
          no("WITH TIES is not answered", "write LIMIT n", select.limitCount && offsetOf(select.limitCount));
        break;
      case "privacyClause":
      case "withClause":
      case "targetList":
      case "fromClause":
      case "whereClause":
      case "groupClause":
      case "havingClause":
      case "sortClause":
      case "limitOffset":
      case "limitCount":
        break;
      default:
        no(`the clause ${clause} is not answered`, "ask SELECT … FROM … WHERE … GROUP BY …");
    }
  }
}
