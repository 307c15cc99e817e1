/** Writes a name in SQL. @example quoted('a"b') // => '"a""b"' */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
