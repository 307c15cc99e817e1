import type { SynthesisReport } from "@lethe/learn/synthesis";
import { timeInWords } from "../synthesize/expected-time.ts";
import type { SynthesisExplanation } from "../synthesize/plan-table.ts";
import { synthesisPlanOf } from "../synthesize/synthesis-file.ts";
import type { SynthesisRelease } from "../synthesize/synthesize-table.ts";
import type { SyntheticTable } from "../synthesize/synthetic-table.ts";
import { renderGrid } from "./grid.ts";
import { renderLoss } from "./loss.ts";
import { fixed } from "./number.ts";
import { renderCharge } from "./release.ts";

const digits = (x: number): string => String(Number(x.toPrecision(3)));
const counted = (columns: number): string => `${columns} ${columns === 1 ? "column" : "columns"}`;
/** So many tables are shown: those of the largest errors. */
const mostShown = 24;

export const methodWords: Readonly<Record<SynthesisExplanation["method"], string>> = {
  mst: "MST",
  aim: "AIM",
  residuals: "residuals",
  "aim-grem": "AIM+GReM",
};

/** What a synthetic table costs, how noisy its tables are and how long it takes, for a person to read before paying. */
export function renderSynthesisExplanation(explanation: SynthesisExplanation): string {
  const { price, unit, adjacency, rowsPerUnit, attributes, leftOut, stages } = explanation;
  const { modelMegabytes, time, source, method, target } = explanation;
  const rows = rowsPerUnit === "1" ? "" : `, at most ${rowsPerUnit} rows each`;
  return [
    `Price   ${renderLoss(price)} for the whole table   (nothing is charged, no row is read)`,
    `Unit    one ${unit}; ${adjacency}${rows}`,
    `Method  ${methodWords[method]}, of ${counted(attributes.length)} of ${source}${target === null ? "" : `, of which ${target} is to be predicted`}`,
    `Model   at most ${digits(modelMegabytes.cap)} MB; its single columns take ${digits(modelMegabytes.least)} MB`,
    `Time    ${timeInWords(time)}`,
    ...(leftOut.length > 0 ? [`Without ${leftOut.join(", ")}: nothing public bounds their values`] : []),
    "",
    renderGrid(
      ["step", "tables", "deviation of a count"],
      stages.map((stage) => stageRow(stage)),
      [false, true, true],
    ),
    "",
    renderGrid(
      ["column", "values"],
      attributes.map(({ name, values }) => [name, String(values)]),
      [false, true],
    ),
  ].join("\n");
}

type Stage = SynthesisExplanation["stages"][number];

function stageRow(stage: Stage): readonly string[] {
  const noise = "sigma" in stage ? `${digits(numberOf(stage.sigma))} rows` : "";
  switch (stage.kind) {
    case "measure-each":
      return ["count single columns", String(stage.tables), noise];
    case "measure-target":
      return ["count the target with each other column", String(stage.tables), noise];
    case "choose-tree":
      return ["choose pairs of columns", String(stage.choices), ""];
    case "measure-chosen":
      return ["count the chosen pairs", String(stage.tables), noise];
    case "measure-pairs":
      return ["count all pairs", String(stage.tables), noise];
    case "residual-rounds":
      return ["choose pairs and count their residuals, by rounds", `≤ ${stage.rounds}`, `${noise}, or less`];
    case "adaptive-rounds":
      return ["choose and count, by rounds", `≤ ${stage.rounds}`, `${noise}, or less`];
  }
}

function numberOf(exact: string): number {
  const [num = "", den = "1"] = exact.split("/");
  return Number(num) / Number(den);
}

/** The tables of a report, the largest error first: that of the noise, and how far the model lies from the noisy table. */
export function byError({ tables }: SynthesisReport): SynthesisReport["tables"] {
  return tables.toSorted((a, b) => b.noiseDistance + b.rowsDistance - (a.noiseDistance + a.rowsDistance));
}

/** A share with as many digits as a distance of tables deserves. */
export const share = (x: number): string => `${(100 * x).toFixed(x < 0.1 ? 2 : 1)} %`;

/** A synthetic table for a person to read: what was made, and the error of each table that was measured. */
export function renderSynthesis(
  release: SynthesisRelease,
  { report, columns, rowCount }: SyntheticTable,
  drawn: { readonly path: string; readonly rows: number } | null,
): string {
  const { source, method } = synthesisPlanOf(release);
  const sorted = byError(report);
  const hidden = sorted.length - mostShown;
  const told = drawn
    ? `${fixed(drawn.rows, 0)} rows are in ${drawn.path}`
    : "no row was written: --out FILE draws them";
  return [
    `Synthetic table of ${source} by ${methodWords[method]}: ${counted(columns.length)}, about ${fixed(rowCount, 0)} rows; ${told}`,
    "",
    renderGrid(
      ["measured table", "cells", "± of a count", "by noise", "of the rows"],
      sorted
        .slice(0, mostShown)
        .map(({ attributes, cells, deviation, noiseDistance, rowsDistance }) => [
          ...[attributes.join(" × "), fixed(cells, 0), digits(deviation)],
          ...[share(noiseDistance), share(rowsDistance)],
        ]),
      [false, true, true, true, true],
    ),
    ...(hidden > 0 ? [`${hidden} more have smaller errors: --report and --format json show all`] : []),
    "",
    "Errors are shares of rows that lie in other cells: of the noisy counts from the true ones, on average,",
    "and of the synthetic rows from the noisy counts. Nothing is claimed of tables that were not measured.",
    "",
    ...renderCharge(release.certificate),
  ].join("\n");
}
