import { LetheError } from "@lethe/core";
import { placeOf } from "@lethe/query";
import { renderJson } from "@lethe/serve/formats";
import { questionOf } from "../question-text.ts";
import { exitCode } from "./exit-code.ts";

/** Whether a command line asks for JSON: its errors are JSON, too. */
export function asksJson(words: readonly string[]): boolean {
  return words.some(
    (word, at) =>
      word === "--json" || word === "--format=json" || (word === "--format" && words[at + 1] === "json"),
  );
}

/** Writes an error as JSON, for programs: `lethe schema error` is its form. It holds what the text holds, and never data. */
export function errorJson(error: unknown): string {
  const told =
    error instanceof LetheError
      ? { code: error.code, message: error.message, fix: error.fix, ...placeIn(error), fields: error.fields }
      : {
          code: "internal.invariant",
          message: "something inside Lethe failed; nothing was released",
          fix: "run again with LETHE_DEBUG=1 and report what it prints",
          fields: {},
        };
  return renderJson({ error: { ...told, exit: exitCode(error) } });
}

function placeIn(error: LetheError): { readonly line?: number; readonly column?: number } {
  const text = questionOf(error);
  if (error.offset === undefined || text === undefined) return {};
  const { line, column } = placeOf(text, error.offset);
  return { line, column };
}
