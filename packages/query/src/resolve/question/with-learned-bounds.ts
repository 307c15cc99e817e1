import type { FuncCall } from "@pgsql/types";
import { scanTokens, type Token } from "../../parse/scan-tokens.ts";

const learned = ", contribution_bounds_per_row => auto";

/**
 * Returns a question whose aggregates at these calls learn their bounds, and that is otherwise the same text. Null where there are no calls, or
 * where one of them has no place in the text.
 */
export function withLearnedBounds(text: string, calls: readonly FuncCall[]): string | null {
  const tokens = [...scanTokens(text)];
  const ends = new Set(calls.map(({ location }) => argumentsEnd(tokens, location)));
  if (ends.size === 0 || ends.has(null)) return null;
  const places = [...ends].flatMap((end) => (end === null ? [] : [end])).sort((a, b) => b - a);
  return places.reduce((written, at) => `${written.slice(0, at)}${learned}${written.slice(at)}`, text);
}

/** The place of the bracket that closes the arguments of a call. */
function argumentsEnd(tokens: readonly Token[], location: number | undefined): number | null {
  const first = tokens.findIndex(({ start }) => start === location);
  if (first < 0) return null;
  let depth = 0;
  for (const { kind, start } of tokens.slice(first)) {
    if (kind === "open") depth += 1;
    if (kind === "close") depth -= 1;
    if (kind === "close" && depth === 0) return start;
    if (kind === "semicolon") return null;
  }
  return null;
}
