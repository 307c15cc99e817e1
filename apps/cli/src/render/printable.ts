/** Control, format and bidirectional characters, line separators and halves of surrogate pairs: what a terminal may obey. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * One line of text as a terminal may show it: escapes and bidi controls are written out, whoever put them into a name,
 * a question or a key.
 * @example printable("\u001b[31mred") // => "\\u{1b}[31mred"
 */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** The same for several lines: line breaks stay. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** Columns of a monospaced terminal: wide East Asian characters and emoji take two, combining marks none. */
export function width(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    columns += /[ᄀ-ᅟ⺀-꓏가-힣豈-﫿︰-﹏＀-｠￠-￦\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(character)
      ? 2
      : 1;
  }
  return columns;
}
