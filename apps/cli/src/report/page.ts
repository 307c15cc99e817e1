import { text } from "./draw-chart.ts";
import { pageStyle } from "./page-style.ts";

/** A whole page of HTML: no script, no other file, nothing fetched. `body` is HTML; `title` is text. */
export function page(title: string, body: readonly string[]): string {
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${text(title)}</title>`,
    `<style>${pageStyle}</style>`,
    "</head>",
    "<body>",
    "<main>",
    ...body,
    "</main>",
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** A table of HTML whose cells are text. */
export function tableHtml(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${text(cell)}</${tag === "td" ? "td" : "th"}>`).join("")}</tr>`;
  return [
    '<div class="wide"><table>',
    `<thead>${cells('th scope="col"', heads)}</thead>`,
    `<tbody>${rows.map((row) => cells("td", row)).join("\n")}</tbody>`,
    "</table></div>",
  ].join("\n");
}
