import { lossToJson, toText } from "@lethe/core";
import { type BudgetChange, type BudgetReport, changeText } from "@lethe/ledger";
import { renderGrid } from "./grid.ts";
import { renderLoss, renderNumber } from "./loss.ts";

const longestText = 72;

/** Writes what was granted, spent and is left, then every charge and every change of the budget, newest last. */
export function renderBudget(report: BudgetReport): string {
  const { granted, spent, left, analysts, charges, budgets, head } = report;
  const totals = renderGrid(
    ["budget", report.measure],
    [
      [
        "granted",
        granted ? renderLoss(lossToJson(granted)) : "no cap over its lifetime: windows alone bound it",
      ],
      ["spent", renderLoss(lossToJson(spent))],
      ...(left ? [["left", renderLoss(lossToJson(left), "down")]] : []),
      ...(report.closed ? [["closed", "nothing more is charged"]] : []),
    ],
    [false, false],
  );
  const caps = analysts.map(({ name, granted, spent }) => [
    name,
    granted ? renderNumber(toText(granted)) : "",
    renderNumber(toText(spent)),
  ]);
  const rows = charges.map(({ sequence, at, principal, loss, state, requestId, text }) => [
    String(sequence),
    moment(at),
    principal,
    renderLoss(lossToJson(loss)),
    state === "settled" ? "answered" : state === "failed" ? "failed" : "not answered",
    requestId,
    oneLine(text),
  ]);
  return [
    totals,
    ...(report.clockBehind === null
      ? []
      : [
          "",
          `The clock is behind the ledger, which has seen ${moment(report.clockBehind)} (UTC): no window ends until then. Set the clock.`,
        ]),
    ...(caps.length > 0 ? ["", renderGrid(["analyst", "granted", "spent"], caps, [false, true, true])] : []),
    "",
    rows.length === 0
      ? "No charge yet."
      : renderGrid(["#", "when (UTC)", "who", "charge", "state", "request", "question"], rows, [true]),
    ...(budgets.length > 0 ? ["", renderHistory(budgets)] : []),
    "",
    `Head ${head.sequence}:${head.hash}   (keep it elsewhere: lethe ledger verify --head detects a restored older file)`,
  ].join("\n");
}

/** Writes every change of the budget, oldest first, with a line for each thing that it changed. */
function renderHistory(budgets: BudgetReport["budgets"]): string {
  const rows = budgets.flatMap(({ sequence, at, kind, reason, changes }) =>
    changes.map((change, index) => [
      ...(index === 0
        ? [String(sequence), moment(at), kind === "grant" ? "granted" : "applied"]
        : ["", "", ""]),
      changeText(change),
      index === 0 ? oneLine(reason) : "",
    ]),
  );
  return renderGrid(["#", "when (UTC)", "budget", "what changed", "reason"], rows, [true]);
}

export function renderChanges(changes: readonly BudgetChange[]): string {
  const rows = changes.map(({ how, what, from, to }) => [what, from ?? "", to ?? "", how]);
  return renderGrid(["what", "from", "to", ""], rows, [false, true, true]);
}

function moment(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace("T", " ");
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line;
}
