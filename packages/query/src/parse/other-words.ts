import { qualifyWords } from "./qualify.ts";
import type { Token } from "./scan-tokens.ts";

/** What may follow GROUP BY ALL. Anything else is a key, before which PostgreSQL's ALL says nothing. */
const after: ReadonlySet<string> = new Set([
  ...["", ")", ";", "having", "order", "limit", "offset", "fetch", "window", "union", "except", "intersect"],
]);

/** BigQuery writes these with brackets, PostgreSQL without. */
const withBrackets: ReadonlySet<string> = new Set(["current_date", "current_timestamp", "localtimestamp"]);

const timeUnits = /^(year|month|week|day|hour|minute|second)s?$/;

/**
 * Writes words that PostgreSQL's grammar does not know as those it does, in as many characters: TRY_CAST and SAFE_CAST as CAST, which gives NULL here
 * where others would raise; GROUP BY ALL as GROUP BY '', which no question means; QUALIFY as HAVING; INTERVAL 30 DAY as INTERVAL'30DAY'; CURRENT_DATE() without its brackets. It reads tokens, and so leaves
 * texts, comments and quoted names alone.
 * @example otherWords("SELECT sector, COUNT(*) FROM people GROUP BY ALL", tokens) // => "… GROUP BY '' "
 */
export function otherWords(text: string, tokens: readonly Token[]): string {
  const spell = (index: number): string => {
    const token = tokens[index];
    return token ? text.slice(token.start, token.end).toLowerCase() : "";
  };
  const qualifies = qualifyWords(text, tokens);
  const asWritten = (index: number): string | null => {
    const word = spell(index);
    const condition = qualifies.get(index);
    if (condition !== undefined) return condition;
    if ((word === "try_cast" || word === "safe_cast") && spell(index + 1) === "(") return "CAST";
    const isAll = word === "all" && spell(index - 1) === "by" && spell(index - 2) === "group";
    return isAll && after.has(spell(index + 1)) ? "''" : null;
  };
  let written = text;
  for (const [index, { end }] of tokens.entries()) {
    // The blanks of INTERVAL 30 DAY make room for the quotes.
    const [number, unit] = [tokens[index + 1], tokens[index + 2]];
    if (spell(index) !== "interval" || number?.kind !== "number" || unit?.kind !== "word") continue;
    if (!timeUnits.test(spell(index + 2)) || number.start === end || unit.start === number.end) continue;
    const quoted = `'${spell(index + 1)}${spell(index + 2)}'`;
    written = written.slice(0, end) + quoted.padEnd(unit.end - end) + written.slice(unit.end);
  }
  for (const [index, { end }] of tokens.entries()) {
    if (!withBrackets.has(spell(index)) || spell(index + 1) !== "(" || spell(index + 2) !== ")") continue;
    const close = tokens[index + 2]!.end;
    written = written.slice(0, end) + " ".repeat(close - end) + written.slice(close);
  }
  for (const [index, { kind, start, end }] of tokens.entries()) {
    const known = kind === "word" ? asWritten(index) : null;
    if (known !== null) written = written.slice(0, start) + known.padEnd(end - start) + written.slice(end);
  }
  return written;
}
