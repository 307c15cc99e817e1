import type { PostExpression } from "../names/resolved-query.ts";

/** The parts of an expression over released rows. */
export function postParts(expression: PostExpression): readonly PostExpression[] {
  if (expression.kind === "call") return expression.args;
  if (expression.kind !== "case") return [];
  return [...expression.branches.flatMap(({ when, then }) => [when, then]), expression.otherwise];
}

/** Nodes, as they are written out. */
export function postSize(expression: PostExpression): number {
  return postParts(expression).reduce((total, part) => total + postSize(part), 1);
}

/** The names of the aggregates that an expression reads, each once, in the order in which they are met. */
export function aggregatesOf(expression: PostExpression): readonly string[] {
  if (expression.kind === "aggregate") return [expression.aggregate];
  return [...new Set(postParts(expression).flatMap((part) => aggregatesOf(part)))];
}
