import { scanTokens } from "./scan-tokens.ts";

/**
 * Returns the place of the semicolon that ends the first statement of a text; null where none does. One within a text, a name or a comment ends nothing.
 * @example statementEnd("SELECT ';'; SELECT 2;") // => 10
 */
export function statementEnd(text: string): number | null {
  for (const { kind, start } of scanTokens(text)) if (kind === "semicolon") return start;
  return null;
}
