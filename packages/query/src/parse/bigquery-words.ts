import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { nameAt, namedPlaces } from "./named-parameters.ts";
import type { Token } from "./scan-tokens.ts";

/**
 * Writes what is BigQuery's alone as PostgreSQL's grammar reads it, in as many characters: names in backticks as names in double quotes, COUNT(*, …) as COUNT(1, …),
 * UNNEST([a, b]) as UNNEST((a, b)), x IN UNNEST([a, b]) as x IN (a, b), and @name as the $n of its place in `names`. Errors: query.parameter for a
 * name that is shorter than its number.
 */
export function bigQueryWords(text: string, tokens: readonly Token[], names: readonly string[]): string {
  const units = text.split("");
  const spell = (index: number): string => {
    const token = tokens[index];
    return token ? text.slice(token.start, token.end).toLowerCase() : "";
  };
  const put = (index: number, word: string): void => {
    const { start, end } = elementAt(tokens, index);
    for (let at = start; at < end; at += 1) units[at] = word.charAt(at - start) || " ";
  };
  for (const [index, { kind }] of tokens.entries()) {
    const word = spell(index);
    if (kind === "quoted" && /^`[^"\\]*`$/.test(word)) {
      const { start, end } = elementAt(tokens, index);
      put(index, `"${text.slice(start + 1, end - 1)}"`);
    }
    if (kind === "word" && word === "count" && spell(index + 1) === "(" && spell(index + 2) === "*")
      if (spell(index + 3) === ",") put(index + 2, "1");
    if (kind === "word" && word === "unnest" && spell(index + 1) === "(" && spell(index + 2) === "[") {
      const close = closing(tokens, index + 2);
      if (close === null || spell(close + 1) !== ")") continue;
      put(index + 2, "(");
      put(close, ")");
      if (spell(index - 1) !== "in") continue;
      put(index, "");
      put(index + 1, "");
      put(close + 1, "");
    }
  }
  if (names.length > 0) for (const index of namedPlaces(text, tokens)) putNumber(index);
  return units.join("");

  function putNumber(index: number): void {
    const [{ start }, { end }] = [elementAt(tokens, index), elementAt(tokens, index + 1)];
    const number = `$${names.indexOf(nameAt(text, tokens, index)) + 1}`;
    if (number.length > end - start)
      throw new LetheError(
        "query.parameter",
        "the tenth and later parameters have names of several letters",
        {
          fix: "write a longer name behind @",
          offset: start,
        },
      );
    for (let at = start; at < end; at += 1) units[at] = number.charAt(at - start) || " ";
  }
}

/** The place of the bracket that closes the one at `open`; null where none does. */
function closing(tokens: readonly Token[], open: number): number | null {
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    const { kind } = elementAt(tokens, index);
    if (kind === "open") depth += 1;
    if (kind === "close") depth -= 1;
    if (depth === 0) return index;
  }
  return null;
}
