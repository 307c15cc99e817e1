import { scanTokens } from "./scan-tokens.ts";

/**
 * Returns what stands from an opening bracket of a text to the one that closes it, with one blank where there are blanks or comments; the rest of the text where none closes it.
 * @example writtenBrackets("x > (SELECT 1\n  FROM t) AND y", 4) // => "(SELECT 1 FROM t)"
 */
export function writtenBrackets(text: string, start: number): string {
  const rest = text.slice(start);
  let written = "";
  let depth = 0;
  let end = 0;
  for (const token of scanTokens(rest)) {
    if (token.start > end) written += " ";
    written += rest.slice(token.start, token.end);
    end = token.end;
    if (token.kind === "open") depth += 1;
    if (token.kind === "close") depth -= 1;
    if (depth === 0) break;
  }
  return written;
}
