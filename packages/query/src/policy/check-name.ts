// Controls, lone surrogates, line separators, and the marks that reorder text on a screen.
const marks = "\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
const forbidden = new RegExp(`[${marks}]`, "u");

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

/** What {@link isPrintable} accepts, as a pattern of JSON Schema: with Unicode's classes. */
export const printablePattern: string = `^[^${marks}]*$`;

/** What {@link isName} accepts, as a pattern of JSON Schema, but for names of few letters and many bytes. */
export const namePattern: string = `^(?!__proto__$)[^${marks}]{1,${maxNameBytes}}$`;
