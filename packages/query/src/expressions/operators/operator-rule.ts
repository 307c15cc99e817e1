import type { Arity, ArityOf, Operands } from "../arity.ts";
import type { Domain } from "../domain.ts";
import type { Operator } from "../operator.ts";
import type { Scalar } from "./domains.ts";

/**
 * One operator of the allow-list: what it takes, what it means on one row, and the domain of its result. A dialect's
 * rendering must agree with `apply` on every row; `domain` must contain every value of `apply`. Without an arity, a rule of any
 * number of operands.
 */
export interface OperatorRule<A extends Arity = Arity> {
  /**
   * "same": all arguments of one type. "ordered": the same, numbers or times. "time": the first is a date or a timestamp.
   * "any": no demand.
   */
  readonly takes: "number" | "text" | "boolean" | "date" | "same" | "ordered" | "time" | "any";
  /** "same": the type of the arguments. */
  readonly gives: Domain["type"] | "same";
  /**
   * Every engine computes the very same value (IEEE + − × ÷ √, integers, ASCII letters): finite domains are mapped value
   * by value, and stay public keys. "unary": with one argument alone.
   */
  readonly exact: boolean | "unary";
  /**
   * Total: where SQL would raise, and for every non-finite result, NULL. `written` are the arguments as they were bound, for
   * rules that depend on a type which a value does not tell.
   */
  readonly apply: (args: Operands<A, Scalar>, written?: Operands<A, Typed>) => Scalar;
  readonly domain: (args: Operands<A, Domain>) => Domain;
}

export interface Typed {
  readonly domain: Domain;
}

/** The rules of some operators, each of so many operands as the operator has. */
export type Rules<Some extends Operator> = { readonly [O in Some]: OperatorRule<ArityOf<O>> };
