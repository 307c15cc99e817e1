import type { ColumnRef, FuncCall, Node, RangeVar, SelectStmt, SubLink } from "@pgsql/types";
import type { Expression } from "../../expressions/expression.ts";
import { refuse } from "../../refusals/refuse.ts";
import { aggregateCall } from "../aggregates/resolve-aggregate.ts";
import { meaningOf, nodesOf } from "../names/nodes.ts";
import { fieldNames, resolveName, type Scope } from "../names/scope.ts";
import { type LateralContext, resolveLateral } from "./resolve-lateral.ts";

/** A subquery that stands for a value of the row around it: (SELECT MAX(x) FROM t WHERE t.unit = o.unit). */
interface ValueOfRow {
  readonly node: Node;
  readonly link: SubLink;
  readonly select: SelectStmt;
}

/** Whether a SELECT asks subqueries for values of its rows. */
export function asksValues(select: SelectStmt): boolean {
  return valuesAsked(select).length > 0;
}

/**
 * Adds to the rows of a scope what subqueries of the SELECT find for each of them among rows of the same unit. The scope knows the values by the subqueries. Errors: those of
 * {@link resolveLateral}; query.unsupported for a subquery that may have several rows.
 */
export function resolveValuesOfRows(select: SelectStmt, scope: Scope, context: LateralContext): Scope {
  return valuesAsked(select).reduce((of, asked, at) => {
    const meaning = meaningOf(asked.node);
    if (of.marks?.has(meaning) || !readsAround(asked.select, of)) return of;
    const { location: offset } = asked.link;
    const [target, ...others] = asked.select.targetList ?? [];
    if (!target || others.length > 0 || !hasOneRow(asked.select))
      refuse(
        "query.unsupported",
        "a subquery that stands for a value of each row may have several rows, or columns",
        "write an aggregate, (SELECT MAX(x) FROM …), or ORDER BY … LIMIT 1",
        offset,
      );
    const name = `\u0001value${at}`;
    const looked = resolveLateral(of, { select: asked.select, name, keepsAll: true, offset }, context);
    const found = looked.sources.at(-1)?.columns[0]?.expression(offset);
    const value: readonly (readonly [string, Expression])[] = found ? [[meaning, found]] : [];
    return {
      ...looked,
      sources: looked.sources.slice(0, -1),
      marks: new Map([...(of.marks ?? []), ...value]),
    };
  }, scope);
}

function hasOneRow({ targetList, limitCount }: SelectStmt): boolean {
  const isFirst = limitCount && "A_Const" in limitCount && limitCount.A_Const.ival?.ival === 1;
  return (
    isFirst ||
    [...nodesOf<FuncCall>("FuncCall", targetList)].some(
      (call) => aggregateCall({ FuncCall: call }) && !call.over,
    )
  );
}

/** Whether a subquery names a table of the rows around it, and none of its own by that name. */
function readsAround(select: SelectStmt, { sources }: Scope): boolean {
  const own = [...nodesOf<RangeVar>("RangeVar", select.fromClause)].map(
    ({ alias, relname = "" }) => alias?.aliasname ?? relname,
  );
  const outer = sources.map(({ name }) => name).filter((name) => resolveName(name, own) === null);
  return [...nodesOf<ColumnRef>("ColumnRef", select.whereClause)].some(({ fields }) => {
    const [source, ...more] = fieldNames(fields) ?? [];
    return source !== undefined && more.length > 0 && resolveName(source, outer) !== null;
  });
}

function valuesAsked({
  targetList,
  whereClause,
  groupClause,
  havingClause,
  sortClause,
}: SelectStmt): readonly ValueOfRow[] {
  return [targetList, whereClause, groupClause, havingClause, sortClause].flatMap((part) => [
    ...valuesIn(part),
  ]);
}

function* valuesIn(tree: unknown): Generator<ValueOfRow, void, undefined> {
  if (typeof tree !== "object" || tree === null) return;
  if (Array.isArray(tree)) {
    for (const part of tree) yield* valuesIn(part);
    return;
  }
  const node = tree as Node;
  if ("SelectStmt" in node) return;
  if ("SubLink" in node) {
    const { subLinkType, subselect } = node.SubLink;
    if (subLinkType === "EXPR_SUBLINK" && subselect && "SelectStmt" in subselect)
      yield { node, link: node.SubLink, select: subselect.SelectStmt };
    return;
  }
  for (const part of Object.values(tree)) yield* valuesIn(part);
}
