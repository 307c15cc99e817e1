import { LetheError } from "@lethe/core";

/** The refusal of bytes that PostgreSQL's protocol does not allow at their place. The connection is closed after it. */
export function protocolError(what: string): LetheError {
  return new LetheError("serve.protocol", what, {
    fix: "speak PostgreSQL's protocol, version 3, by a client of PostgreSQL",
  });
}
