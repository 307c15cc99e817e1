import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { byName, familyOf, type Plan } from "@lethe/query";
import type { Answer, Measured } from "./answer.ts";
import type { Block, Layout, StatisticsQuestion } from "./layout.ts";
import { cellsOf } from "./layout-of.ts";
import { type NoiseShape, noiseShape } from "./noise-shape.ts";
import { valueName } from "./question-text.ts";
import { demandSameRows } from "./same-rows.ts";

/**
 * Reads the noisy sums of one question, in the order of its cells. Groups that the layout does not name (a key that is NULL) hold no row of the
 * model, and are left out. Errors: release.invalid where the answer is not one to this question; model.invalid of {@link demandSameRows}.
 */
export function readAnswer(
  question: StatisticsQuestion,
  { blocks }: Layout,
  { columns, rows, certificate: { plan } }: Answer,
): readonly Measured[] {
  demandSameRows(plan);
  const names = [
    ...question.keys.map((block) => elementAt(blocks, block).name),
    ...question.values.map(valueName),
  ];
  if (names.join("\n") !== columns.map(({ name }) => name).join("\n"))
    throw another("its columns are others");
  const noises = question.values.map((_, place) => noiseOfColumn(plan, question.keys.length + place));
  const byKey = new Map(rows.map((row) => [rowKey(row.slice(0, question.keys.length)), row]));
  return cellsOf(question.keys, blocks).flatMap((places) => {
    const cells = places.map((category, at) => ({ block: elementAt(question.keys, at), category }));
    const row = byKey.get(rowKey(cells.map(({ block, category }) => categoryAt(blocks, block, category))));
    if (!row) throw another("a group is missing");
    return question.values.map((factors, place) => ({
      statistic: { cells, factors },
      value: estimateOf(row[question.keys.length + place]),
      noise: elementAt(noises, place),
    }));
  });
}

function noiseOfColumn({ outputs, aggregates, measurements, joint }: Plan, column: number): NoiseShape {
  // What is made of the sums takes their noises for independent, as those of a workload are.
  if (joint) throw another("its counts and sums are read from measurements that they share");
  const output = outputs[column];
  if (output?.kind !== "aggregate") throw another("a column is no aggregate");
  const aggregate = byName(aggregates, output.aggregate);
  const total = familyOf(aggregate).total(aggregate);
  if (!total) throw another("a column is no count and no sum");
  return noiseShape(byName(measurements, total.measurement).noise, total.step);
}

/** Released integers may be numbers or texts, so keys are compared as texts; NULL is none of them. */
function rowKey(cells: readonly unknown[]): string {
  return JSON.stringify(cells.map((cell) => (cell === null ? null : String(cell))));
}

function categoryAt(blocks: readonly Block[], block: number, category: number): string {
  return String(elementAt(blocks, block).categories[category]);
}

function estimateOf(cell: unknown): number {
  const value = typeof cell === "object" && cell !== null && "value" in cell ? cell.value : null;
  if (typeof value !== "number" || !Number.isFinite(value)) throw another("a cell is no number");
  return value;
}

function another(what: string): LetheError {
  return new LetheError("release.invalid", `this is no answer to a question of the model: ${what}`, {
    fix: "give the answers in the order of the layout's questions, as they were released",
  });
}
