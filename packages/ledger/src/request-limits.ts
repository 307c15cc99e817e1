import {
  invalidParameter,
  lossFromJson,
  lossToJson,
  parseRational,
  type Rational,
  toText,
} from "@lethe/core";
import { compare, zero } from "@lethe/core/numeric";
import type { ReserveRequest } from "./ledger.ts";

const maxNameLength = 200;

/** A name that can be a key everywhere: not empty, not long, no control characters, no half of a surrogate pair. */
export function requireName(value: string, what: string): string {
  const plain = typeof value === "string" && value.length > 0 && value.length <= maxNameLength;
  if (!plain || /\p{Cc}|\p{Cs}/u.test(value)) {
    throw invalidParameter(
      what,
      value,
      `a text of 1 to ${maxNameLength} characters without control characters`,
    );
  }
  return value;
}

/** A number of a budget or a loss: ≥ 0, and short enough that its text can be read back. */
export function requireAmount(value: Rational, what: string): Rational {
  if (!(compare(value, zero) >= 0)) throw invalidParameter(what, toText(value), "≥ 0");
  parseRational(toText(value), what);
  return value;
}

export function requireRequest(request: ReserveRequest): void {
  requireName(request.requestId, "the request id");
  requireName(request.principal, "the principal");
  if (!/^[0-9a-f]{64}$/.test(request.requestHash)) {
    throw invalidParameter("the request hash", request.requestHash, "a sha256 in hex");
  }
  lossFromJson(lossToJson(request.loss));
  if (request.otherwise) lossFromJson(lossToJson(request.otherwise.loss));
}

/** Milliseconds since 1970, whole. */
export function requireTime(clock: () => number): number {
  const at = Math.floor(clock());
  if (!(Number.isSafeInteger(at) && at >= 0)) {
    throw invalidParameter("the clock", at, "milliseconds since 1970");
  }
  return at;
}
