import { elementAt } from "@lethe/core/numeric";
import type { NumberDomain } from "../expressions/domain.ts";
import type { Call } from "./dialect.ts";

/** The domain of a call, or of one of its arguments, where the resolver let none but numbers through. */
export function numberDomain(call: Call, argument?: number): NumberDomain {
  const { domain } = argument === undefined ? call : elementAt(call.args, argument);
  if (domain.type !== "number") throw new TypeError(`${call.operator} of a ${domain.type}`);
  return domain;
}
