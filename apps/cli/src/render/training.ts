import type { Explanation } from "@lethe/query";
import type { TrainingExplanation } from "../train/train.ts";
import { renderGrid } from "./grid.ts";
import { renderLoss } from "./loss.ts";
import { confidencePercent } from "./number.ts";

/** What a training costs, and how noisy each of its sums is, for a person to read before paying. */
export function renderTraining({ price, confidence, questions }: TrainingExplanation): string {
  const sums = questions.reduce((total, { measurements }) => total + measurements.length, 0);
  return [
    `Price   ${renderLoss(price)} for all ${questions.length} questions together   (nothing is charged, no row is read)`,
    `Unit    ${questions[0]?.unit}; ${questions[0]?.adjacency}`,
    `Sums    ${sums} a group, of numbers scaled to [−1, 1]; below, half of the ${confidencePercent(confidence)} interval of each sum's noise`,
    "",
    renderGrid(
      ["grouped by", "sums", "± of the least noisy", "± of the noisiest"],
      questions.map((question) => rowOf(question)),
      [false, true, true, true],
    ),
    ...warningsOf(questions).flatMap((warning) => ["", warning]),
  ].join("\n");
}

function rowOf({ text, measurements }: Explanation): string[] {
  const widths = measurements.map(({ halfWidth }) => halfWidth);
  const digits = (x: number): string => String(Number(x.toPrecision(3)));
  return [
    / GROUP BY (.*)$/s.exec(text)?.[1]?.replaceAll('"', "") ?? "—",
    `${measurements.length}`,
    digits(Math.min(...widths)),
    digits(Math.max(...widths)),
  ];
}

function warningsOf(questions: readonly Explanation[]): readonly string[] {
  const all = questions.flatMap(({ warnings }) => warnings);
  return [...new Set(all.map(({ message, fix }) => `Hardly worth paying: ${message}\n  ${fix}`))];
}
