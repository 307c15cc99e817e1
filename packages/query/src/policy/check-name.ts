// Controls, lone surrogates, line separators, and the marks that reorder text on a screen.
const forbidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** The rule for the names of tables, columns, analysts and aliases. */
export const nameRule: string =
  "1 to 63 bytes of UTF-8 without control or text-direction characters, and not __proto__";

export const maxNameBytes: number = 63;

/** Whether text holds no control character, lone surrogate or mark that would reorder it on a screen. */
export function isPrintable(text: string): boolean {
  return !forbidden.test(text);
}

export function isName(text: string): boolean {
  return (
    text.length > 0 &&
    text.length <= maxNameBytes &&
    isPrintable(text) &&
    text !== "__proto__" &&
    new TextEncoder().encode(text).length <= maxNameBytes
  );
}
