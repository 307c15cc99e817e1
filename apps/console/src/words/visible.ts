/** The characters that a page would not show, or by which it would show others in another order: controls but line feeds and tabs, lone surrogates, separators, and the marks of writing directions. */
export const hidden: RegExp = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Writes a text of somebody else so that nothing in it is hidden: what a page would not show stands as its code.
 * @example visible("a\u202eb") // => "a‹202e›b"
 */
export function visible(text: string): string {
  return text.replace(hidden, (mark) => markOf(mark.codePointAt(0) ?? 0));
}

/** Writes the code of a character that would not be seen. */
export function markOf(code: number): string {
  return `‹${code.toString(16)}›`;
}
