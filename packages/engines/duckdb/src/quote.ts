/** A DuckDB identifier. @example quoteIdentifier('a"b') // => '"a""b"' */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A dotted relation name, each part quoted. */
export function quoteRelation(parts: readonly string[]): string {
  return parts.map(quoteIdentifier).join(".");
}

/** A DuckDB string literal. @example quoteText("it's") // => "'it''s'" */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
