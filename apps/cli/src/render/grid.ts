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

/** Terminal escapes and bidi controls in a key must not reach the terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}

/** Columns of a monospaced terminal: wide East Asian characters and emoji take two, combining marks none. */
function width(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    columns += /[ᄀ-ᅟ⺀-꓏가-힣豈-﫿︰-﹏＀-｠￠-￦\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(character)
      ? 2
      : 1;
  }
  return columns;
}
