import type { PostOperator } from "../expressions/operator.ts";

/**
 * A scalar expression over one released row, which speaks of its keys and aggregates by their names. `grouped-away` and `other` are 1
 * or 0: 1 where the row's grouping is not by that key, and where the row stands for all groups of that key that are not released. They
 * exist only where several groupings are asked at once.
 */
export type PostExpression =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "key" | "grouped-away" | "other"; readonly key: string }
  | { readonly kind: "aggregate"; readonly aggregate: string }
  | { readonly kind: "call"; readonly operator: PostOperator; readonly args: readonly PostExpression[] }
  | {
      readonly kind: "case";
      readonly branches: readonly { readonly when: PostExpression; readonly then: PostExpression }[];
      readonly otherwise: PostExpression;
    };
