import { type ErrorCode, LetheError } from "@lethe/core";

/** A refusal with its place: `offset` is a UTF-16 index into the question's text, undefined where there is none. */
export function refuse(code: ErrorCode, message: string, fix: string, offset?: number): never {
  throw new LetheError(code, message, offset === undefined ? { fix } : { fix, offset });
}
