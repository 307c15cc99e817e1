import { text } from "./literals.ts";

/** A text or a name in quotes, in which a question mark is none of the statement's, or the parameter. */
const quotedOrParameter = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g;

/**
 * Returns a compiled statement for Trino with the seed of the keyed hash where its parameter stands, as a literal. In Trino each question mark is a parameter
 * of its own, and the statement names the seed as often as it needs it. The seed may stand in a statement: docs/decisions/0013.
 * @example withTrinoSeed("SELECT md5(to_utf8(?)), 'who?'", "secret") // => "SELECT md5(to_utf8('secret')), 'who?'"
 */
export function withTrinoSeed(sql: string, seed: string): string {
  return sql.replace(quotedOrParameter, (part) => (part === "?" ? text(seed) : part));
}
