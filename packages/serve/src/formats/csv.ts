import {
  type Estimate,
  holdsEstimates,
  isEstimate,
  isGroupedAway,
  isOther,
  isTimeEstimate,
  type Release,
  type ReleasedCell,
  type TimeEstimate,
} from "@lethe/gateway";
import { keyText } from "./key-text.ts";

/** The rows of an answer that is shown. */
export type ShownAnswer = Pick<Release, "columns" | "rows" | "groupings" | "certificate">;

/**
 * Writes the rows of an answer as CSV by RFC 4180, but for lines that end in \n: a column a key, three an estimate (value, lower, upper). NULL is an empty
 * field, an empty text a quoted one; (other) stands for all groups that are not released, (all) for a key that is grouped away, and a text that reads
 * so has quotes within.
 */
export function csvOf(release: ShownAnswer): string {
  const { columns, rows } = release;
  const header = columns.flatMap((column) => {
    const { name } = column;
    return holdsEstimates(column) ? [name, `${name}_lower`, `${name}_upper`] : [name];
  });
  const body = rows.map((row, at) =>
    row.flatMap((cell, column) =>
      isEstimate(cell) || isTimeEstimate(cell)
        ? [cell.value, cell.lower, cell.upper]
        : [csvKey(cell, isGroupedAway(release, at, column))],
    ),
  );
  return [header, ...body].map((line) => line.map(csvField).join(",")).join("\n");
}

/** A label computed from the answer may read like a mark, too, and then has the quotes as well. */
function csvKey(
  cell: Exclude<ReleasedCell, Estimate | TimeEstimate>,
  isAway: boolean,
): string | number | boolean | null {
  if (isOther(cell) || isAway) return keyText(cell, isAway);
  return cell === "(other)" || cell === "(all)" ? keyText(cell) : cell;
}

/** Writes a value as a field of CSV. */
export function csvField(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (value === "") return '""';
  const text = String(value);
  // A text that a spreadsheet would run as a formula is kept as text; a number written as text is no formula.
  const runs =
    typeof value === "string" && /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) && !/^-?\d+$/.test(text);
  const safe = runs ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
