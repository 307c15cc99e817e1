export { integerText as integer } from "../integer-text.ts";

/** A Trino identifier. @example identifier('a"b') // => '"a""b"' */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text literal. Trino compares texts code point by code point. What is not to be seen is spelled out. */
export function text(value: string): string {
  const quoted = value.replaceAll("'", "''");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are spelled out.
  const hidden = /[\u0000-\u001f]/g;
  if (!hidden.test(quoted)) return `'${quoted}'`;
  const spelled = quoted
    .replaceAll("\\", "\\\\")
    .replace(hidden, (character) => `\\${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `U&'${spelled}'`;
}

/** The shortest text that reads back as the same double; without the exponent it would be a decimal. */
export function double(value: number): string {
  const digits = String(Math.abs(value)).toUpperCase();
  const literal = digits.includes("E") ? digits : `${digits}E0`;
  return value < 0 ? `(-${literal})` : literal;
}

/** A decimal of 38 digits. Without the cast it has as many digits as are written, and so have the results computed from it. */
export function wide(value: bigint): string {
  return `CAST(DECIMAL '${value}' AS decimal(38, 0))`;
}
