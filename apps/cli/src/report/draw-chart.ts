import type { PlotOptions } from "@observablehq/plot";
import { escaped, font } from "../plot/sheet.ts";
import { printable } from "../render/printable.ts";
import type { Chart, PlotModule } from "./chart.ts";

/** Every chart as a figure of a page. Loads its tools on the first call. */
export async function drawCharts(charts: readonly Chart[]): Promise<readonly string[]> {
  if (charts.length === 0) return [];
  const [{ Window }, Plot] = await Promise.all([import("happy-dom"), import("@observablehq/plot")]);
  const window = new Window();
  try {
    return charts.map((chart) => figureOf(chart, Plot, window.document as never));
  } finally {
    await window.happyDOM.close();
  }
}

function figureOf(chart: Chart, Plot: PlotModule, document: never): string {
  const panels = chart.panels(Plot);
  const drawn = panels.map((panel, at) => drawingOf(chart, panel, `${chart.id}-${at}`, Plot, document));
  return [
    `<figure id="${chart.id}">`,
    `<h2>${text(chart.title)}</h2>`,
    `<p class="key">${chart.key.map((each) => `<span><i class="${each.mark} ${each.colour}"></i>${text(each.text)}</span>`).join(" ")}</p>`,
    `<div class="panels">${drawn.join("")}</div>`,
    `<figcaption>${text(chart.caption)}</figcaption>`,
    `<details><summary>The same as numbers</summary>${tableOf(chart.data)}</details>`,
    "</figure>",
  ].join("\n");
}

function drawingOf(chart: Chart, panel: PlotOptions, id: string, Plot: PlotModule, document: never): string {
  const style = { fontFamily: font, fontSize: "12px", background: "transparent" };
  const plot = Plot.plot({ ...panel, document, style } as PlotOptions) as unknown as {
    setAttribute(name: string, value: string): void;
    readonly outerHTML: string;
  };
  for (const [name, value] of Object.entries({
    role: "img",
    "aria-labelledby": `${id}-title ${id}-words`,
    color: "currentColor",
  }))
    plot.setAttribute(name, value);
  const words = `<title id="${id}-title">${text(chart.title)}</title><desc id="${id}-words">${text(chart.caption)}</desc>`;
  return plot.outerHTML.replace(/^<svg[^>]*>/, (opening) => opening + words);
}

function tableOf([head = [], ...rows]: Chart["data"]): string {
  const cells = (row: readonly string[], tag: string, more = ""): string =>
    `<tr>${row.map((cell) => `<${tag}${more}>${text(cell)}</${tag}>`).join("")}</tr>`;
  return `<div class="wide"><table><thead>${cells(head, "th", ' scope="col"')}</thead><tbody>${rows.map((row) => cells(row, "td")).join("")}</tbody></table></div>`;
}

/** Text of a page: nothing in it is markup, and nothing that cannot be seen. */
export function text(words: string): string {
  return escaped(printable(words).replace(/(\d) %/g, "$1\u00a0%"));
}
