import { LetheError } from "@lethe/core";
import type { Token } from "./scan-tokens.ts";

/** What a question's own SELECT is made of, as far as it was read. */
interface Level {
  having: number | null;
  hasOr: boolean;
  qualify: { readonly offset: number; readonly behind: boolean } | null;
  hasOrBehind: boolean;
}

const ends: ReadonlySet<string> = new Set([
  "order",
  "limit",
  "offset",
  "fetch",
  "window",
  "union",
  "except",
  "intersect",
]);
/** Behind these a word is a name or a part of an expression, and no clause. */
const noClauseBehind: ReadonlySet<string> = new Set([
  ...[
    "",
    "select",
    "distinct",
    "by",
    "and",
    "or",
    "not",
    "where",
    "having",
    "on",
    "as",
    "when",
    "then",
    "else",
  ],
  ...[",", ".", "(", "+", "-", "*", "/", "<", ">", "=", "<>", "<=", ">=", "from", "join", "with"],
]);
const noClauseBefore: ReadonlySet<string> = new Set(["", ",", ".", ")", "=", "<", ">", "from", "as"]);

/** Returns the places of QUALIFY in a text. Errors: those of qualifyWords. */
export function qualifies(text: string, tokens: readonly Token[]): readonly number[] {
  return [...qualifyWords(text, tokens).keys()].flatMap((index) => {
    const token = tokens[index];
    return token ? [token.start] : [];
  });
}

/**
 * Finds QUALIFY, which PostgreSQL's grammar does not know: a condition on windows, behind HAVING. Returns the words by which it is read as HAVING, or as a further condition of
 * HAVING, as long as it is itself. Errors: query.unsupported where OR beside it would be read with the other condition.
 */
export function qualifyWords(text: string, tokens: readonly Token[]): ReadonlyMap<number, string> {
  const spell = (index: number): string => {
    const token = tokens[index];
    return token ? text.slice(token.start, token.end).toLowerCase() : "";
  };
  const words = new Map<number, string>();
  const fresh = (): Level => ({ having: null, hasOr: false, qualify: null, hasOrBehind: false });
  const levels: Level[] = [fresh()];
  const close = ({ hasOr, hasOrBehind, qualify }: Level): void => {
    if (qualify?.behind && (hasOr || hasOrBehind))
      throw new LetheError("query.unsupported", "HAVING and QUALIFY stand beside an OR", {
        fix: "put each condition with OR into brackets: HAVING (a OR b) QUALIFY (c OR d)",
        offset: qualify.offset,
      });
  };
  for (const [index, { kind, start }] of tokens.entries()) {
    const word = spell(index);
    const level = levels.at(-1);
    if (!level) continue;
    if (word === "(") levels.push(fresh());
    else if (word === ")") {
      close(level);
      if (levels.length > 1) levels.pop();
    } else if (kind !== "word") continue;
    else if (word === "select" || ends.has(word)) {
      close(level);
      levels[levels.length - 1] = fresh();
    } else if (word === "having") level.having = index;
    else if (word === "or") {
      if (level.qualify) level.hasOrBehind = true;
      else if (level.having !== null) level.hasOr = true;
    } else if (
      word === "qualify" &&
      !noClauseBehind.has(spell(index - 1)) &&
      !noClauseBefore.has(spell(index + 1))
    ) {
      const behind = level.having !== null;
      level.qualify = { offset: start, behind };
      words.set(index, behind ? "AND" : "HAVING");
    }
  }
  for (const level of levels) close(level);
  return words;
}
