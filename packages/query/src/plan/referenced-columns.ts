import type { BoundQuery } from "../bind/bound-query.ts";
import type { Expression } from "../bind/expression.ts";
import { refuse } from "../bind/refuse.ts";
import type { ColumnPolicy, TablePolicy } from "../policy/policy.ts";

/** The policy of every column that a question's rows are computed from, in order of name. */
export function referencedColumns(
  question: BoundQuery,
  table: TablePolicy,
): Readonly<Record<string, ColumnPolicy>> {
  const names = new Set<string>();
  const visit = (expression: Expression): void => {
    if (expression.kind === "column") names.add(expression.name);
    for (const child of children(expression)) visit(child);
  };
  if (question.where) visit(question.where);
  question.groupBy.forEach(visit);
  for (const aggregate of question.aggregates) {
    if ("argument" in aggregate && aggregate.argument) visit(aggregate.argument);
  }
  return Object.fromEntries([...names].sort().map((name) => [name, columnOf(table, name)]));
}

/** The parts of an expression. */
export function children(expression: Expression): readonly Expression[] {
  if (expression.kind === "call") return expression.args;
  if (expression.kind !== "case") return [];
  return [...expression.branches.flatMap(({ when, then }) => [when, then]), expression.otherwise];
}

function columnOf(table: TablePolicy, name: string): ColumnPolicy {
  const column = Object.hasOwn(table.columns, name) ? table.columns[name] : undefined;
  return (
    column ??
    refuse("query.unknown-column", `no column ${name} in the policy`, "ask a column that the policy names")
  );
}
