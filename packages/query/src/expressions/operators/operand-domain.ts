import { LetheError } from "@lethe/core";
import { type Domain, isTime, type NumberDomain, type TextDomain, type TimeDomain } from "../domain.ts";

/*
 * Domains of operands whose type the builder has seen to. Errors: internal.invariant for another type.
 */

export function numberOperand(domain: Domain): NumberDomain {
  return domain.type === "number" ? domain : mistaken("a number", domain);
}

export function textOperand(domain: Domain): TextDomain {
  return domain.type === "text" ? domain : mistaken("a text", domain);
}

export function timeOperand(domain: Domain): TimeDomain {
  return isTime(domain) ? domain : mistaken("a time", domain);
}

/** Returns the number that an operand is on every row; the resolver writes it out. */
export function constantOperand(domain: Domain): number {
  const { bounds } = numberOperand(domain);
  return bounds ? bounds[0] : mistaken("a constant", domain);
}

function mistaken(due: string, { type }: Domain): never {
  throw new LetheError("internal.invariant", `an operand of type ${type} stands where ${due} is due`, {
    fix: "report this: Lethe built an expression with an operand of a wrong type",
  });
}
