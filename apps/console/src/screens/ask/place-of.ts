import type { LetheProblem } from "@lethe/client";

/**
 * Returns the stretch of a text that a refusal is about: from its place to the end of the word there, and one character where no word is. Null where it names no place, or one beyond the text.
 * @example placeOf({ line: 1, column: 8 }, "SELECT tow FROM t") // => { from: 7, to: 10 }
 */
export function placeOf(
  { line, column }: Pick<LetheProblem, "line" | "column">,
  text: string,
): { readonly from: number; readonly to: number } | null {
  if (line === null || column === null) return null;
  const lines = text.split("\n");
  const own = lines[line - 1];
  if (own === undefined || column < 1 || column > own.length + 1) return null;
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const from = start + column - 1;
  const [word = ""] = /^(?:\w+|"[^"]*"|.)/.exec(own.slice(column - 1)) ?? [];
  // At the end of the text the last character is marked.
  return word === "" ? { from: Math.max(0, from - 1), to: from } : { from, to: from + word.length };
}
