import type { Expression, PostExpression } from "@lethe/query";

export type ColumnLeaf = Extract<Expression, { readonly kind: "column" }>;
export type PostLeaf = Extract<
  PostExpression,
  { readonly kind: "key" | "grouped-away" | "other" | "aggregate" }
>;

/** Returns the leaves that an expression reads, from left to right: columns of rows, or keys and aggregates of released ones. */
export function leaves(expression: Expression): Iterable<ColumnLeaf>;
export function leaves(expression: PostExpression): Iterable<PostLeaf>;
export function leaves(expression: Expression | PostExpression): Iterable<ColumnLeaf | PostLeaf> {
  return leavesOf(expression);
}

function* leavesOf(expression: Expression | PostExpression): Iterable<ColumnLeaf | PostLeaf> {
  switch (expression.kind) {
    case "literal":
      return;
    case "column":
    case "key":
    case "grouped-away":
    case "other":
    case "aggregate":
      yield expression;
      return;
    case "call":
      for (const argument of expression.args) yield* leavesOf(argument);
      return;
    case "case":
      for (const { when, then } of expression.branches) {
        yield* leavesOf(when);
        yield* leavesOf(then);
      }
      yield* leavesOf(expression.otherwise);
  }
}
