import type { PostOperator } from "../expressions/operator.ts";

/**
 * A scalar expression over one released row. With n = groupBy.length, key n + i is 1 where key i is grouped away, else 0, and key
 * 2n + i is 1 where the row stands for all groups of key i that are not released. The latter exist only with groupings whose keys
 * are data.
 */
export type PostExpression =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "key"; readonly key: number }
  | { readonly kind: "aggregate"; readonly aggregate: number }
  | { readonly kind: "call"; readonly operator: PostOperator; readonly args: readonly PostExpression[] }
  | {
      readonly kind: "case";
      readonly branches: readonly { readonly when: PostExpression; readonly then: PostExpression }[];
      readonly otherwise: PostExpression;
    };
