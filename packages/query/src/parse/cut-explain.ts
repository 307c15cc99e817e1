import { LetheError } from "@lethe/core";
import { scanTokens, type Token } from "./scan-tokens.ts";

export interface CutStatement {
  /** The text with the words blanked out, so that every index still points at the same thing. */
  readonly text: string;
  /** The tokens that are left to read. */
  readonly tokens: readonly Token[];
  readonly explains: boolean;
}

/**
 * Cuts EXPLAIN PRIVACY off the front of a question: it asks for the plan and its price, not for the answer.
 * Errors: query.unsupported for any other EXPLAIN, which would show what an engine knows of the data.
 */
export function cutExplain(text: string, tokens: readonly Token[]): CutStatement {
  if (!isWord(text, tokens[0], "explain")) return { text, tokens, explains: false };
  const [explain, privacy, ...rest] = tokens;
  if (!isWord(text, privacy, "privacy"))
    throw new LetheError("query.unsupported", "EXPLAIN alone would show how a database reads the data", {
      fix: "write EXPLAIN PRIVACY SELECT …: plan, price and expected error, for free",
      offset: explain!.start,
    });
  return { text: " ".repeat(privacy!.end) + text.slice(privacy!.end), tokens: rest, explains: true };
}

/**
 * Whether a text asks for its plan alone. Reads two tokens, so that whoever answers knows it before opening anything.
 * @example asksToExplain("EXPLAIN PRIVACY SELECT COUNT(*) FROM people") // => true
 */
export function asksToExplain(text: string): boolean {
  const tokens = scanTokens(text);
  const [first, second] = [tokens.next(), tokens.next()];
  return (
    isWord(text, first.value ?? undefined, "explain") && isWord(text, second.value ?? undefined, "privacy")
  );
}

function isWord(text: string, token: Token | undefined, word: string): boolean {
  return token?.kind === "word" && text.slice(token.start, token.end).toLowerCase() === word;
}
