import { lastElement } from "@lethe/core/numeric";

/** Line and column of a UTF-16 index, both from 1; columns count characters (code points). */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, Math.max(0, Math.min(offset, text.length)));
  const lines = before.split(/\r\n|\n|\r/);
  return { line: lines.length, column: [...lastElement(lines)].length + 1 };
}
