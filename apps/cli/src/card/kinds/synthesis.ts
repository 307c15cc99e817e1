import { wordsOf } from "@lethe/learn";
import { fixed } from "../../render/number.ts";
import { byError, methodWords, share } from "../../render/synthesis.ts";
import type { SyntheticTablePlan } from "../../synthesize/plan-table.ts";
import type { SyntheticTable } from "../../synthesize/synthetic-table.ts";
import { counted, figure } from "../figures.ts";
import { code, paragraph, table } from "../markdown.ts";
import type { CardColumn, ProcedurePart } from "../model-part.ts";

/** So many tables are shown: those of the largest errors. */
const mostShown = 12;

/** A synthetic table: its columns, and the error of each table that was measured. */
export function synthesisPart(plan: SyntheticTablePlan, made: SyntheticTable): ProcedurePart {
  const { source, where, method, domain, session } = plan;
  const { report, rowCount } = made;
  const tables = byError(report);
  const hidden = tables.length - mostShown;
  return {
    title: `Synthetic table of ${code(source)}`,
    ...{ source, where, ...wordsOf(plan) },
    about: [
      `It has ${counted(domain.length, "column")} of ${code(source)} and rows that belong to nobody, drawn from a model that follows from noisy counts; ${methodWords[method]} chose what was counted.`,
      `About ${counted(rowCount, "row")} are drawn, a noisy count. Whoever holds the release draws the same rows, and as many more as are wanted, for nothing.`,
    ],
    columns: domain.map(columnOf),
    exactness: [
      table(
        ["measured table", "cells", "deviation of a count", "error by the noise", "error of the rows"],
        tables
          .slice(0, mostShown)
          .map(({ attributes, cells, deviation, noiseDistance, rowsDistance }) => [
            attributes.map(code).join(" × "),
            fixed(cells, 0),
            figure(deviation),
            share(noiseDistance),
            share(rowsDistance),
          ]),
      ),
      paragraph(
        `${hidden > 0 ? `${counted(hidden, "more table")} with smaller errors were measured. ` : ""}Errors are shares of rows that lie in other cells: of the noisy counts from the true ones, on average, and of the rows from the noisy counts.`,
      ),
    ],
    unmeasured: [
      "Tables that were not measured: two columns that no measured table holds together follow from the model alone, and nothing is claimed of them.",
      "How well a model that is trained on the synthetic rows does on real ones.",
    ],
    unit: { adjacency: session.adjacency, rows: Number(session.rowsPerUnit), limits: [] },
  };
}

function columnOf(attribute: SyntheticTablePlan["domain"][number]): CardColumn {
  const { name, nullable } = attribute;
  const shared = { name, use: "column", missing: nullable ? "a value of its own" : "never" } as const;
  if (attribute.kind === "categories")
    return { ...shared, values: { kind: "category", categories: attribute.categories } };
  const { edges, integer } = attribute;
  const [first = Number.NaN, last = Number.NaN] = [edges[0], edges.at(-1)];
  // Whole numbers are cut half-way between two of them.
  const bounds = integer ? ([first + 0.5, last - 0.5] as const) : ([first, last] as const);
  return { ...shared, values: { kind: "number", bounds, bins: edges.length - 1 } };
}
