/** A name as SQL, whatever it holds. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteRelation(relation: readonly string[]): string {
  return relation.map(quoteName).join(".");
}

/** A text as SQL, whatever it holds: quotation marks are the only characters that Trino reads in another way. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
