import { elementAt } from "@lethe/core/numeric";
import type { Expression } from "../../expressions/expression.ts";
import type { QuantileAggregate } from "./quantile-types.ts";

/** Returns the expression that a quantile was asked of: the time, where a number stands for one. */
export function askedOf({ time, argument }: Pick<QuantileAggregate, "time" | "argument">): Expression {
  return time !== undefined && argument.kind === "call" ? elementAt(argument.args, 0) : argument;
}
