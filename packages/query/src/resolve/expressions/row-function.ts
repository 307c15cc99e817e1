import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import type { Expression } from "../../expressions/expression.ts";

/** A function by a name that people call it. */
export interface RowFunction {
  readonly min: number;
  readonly max: number;
  build(args: readonly Expression[], build: ExpressionBuilder, offset?: number): Expression;
}
