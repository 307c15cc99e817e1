import type { ColumnRef, Node, SelectStmt } from "@pgsql/types";
import { allOf, conjuncts } from "../../parse/tree/conditions.ts";
import { partOf } from "../names/nodes.ts";
import { releasedNode } from "../names/released-node.ts";
import { fieldNames, resolveName } from "../names/scope.ts";
import { overColumn, starOf } from "./over-scope.ts";
import type { LiftedColumn } from "./released-values.ts";
import { replaceNodes } from "./tree-parts.ts";

/** A FROM in two: rows of tables, and answers of one row that stand beside each of them, with the conditions under which they were joined. */
export interface LiftedAnswers {
  readonly rows: SelectStmt;
  readonly answers: readonly Node[];
}

/**
 * Returns a SELECT without the items of FROM that are answers, where they stand beside tables: FROM rides, average; FROM rides CROSS JOIN average; FROM rides JOIN average ON fare > average.fare.
 * The conditions of such joins stand in WHERE. Null where FROM has no answer beside tables, or joins one in another way.
 */
export function liftedAnswers(select: SelectStmt, isAnswer: (item: Node) => boolean): LiftedAnswers | null {
  const rows: Node[] = [];
  const answers: Node[] = [];
  const conditions: Node[] = [];
  const lift = (item: Node): void => {
    if (!isAnswer(item)) {
      rows.push(item);
      return;
    }
    if (!("JoinExpr" in item)) {
      answers.push(item);
      return;
    }
    const { larg, rarg, quals } = item.JoinExpr;
    lift(partOf(larg));
    lift(partOf(rarg));
    conditions.push(...conjuncts(quals));
  };
  const items = select.fromClause ?? [];
  if (!items.every((item) => !isAnswer(item) || joinsFreely(item, isAnswer))) return null;
  for (const item of items) lift(item);
  if (rows.length === 0 || answers.length === 0) return null;
  const where = [...conditions, ...conjuncts(select.whereClause)];
  return {
    rows: { ...select, fromClause: rows, ...(where.length > 0 ? { whereClause: allOf(where) } : {}) },
    answers,
  };
}

/** Whether the joins that an item holds leave each row as it is joined: inner ones, by ON or by nothing. */
function joinsFreely(item: Node, isAnswer: (item: Node) => boolean): boolean {
  if (!("JoinExpr" in item) || !isAnswer(item)) return true;
  const { jointype = "JOIN_INNER", isNatural, usingClause, alias, larg, rarg } = item.JoinExpr;
  const isPlain = jointype === "JOIN_INNER" && !isNatural && !alias && (usingClause ?? []).length === 0;
  return isPlain && [larg, rarg].every((side) => joinsFreely(partOf(side), isAnswer));
}

/** Returns a SELECT in which each SELECT inside it that `replaced` returns another for is that one: those of FROM and WITH. */
export function withInnerSelects(
  select: SelectStmt,
  replaced: (inner: SelectStmt) => SelectStmt | null,
): SelectStmt {
  const within = (tree: unknown): unknown =>
    replaceNodes(tree, (node) => {
      if ("SubLink" in node) return node;
      if (!("SelectStmt" in node)) return null;
      const other = replaced(node.SelectStmt) ?? node.SelectStmt;
      return { SelectStmt: within(other) as SelectStmt };
    });
  return within(select) as SelectStmt;
}

/**
 * Returns a SELECT in which the columns of answers that stood in its FROM are their values. A bare name is one of these where no column of the rows has it; * shows them behind the
 * columns of the rows.
 */
export function withLiftedColumns(
  select: SelectStmt,
  columns: readonly LiftedColumn[],
  isColumn: (name: string) => boolean,
): SelectStmt {
  const scope = { relation: { kind: "answer" } as const, columns };
  const named = (ref: ColumnRef): LiftedColumn | undefined => {
    const names = fieldNames(ref.fields);
    if (names?.length === 1 && isColumn(names[0] ?? "")) return undefined;
    const found = overColumn(ref, scope);
    return columns.find((column) => column === found);
  };
  const shown = (select.targetList ?? []).flatMap((target) => {
    const star = "ResTarget" in target && target.ResTarget.val ? starOf(target.ResTarget.val) : null;
    if (!star) {
      const val = "ResTarget" in target ? target.ResTarget.val : undefined;
      const column = val && "ColumnRef" in val ? named(val.ColumnRef) : undefined;
      if (!column || !("ResTarget" in target) || target.ResTarget.name) return [target];
      return [{ ResTarget: { ...target.ResTarget, name: column.name } }];
    }
    const { source } = star;
    const own = columns.filter(
      (column) => source === null || resolveName(source, [column.source ?? ""]) !== null,
    );
    const values = own.map(({ name, value }): Node => ({ ResTarget: { name, val: releasedNode(value) } }));
    return source !== null && own.length > 0 ? values : [target, ...values];
  });
  // Names within subqueries are theirs.
  const { fromClause = [], withClause, ...clauses } = select;
  const written = replaceNodes({ ...clauses, targetList: shown }, (node) => {
    if ("SubLink" in node) return node;
    const column = "ColumnRef" in node ? named(node.ColumnRef) : undefined;
    return column ? releasedNode(column.value) : null;
  }) as SelectStmt;
  return { ...written, fromClause, ...(withClause ? { withClause } : {}) };
}
