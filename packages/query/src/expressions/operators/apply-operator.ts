import { operandsOf } from "../arity.ts";
import type { Domain } from "../domain.ts";
import type { Operator } from "../operator.ts";
import type { Scalar } from "./domains.ts";
import { operatorRules } from "./index.ts";
import type { Typed } from "./operator-rule.ts";

/**
 * Applies one operator to plain values. It is total: the result is NULL where SQL would raise. `written` are the operands as they
 * were bound; operators on times and casts to text need them. Errors: internal.invariant for another number of operands than it has.
 */
export function applyOperator<O extends Operator>(
  operator: O,
  args: readonly Scalar[],
  written?: readonly Typed[],
): Scalar {
  const { apply } = operatorRules[operator];
  const operands = operandsOf(operator, args);
  return written === undefined ? apply(operands) : apply(operands, operandsOf(operator, written));
}

/** Returns the domain of an operator's results. Errors: internal.invariant for another number of operands than it has. */
export function resultDomain<O extends Operator>(operator: O, args: readonly Domain[]): Domain {
  return operatorRules[operator].domain(operandsOf(operator, args));
}
