import { operandsOf } from "../expressions/arity.ts";
import type { Operator } from "../expressions/operator.ts";
import type { Call, OperatorTexts } from "./dialect.ts";

/**
 * Writes a call as a dialect writes its operator; `operands` are the SQL of its arguments. Errors: internal.invariant for another
 * number of them than the operator has.
 */
export function writeCall(texts: OperatorTexts, call: Call, operands: readonly string[]): string {
  return write(texts, call.operator, call, operands);
}

function write<O extends Operator>(
  texts: OperatorTexts,
  operator: O,
  call: Call,
  operands: readonly string[],
): string {
  const counted = { ...call, args: operandsOf(operator, call.args) };
  return texts[operator](operandsOf(operator, operands), counted);
}
