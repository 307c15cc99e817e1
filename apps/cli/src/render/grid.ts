import { printable, width } from "./printable.ts";

/** Plain text columns: a header, a rule, rows. Right-aligned where asked; control characters of keys made visible. */
export function renderGrid(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly boolean[],
): string {
  const cells = [header, ...rows].map((row) => row.map(printable));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => width(row[column] ?? ""))));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const padding = " ".repeat((widths[column] ?? 0) - width(cell));
        return right[column] ? padding + cell : cell + padding;
      })
      .join("  ")
      .trimEnd();
  const [head = [], ...body] = cells;
  return [line(head), widths.map((w) => "─".repeat(w)).join("  "), ...body.map(line)].join("\n");
}
