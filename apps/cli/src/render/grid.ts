import { terminalWidth } from "./layout/terminal-width.ts";
import { wrap } from "./layout/wrap.ts";
import { printable, width } from "./printable.ts";

const gap = 2;
/** The least width that a column of text is narrowed to. */
const narrowest = 10;

/**
 * Writes plain text columns: a header, a rule, rows. Right-aligned where asked; control characters of keys made visible. Where the table is wider than the
 * terminal, the cells of its widest columns of text are wrapped; where this does not suffice, each row is written as lines of a name and a value.
 */
export function renderGrid(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly boolean[],
  columns: number = terminalWidth(),
): string {
  const cells = [header, ...rows].map((row) => row.map(printable));
  const natural = header.map((_, column) => Math.max(...cells.map((row) => width(row[column] ?? ""))));
  const widths = fitted(natural, right, columns - gap * (header.length - 1));
  if (widths === null) return renderRecords(cells, columns);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const padding = " ".repeat(Math.max(0, (widths[column] ?? 0) - width(cell)));
        return right[column] ? padding + cell : cell + padding;
      })
      .join(" ".repeat(gap))
      .trimEnd();
  const lines = (row: readonly string[]): readonly string[] => {
    const wrapped = row.map((cell, column) => wrap(cell, widths[column] ?? width(cell)));
    const height = Math.max(1, ...wrapped.map((each) => each.length));
    return Array.from({ length: height }, (_, at) => line(wrapped.map((each) => each[at] ?? "")));
  };
  const [head = [], ...body] = cells;
  const rule = widths.map((w) => "─".repeat(w)).join(" ".repeat(gap));
  return [...lines(head), rule, ...body.flatMap(lines)].join("\n");
}

/** The widths of columns that fit together, the widest columns of text narrowed; null where there are none. */
function fitted(
  natural: readonly number[],
  right: readonly boolean[],
  columns: number,
): readonly number[] | null {
  const total = (widths: readonly number[]): number => widths.reduce((sum, each) => sum + each, 0);
  const capped = (cap: number): number[] =>
    natural.map((each, at) => (right[at] ? each : Math.min(each, cap)));
  if (total(natural) <= columns) return natural;
  let cap = Math.max(...natural);
  while (cap > narrowest && total(capped(cap)) > columns) cap -= 1;
  const widths = capped(cap);
  return total(widths) <= columns ? widths : null;
}

/** Writes each row as lines of a name and a value. */
function renderRecords([header = [], ...rows]: readonly (readonly string[])[], columns: number): string {
  const indent = Math.max(...header.map(width));
  const room = Math.max(narrowest, columns - indent - gap);
  return rows
    .map((row) =>
      header
        .flatMap((name, column) =>
          wrap(row[column] ?? "", room).map((part, at) => {
            const label = at === 0 ? name + " ".repeat(indent - width(name)) : " ".repeat(indent);
            return `${label}${" ".repeat(gap)}${part}`.trimEnd();
          }),
        )
        .join("\n"),
    )
    .join(`\n${"─".repeat(Math.min(columns, indent + gap + narrowest))}\n`);
}
