import { elementAt } from "@lethe/core/numeric";

export { integerText as integer } from "../integer-text.ts";

/** A DuckDB identifier. @example identifier('a"b') // => '"a""b"' */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A DuckDB string literal; a NUL, which no SQL text can hold, is spelled out. */
export function text(value: string): string {
  const parts = value.split("\0").map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? elementAt(parts, 0) : `(${parts.join(" || chr(0) || ")})`;
}

/** The shortest text that reads back as the same double; the exponent makes DuckDB read it as one, not as a decimal. */
export function double(value: number): string {
  const digits = String(Math.abs(value));
  const literal = digits.includes("e") ? digits : `${digits}e0`;
  return value < 0 ? `(-${literal})` : literal;
}

export function wide(value: bigint): string {
  return `CAST(${value < 0n ? `(${value})` : value} AS HUGEINT)`;
}
