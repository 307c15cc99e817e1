import { printable } from "../render/printable.ts";

/** A paragraph, or a table; texts may hold Markdown of ours, and whatever comes from elsewhere went through {@link plain} or {@link code}. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "table";
      readonly header: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

export const paragraph = (text: string): Block => ({ kind: "text", text });
export const table = (header: readonly string[], rows: readonly (readonly string[])[]): Block => ({
  kind: "table",
  header,
  rows,
});

/** Signs that mean something in Markdown, in a cell of a table, or in HTML. */
const signs = /[\\`*_{}[\]<>#|~&!]/g;

/** Returns text of somebody else's as Markdown that shows it and obeys nothing in it. @example plain("a|*b*") // => "a\\|\\*b\\*" */
export function plain(text: string): string {
  return printable(text)
    .replace(signs, "\\$&")
    .replace(/^([-+=])/, "\\$1")
    .replace(/^(\d+)([.)])/, "$1\\$2");
}

/** Returns a name or a piece of SQL as code that stands in a line or in a cell. */
export function code(text: string): string {
  const shown = printable(text);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(shown) || shown === "" ? " " : "";
  // A cell ends at a bar, also inside code, unless it is escaped.
  return `${fence}${pad}${shown.replaceAll("|", "\\|")}${pad}${fence}`;
}

/** Joins blocks to a document. */
export function markdown(blocks: readonly Block[]): string {
  return `${blocks.map(written).join("\n\n")}\n`;
}

function written(block: Block): string {
  if (block.kind === "text") return block.text;
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(block.header), line(block.header.map(() => "---")), ...block.rows.map(line)].join("\n");
}

/** A list of sentences, one a point. */
export function points(sentences: readonly string[]): Block {
  return paragraph(sentences.map((sentence) => `- ${sentence}`).join("\n"));
}
