import { type AuditRow, isWrong, verdictOf, verdictWords } from "@lethe/audit";
import type { Audited } from "../audit/run-audits.ts";
import { type AuditLine, type AuditTable, auditTables } from "../render/audit-tables.ts";
import { drawCharts, text } from "./draw-chart.ts";
import { epsilonChart } from "./epsilon-chart.ts";
import { guessesChart } from "./guesses-chart.ts";
import { page } from "./page.ts";
import { reconstructionChart } from "./reconstruction-chart.ts";
import { rocChart } from "./roc-chart.ts";

export interface AuditReport extends Audited {
  /** The subject of the audit and its thoroughness, in words. */
  readonly what: string;
  /** The time, as ISO 8601 in UTC. */
  readonly at: string;
}

/** Renders an audit as one page of HTML: no script, no other file, nothing fetched. */
export async function renderReport(report: AuditReport): Promise<string> {
  const { rows, attacks, curve, what, at } = report;
  const charts = [
    guessesChart(attacks),
    rocChart(attacks),
    reconstructionChart(curve),
    epsilonChart(rows),
  ].flatMap((chart) => (chart === null ? [] : [chart]));
  const figures = await drawCharts(charts);
  return page("Lethe audit", [
    "<header>",
    "<h1>Lethe audit</h1>",
    `<p class="soft">${text(what)}, ${text(at.slice(0, 16).replace("T", " "))} UTC</p>`,
    verdict(rows),
    "</header>",
    `<div class="figures">${figures.join("\n")}</div>`,
    ...auditTables(rows).map(section),
    "<footer><p>A claim that stands was not refuted: the proofs beside the mechanisms are what hold it. A control is a mechanism or a service with a known fault, " +
      "and shows that the audit can fail. What is told is shown without a claim.</p></footer>",
  ]);
}

function verdict(rows: readonly AuditRow[]): string {
  const count = (which: ReturnType<typeof verdictOf>): number =>
    rows.filter((row) => verdictOf(row) === which).length;
  const wrong = rows.filter(isWrong).length;
  const [caught, controls] = [count("caught"), count("caught") + count("missed")];
  const claims = `Claims that stand: ${count("stands")}; that do not: ${count("finding")}.`;
  const shown =
    controls > 0 ? ` ${caught} of ${controls} controls with a known fault were caught or broken.` : "";
  const head = wrong === 0 ? "Nothing wrong was found." : `Rows that show something wrong: ${wrong}.`;
  return `<p class="verdict${wrong === 0 ? "" : " bad"}">${head}</p>\n<p>${claims}${shown}</p>`;
}

const columns: readonly (readonly [string, (line: AuditLine) => string])[] = [
  ["subject", ({ subject }) => text(subject)],
  ["claim", ({ claim }) => text(claim)],
  ["measured", ({ measured }) => text(measured)],
  ["what", whatOf],
];

/** Returns the cell with the finding and the way it was judged, each where there is something to say. */
function whatOf({ finding, how }: AuditLine): string {
  const said = how === "" ? "" : `<span class="soft">${text(how)}</span>`;
  return [text(finding), said].filter((each) => each !== "").join("<br>");
}

function section({ id, title, said, lines }: AuditTable): string {
  const shown = columns.filter(([, cellOf]) => lines.some((line) => cellOf(line) !== ""));
  const heads = ["verdict", ...shown.map(([head]) => head)].map((head) => `<th scope="col">${head}</th>`);
  return [
    "<section>",
    `<h2>${text(id)}</h2>`,
    `<p class="soft">${text([`${title}.`, ...said].join(" "))}</p>`,
    '<div class="wide"><table>',
    `<thead><tr>${heads.join("")}</tr></thead>`,
    "<tbody>",
    ...lines.map((line) => {
      const cells = shown.map(([, cellOf]) => `<td>${cellOf(line)}</td>`).join("");
      return `<tr${isWrong(line.row) ? ' class="wrong"' : ""}><td class="verdict-word ${line.verdict}">${verdictWords[line.verdict]}</td>${cells}</tr>`;
    }),
    "</tbody></table></div>",
    "</section>",
  ].join("\n");
}
