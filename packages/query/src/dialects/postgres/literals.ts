import { LetheError } from "@lethe/core";

export { integerText as integer } from "../integer-text.ts";

const longestName = 63;

/**
 * A PostgreSQL identifier. Longer names PostgreSQL would cut by itself; a cut one starts with a control character, which
 * no name of a policy holds, so that it is nobody else's.
 * @example identifier('a"b') // => '"a""b"'
 */
export function identifier(name: string): string {
  const kept =
    new TextEncoder().encode(name).length <= longestName ? name : `\u0001${[...name].slice(0, 15).join("")}`;
  return `"${kept.replaceAll('"', '""')}"`;
}

/**
 * A text literal that compares byte by byte, whatever the database's collation. Assumes standard_conforming_strings,
 * which the engine sets. Errors: query.unsupported for a NUL, which no text of PostgreSQL can hold.
 */
export function text(value: string): string {
  if (value.includes("\0")) {
    throw new LetheError("query.unsupported", "PostgreSQL has no text with the character U+0000", {
      fix: "leave the character out: no value of the table holds it",
    });
  }
  return `('${value.replaceAll("'", "''")}' COLLATE "C")`;
}

/** The shortest text that reads back as the same double. */
export function double(value: number): string {
  return `float8 '${Object.is(value, -0) ? "-0" : value}'`;
}

export function wide(value: bigint): string {
  return `numeric '${value}'`;
}
