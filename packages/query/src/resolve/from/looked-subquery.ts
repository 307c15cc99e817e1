import type { Node, SelectStmt, SubLink } from "@pgsql/types";
import { conjuncts } from "../../parse/tree/conditions.ts";

/** [NOT] x [NOT] IN (SELECT …), [NOT] EXISTS (SELECT …). */
export function subqueryOf(node: Node): { readonly link: SubLink; readonly not: boolean } | null {
  if ("SubLink" in node) return isLook(node.SubLink) ? { link: node.SubLink, not: false } : null;
  if (!("BoolExpr" in node) || node.BoolExpr.boolop !== "NOT_EXPR") return null;
  const [inner] = node.BoolExpr.args ?? [];
  const found = inner ? subqueryOf(inner) : null;
  return found && { ...found, not: !found.not };
}

/** Whether a condition asks a subquery whether it has rows, and asks nothing else. */
export function asksSubquery(node: Node): boolean {
  return subqueryOf(node) !== null;
}

/** A subquery that is asked whether it has rows, somewhere within an expression. */
export interface WrittenLook {
  readonly node: Node;
  readonly link: SubLink;
  /** Whether it does not matter there whether the condition is false or NULL. */
  readonly nullIsFalse: boolean;
}

/**
 * Returns the subqueries of a SELECT that are asked whether they have rows, but for those that are a condition of WHERE by
 * themselves.
 */
export function looksWithin(select: SelectStmt): readonly WrittenLook[] {
  const rest = conjuncts(select.whereClause).filter((condition) => !asksSubquery(condition));
  const { targetList, groupClause, havingClause, sortClause, windowClause } = select;
  return [
    ...rest.flatMap((condition) => [...looksOf(condition, true)]),
    ...[targetList, groupClause, havingClause, sortClause, windowClause].flatMap((part) => [
      ...looksOf(part, false),
    ]),
  ];
}

/** Whether a SELECT asks a subquery whether it has rows. */
export function looksSomewhere(select: SelectStmt): boolean {
  return conjuncts(select.whereClause).some(asksSubquery) || looksWithin(select).length > 0;
}

function* looksOf(tree: unknown, nullIsFalse: boolean): Generator<WrittenLook, void, undefined> {
  if (typeof tree !== "object" || tree === null) return;
  if (Array.isArray(tree)) {
    for (const part of tree) yield* looksOf(part, nullIsFalse);
    return;
  }
  const node = tree as Node;
  if ("SubLink" in node) {
    if (isLook(node.SubLink)) yield { node, link: node.SubLink, nullIsFalse };
    return;
  }
  if ("SelectStmt" in node) return;
  if ("BoolExpr" in node && node.BoolExpr.boolop !== "NOT_EXPR") {
    yield* looksOf(node.BoolExpr.args, nullIsFalse);
    return;
  }
  // A filter, and the condition of a CASE, are met by what is true alone.
  for (const [name, part] of Object.entries(tree))
    yield* looksOf(part, name === "agg_filter" || (name === "expr" && "result" in tree && !("arg" in tree)));
}

/** Whether a subquery is compared with, or asked whether it has rows: other subqueries are values. */
function isLook({ subLinkType }: SubLink): boolean {
  return subLinkType !== undefined && looks.has(subLinkType);
}

const looks: ReadonlySet<SubLink["subLinkType"]> = new Set(["ANY_SUBLINK", "ALL_SUBLINK", "EXISTS_SUBLINK"]);
