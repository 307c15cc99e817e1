import { LetheError } from "@lethe/core";
import { placeOf } from "@lethe/query";

/** What a person or a program reads of an error: code, message, place, fix. Never a stack, never data. */
export function reportError(error: unknown, text?: string): string {
  if (!(error instanceof LetheError)) {
    return "error [internal.invariant] something inside Lethe failed; nothing was released\n  fix: run again with LETHE_DEBUG=1 and report what it prints";
  }
  const lines = [`error [${error.code}] ${error.message}`];
  if (error.offset !== undefined && text !== undefined) {
    const { line, column } = placeOf(text, error.offset);
    lines.push(`  at line ${line}, column ${column}`);
    const source = text.split("\n")[line - 1] ?? "";
    if (source.length <= 160) lines.push(`    ${source}`, `    ${" ".repeat(Math.max(0, column - 1))}^`);
  }
  lines.push(`  fix: ${error.fix}`);
  return lines.join("\n");
}
