import type { Node, RangeVar, SelectStmt } from "@pgsql/types";
import { didYouMean } from "../policy/did-you-mean.ts";
import type { Policy } from "../policy/policy.ts";
import { expressionBuilder } from "./build-expression.ts";
import { offsetOf } from "./nodes.ts";
import { refuse } from "./refuse.ts";
import { resolveName, type Scope } from "./scope.ts";
import { writeName } from "./write-sql.ts";

const sources: Readonly<Record<string, string>> = {
  JoinExpr: "a join",
  RangeSubselect: "a subquery in FROM",
  RangeFunction: "a function in FROM",
  RangeTableSample: "TABLESAMPLE",
  RangeTableFunc: "XMLTABLE",
  JsonTable: "JSON_TABLE",
};

/** The scope of a policy table under a name. */
export function tableScope(tableName: string, qualifier: string, policy: Policy): Scope {
  return { tableName, qualifier, table: policy.tables[tableName]!, build: expressionBuilder() };
}

function checkForm(range: RangeVar): void {
  const { location } = range;
  const bare = `write FROM ${writeName(range.relname ?? "")}`;
  if (range.schemaname || range.catalogname)
    refuse("query.unsupported", "tables are named as in the policy, without a schema", bare, location);
  if (!range.inh) refuse("query.unsupported", "ONLY is not known", bare, location);
  if (range.alias?.colnames)
    refuse("query.unsupported", "columns keep the names of the policy", bare, location);
}

/** FROM: one table of the policy, perhaps under an alias. Errors: query.unsupported, query.unknown-table. */
export function bindTable(select: SelectStmt, policy: Policy): Scope {
  const known = Object.keys(policy.tables);
  const from: readonly Node[] = select.fromClause ?? [];
  const [first, second] = from;
  if (!first)
    refuse(
      "query.unsupported",
      "the question names no table",
      `ask FROM one of: ${known.slice(0, 12).join(", ")}`,
    );
  if (second)
    refuse("query.unsupported", "several tables are not joined", "ask one table at a time", offsetOf(second));
  if (!("RangeVar" in first))
    refuse(
      "query.unsupported",
      `${sources[Object.keys(first)[0]!] ?? "this form of FROM"} is not answered`,
      "ask one table of the policy",
      offsetOf(first),
    );
  const range = first.RangeVar;
  checkForm(range);
  const table = resolveName(range.relname ?? "", known);
  if (table === null)
    refuse(
      "query.unknown-table",
      `no table ${JSON.stringify(range.relname)} in the policy`,
      didYouMean(range.relname ?? "", known),
      range.location,
    );
  return tableScope(table, range.alias?.aliasname ?? table, policy);
}
