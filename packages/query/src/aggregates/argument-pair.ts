import type { Expression } from "../expressions/expression.ts";

/** The two arguments of a covariance or a regression, each NULL where either is. */
export interface ArgumentPair {
  readonly first: Expression;
  readonly second: Expression;
  /** One of them: whose rows are counted, so that they are counted once for all that is computed of the pair. */
  readonly present: Expression;
  /** Both as the question has them. */
  readonly written: readonly [string, string];
}
