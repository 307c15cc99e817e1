import { LetheError } from "@lethe/core";
import type { Refused } from "./works.ts";

/** Returns a refusal as the page shows it. What is none is a fault of this program. */
export function refusedBy(error: unknown): Refused {
  if (error instanceof LetheError) {
    const { code, message, fix, fields } = error;
    const place = (number: unknown): number | null => (typeof number === "number" ? number : null);
    return { code, message, fix, line: place(fields.line), column: place(fields.column) };
  }
  return {
    code: "internal.invariant",
    message: "this page found a fault of its own, and stopped",
    fix: "load it again; report it, with the version and without data",
    line: null,
    column: null,
  };
}
