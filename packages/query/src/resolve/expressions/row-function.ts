import { type Arity, type Operands, operandCounts, operands } from "../../expressions/arity.ts";
import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import type { Expression } from "../../expressions/expression.ts";

/** A function by a name that people call it. */
export interface RowFunction {
  readonly min: number;
  readonly max: number;
  build(args: readonly Expression[], build: ExpressionBuilder, offset?: number): Expression;
}

/** Builds a call from as many arguments as the function takes. */
export type BuildCall<A extends Arity> = (
  args: Operands<A, Expression>,
  build: ExpressionBuilder,
  offset: number | undefined,
) => Expression;

/** Returns a function of so many arguments. Whoever calls it refuses another number of them. */
export function rowFunction<A extends Arity>(arity: A, build: BuildCall<A>): RowFunction {
  const [min, max] = operandCounts[arity];
  return {
    min,
    max,
    build: (args, builder, offset) => build(operands(arity, args), builder, offset),
  };
}
