import { type FlatValue, flatAnswer, type ShownAnswer } from "./flat-answer.ts";

/**
 * Writes the rows of an answer as CSV by RFC 4180, but for lines that end in \n, one line after the other: see {@link flatAnswer}. NULL is an empty
 * field, an empty text a quoted one.
 */
export function* csvLines(release: ShownAnswer): Iterable<string> {
  const { names, rows } = flatAnswer(release);
  yield names.map(csvField).join(",");
  for (const row of rows()) yield row.map(csvField).join(",");
}

/** Writes an answer as one text of CSV: see {@link csvLines}. */
export function csvOf(release: ShownAnswer): string {
  return [...csvLines(release)].join("\n");
}

/** Writes a value as a field of CSV. */
export function csvField(value: FlatValue): string {
  if (value === null) return "";
  if (value === "") return '""';
  const text = String(value);
  // A text that a spreadsheet would run as a formula is kept as text; a number written as text is no formula.
  const runs =
    typeof value === "string" && /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) && !/^-?\d+$/.test(text);
  const safe = runs ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
