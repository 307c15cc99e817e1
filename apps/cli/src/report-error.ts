import { LetheError } from "@lethe/core";
import { placeOf } from "@lethe/query";
import { questionOf } from "./question-text.ts";
import { printable, width } from "./render/printable.ts";

const longestSourceLine = 160;

/** Returns the text of an error for a person or a program: code, message, place, fix. It never holds a stack, data, or a terminal's escape. */
export function reportError(error: unknown): string {
  if (!(error instanceof LetheError)) {
    return "error [internal.invariant] something inside Lethe failed; nothing was released\n  fix: run again with LETHE_DEBUG=1 and report what it prints";
  }
  return [
    `error [${error.code}] ${printable(error.message)}`,
    ...place(error.offset, questionOf(error)),
    `  fix: ${printable(error.fix)}`,
  ].join("\n");
}

/** Returns line and column of an offset, and the line itself with a mark below. */
function place(offset: number | undefined, text: string | undefined): string[] {
  if (offset === undefined || text === undefined || text.trim() === "") return [];
  const { line, column } = placeOf(text, offset);
  const source = (text.split(/\r\n|\n|\r/)[line - 1] ?? "").replaceAll("\t", " ");
  const said = `  at line ${line}, column ${column}`;
  if (source.length > longestSourceLine) return [said];
  const before = [...source].slice(0, column - 1).join("");
  return [said, `    ${printable(source)}`, `    ${" ".repeat(width(printable(before)))}^`];
}
