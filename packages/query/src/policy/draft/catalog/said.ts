/** A database's word inside a comment of one line: nothing in it can end the comment, hide or reorder text. */
export function said(text: string): string {
  const short = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  if (/^[\p{L}\p{N}_.]+$/u.test(short)) return short;
  return JSON.stringify(short).replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
