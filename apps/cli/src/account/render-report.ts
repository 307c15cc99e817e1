import type { Bounds } from "@lethe/core/accounting";
import { renderGrid } from "../render/grid.ts";
import { oddsInWords } from "./odds-in-words.ts";
import type { Question } from "./question.ts";
import type { Answer, Report } from "./report.ts";
import { shown } from "./shown-number.ts";

/** A report for people: the answer first, then each representation of loss, then the textbooks. Every claim is rounded toward more loss. */
export function renderReport({ title, details, adjacency, found, odds, answers }: Report): string {
  return [
    `${title}  ${details}; ${adjacency}`,
    ...(found === null ? [] : [`Found   ${found.parameter} ${found.value}`]),
    `Odds    ${oddsInWords(odds)}`,
    ...answers.map(renderAnswer),
  ].join("\n\n");
}

function renderAnswer(answer: Answer): string {
  const { best, representations, textbooks } = answer;
  const symbol = answer.of === "epsilon" ? "ε" : "δ";
  const at = askedAt(answer.asked);
  const rows = representations.map((representation) => [
    representation.name,
    ...ends(representation),
    representation.provenance.upper,
  ]);
  const compared = textbooks.map(({ name, value, says }) => [
    name,
    value === null ? "–" : shown(value, "up"),
    says,
  ]);
  return [
    `${symbol} ≤ ${shown(best.upper, "up")} at ${at}${best.lower > 0 ? `, and not below ${shown(best.lower, "down")}` : ""}`,
    ...(best.missed === undefined ? [] : [missedNote(best.missed)]),
    renderGrid(["representation", `${symbol} at most`, "at least", "by"], rows, [false, true, true, false]),
    ...(compared.length === 0
      ? []
      : [renderGrid(["textbook", `${symbol} at most`, "why"], compared, [false, true, false])]),
  ].join("\n\n");
}

/** The ends of an interval are proven however wide it is. */
function missedNote(width: number): string {
  return `The interval is wider than the ${shown(width, "up")} that was asked for; both of its ends hold.`;
}

function ends({ lower, upper }: Bounds): [string, string] {
  return [shown(upper, "up"), lower > 0 ? shown(lower, "down") : "–"];
}

export function askedAt(asked: Question): string {
  return `${"delta" in asked ? "δ" : "ε"} = ${asked.said}`;
}
