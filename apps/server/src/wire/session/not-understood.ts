import { LetheError } from "@lethe/core";

/** The refusal of a statement that begins as one of the connection's own and does not go on so. */
export function notUnderstood(): LetheError {
  return new LetheError("query.syntax", "the statement is not understood", {
    fix: "ask one SELECT, or see what this wire takes in docs/how-to/connect-with-psql.md",
  });
}

/** Returns a part that must be there. Errors: query.syntax. */
export function demand<T>(part: T | null | undefined): T {
  if (part === null || part === undefined) throw notUnderstood();
  return part;
}
