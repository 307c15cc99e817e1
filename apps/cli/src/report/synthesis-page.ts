import { renderLoss } from "../render/loss.ts";
import { fixed } from "../render/number.ts";
import { byError, methodWords, share } from "../render/synthesis.ts";
import { synthesisPlanOf } from "../synthesize/synthesis-file.ts";
import type { SynthesisRelease } from "../synthesize/synthesize-table.ts";
import type { SyntheticTable } from "../synthesize/synthetic-table.ts";
import { text } from "./draw-chart.ts";
import { page, tableHtml } from "./page.ts";

/** Renders a synthetic table as one page: what was paid, the error of each table that was measured, and how its columns were cut. */
export function synthesisPage(release: SynthesisRelease, { report, rowCount }: SyntheticTable): string {
  const { source, where, method, session } = synthesisPlanOf(release);
  const { at, requestId, charge, resultHash } = release.certificate;
  const title = `Synthetic table of ${source}`;
  return page(title, [
    "<header>",
    `<h1>${text(title)}</h1>`,
    `<p class="soft">${text(`${methodWords[method]}, ${at.slice(0, 16).replace("T", " ")} UTC, request ${requestId}`)}</p>`,
    `<p class="verdict">${text(`${renderLoss(charge)} was paid, once, for all that is told here.`)}</p>`,
    `<p>${text(`About ${fixed(rowCount, 0)} rows (a noisy count)${where === null ? "" : `, of those where ${where}`}. Neighbouring data: ${session.adjacency}. Whoever has the release draws the same rows from it, for nothing.`)}</p>`,
    "</header>",
    ...section(
      "Tables that were measured",
      "Errors are shares of rows that lie in other cells: of the noisy counts from the true ones, on average; and of the synthetic rows from the noisy counts. " +
        "Nothing is claimed of tables that were not measured.",
      tableHtml(
        ["table", "cells", "± of a count, in rows", "by noise", "of the rows"],
        byError(report).map(({ attributes, cells, deviation, noiseDistance, rowsDistance }) => [
          ...[attributes.join(" × "), fixed(cells, 0), String(Number(deviation.toPrecision(3)))],
          ...[share(noiseDistance), share(rowsDistance)],
        ]),
      ),
    ),
    ...section(
      "Columns",
      "Values whose noisy counts were too small are told as one; among them rows are drawn evenly.",
      tableHtml(
        ["column", "values", "told apart"],
        report.attributes.map(({ name, values, toldApart }) => [name, fixed(values, 0), fixed(toldApart, 0)]),
      ),
    ),
    `<footer><p>${text(`The model takes ${fixed(report.modelBytes, 0)} bytes. The sha256 of the released counts is ${resultHash}.`)}</p></footer>`,
  ]);
}

function section(title: string, said: string, content: string): readonly string[] {
  return ["<section>", `<h2>${text(title)}</h2>`, `<p class="soft">${text(said)}</p>`, content, "</section>"];
}
