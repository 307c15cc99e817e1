/** RFC 3454, table C.1.2: spaces that are not ASCII's. */
const otherSpaces = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/gu;

/** RFC 3454, table B.1: mapped to nothing. */
const nothing = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|[\u200c\u200d]|\u2060|[\ufe00-\ufe0f]|\ufeff/gu;

/** RFC 3454, tables C.2 to C.9 and what is not assigned: controls, private use, non-characters, surrogates, marks of direction, tags. */
const prohibited = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffd\u2ff0-\u2ffb]/u;

/**
 * The form of a password that is hashed: SASLprep (RFC 4013) by the Unicode of this machine, without its rule on mixed directions. Clients of
 * PostgreSQL's wire that find that rule broken send the text as it is, which is this form where it was typed in it.
 * Two ways of typing one password give the same text, and preparing twice changes nothing.
 * @returns null for a text that holds what no password may
 * @example preparePassword("I\u00adX") // => "IX"
 */
export function preparePassword(text: string): string | null {
  const prepared = text.replace(otherSpaces, " ").replace(nothing, "").normalize("NFKC");
  return prepared.length === 0 || prohibited.test(prepared) ? null : prepared;
}
