import type { Node } from "@pgsql/types";
import type { Expression } from "../../expressions/expression.ts";
import { booleanDomain } from "../../expressions/operators/domains.ts";
import type { MarkedRelation, SemijoinRelation } from "../../relations/relation.ts";
import { meaningOf, offsetOf } from "../names/nodes.ts";
import type { Scope } from "../names/scope.ts";
import { subqueryOf, type WrittenLook } from "./looked-subquery.ts";
import { type InnerQuery, type Looked, resolveLooked } from "./resolve-looked.ts";

/** The column of a mark. */
const mark = "found";

/**
 * Keeps the rows of a scope for which a subquery holds a row, or holds none: a public subquery, or one over rows of the same unit.
 * `source` names what is made. Errors: query.unsupported for rows that may belong to other units, for other forms, and for NOT IN
 * where NULL could decide.
 */
export function resolveSemijoin(
  node: Node,
  outer: Scope,
  resolveInner: InnerQuery,
  source: () => string,
): Scope {
  const { link, not } = subqueryOf(node)!;
  const offset = offsetOf(node) ?? link.location;
  const looked = resolveLooked(link, outer, resolveInner, { not, nullIsFalse: !not }, offset);
  if (looked.isOwned) return markedBy(outer, looked, source(), not, offset);
  const on = allOf(looked, outer, offset) ?? outer.build.literal(true);
  const relation: SemijoinRelation = { kind: "semijoin", of: outer.from, among: looked.inner.from, on, not };
  return { ...outer, from: relation };
}

/**
 * Marks the rows of a scope by whether a subquery holds a row, wherever it is asked within an expression. Errors: as
 * {@link resolveSemijoin}.
 */
export function resolveMark(
  { node, link, nullIsFalse }: WrittenLook,
  outer: Scope,
  resolveInner: InnerQuery,
  source: () => string,
): Scope {
  const meaning = meaningOf(node);
  const marks = outer.marks ?? new Map<string, Expression>();
  if (marks.has(meaning)) return outer;
  const offset = offsetOf(node) ?? link.location;
  const looked = resolveLooked(link, outer, resolveInner, { not: true, nullIsFalse }, offset);
  const { from, found } = marked(outer, looked, source(), offset);
  return { ...outer, from, marks: new Map([...marks, [meaning, found]]) };
}

/** Keeps the rows of a scope that find a row, or find none, among those of the same unit. */
export function markedBy(
  outer: Scope,
  looked: Looked,
  source: string,
  not: boolean,
  offset: number | undefined,
): Scope {
  const { from, found } = marked(outer, looked, source, offset);
  const where = not ? outer.build.call("not", [found], offset) : found;
  return { ...outer, from: { kind: "filter", of: from, where } };
}

function marked(
  outer: Scope,
  looked: Looked,
  source: string,
  offset: number | undefined,
): { readonly from: MarkedRelation; readonly found: Expression } {
  const from: MarkedRelation = {
    kind: "marked",
    source,
    columns: { [mark]: { type: "boolean", nullable: false, default: null } },
    of: outer.from,
    among: looked.inner.from,
    keys: looked.keys,
    on: allOf(looked, outer, offset),
  };
  return { from, found: { kind: "column", source, name: mark, domain: booleanDomain(false) } };
}

function allOf({ conditions }: Looked, { build }: Scope, offset: number | undefined): Expression | null {
  return conditions.length > 1 ? build.call("and", conditions, offset) : (conditions[0] ?? null);
}
