import { lossToJson } from "@lethe/core";
import { type BudgetChange, type BudgetReport, type ChargeReport, changeText } from "@lethe/ledger";
import { renderGrid } from "./grid.ts";
import { renderLoss } from "./loss.ts";
import { hasScopes, renderScopes } from "./scopes.ts";

const longestText = 72;

/** Writes what was granted, spent and is left, of each scope too, then every charge and every change of the budget, newest last. */
export function renderBudget(report: BudgetReport): string {
  const { granted, spent, left, scopes, charges, budgets, head } = report;
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
  return [
    totals,
    ...(report.clockBehind === null
      ? []
      : [
          "",
          `The clock is behind the ledger, which has seen ${moment(report.clockBehind)} (UTC): no window ends until then. Set the clock.`,
        ]),
    ...(hasScopes(scopes) ? ["", renderScopes(scopes)] : []),
    "",
    renderCharges(charges),
    ...(budgets.length > 0 ? ["", renderHistory(budgets)] : []),
    "",
    `Head ${head.sequence}:${head.hash}`,
    "Keep it elsewhere: lethe ledger verify --head detects a restored older file.",
  ].join("\n");
}

/** Writes charges, a line each, in the order that they come in. */
export function renderCharges(charges: readonly ChargeReport[]): string {
  if (charges.length === 0) return "No charge yet.";
  const rows = charges.map(({ sequence, at, principal, project, sharedBy, loss, state, requestId, text }) => [
    String(sequence),
    moment(at),
    project === null ? principal : `${principal} for ${project}`,
    renderLoss(lossToJson(loss)),
    sharedBy !== null
      ? `shared by ${sharedBy}`
      : state === "settled"
        ? "answered"
        : state === "failed"
          ? "failed"
          : "not answered",
    requestId,
    oneLine(text),
  ]);
  return renderGrid(["#", "when (UTC)", "who", "charge", "state", "request", "question"], rows, [true]);
}

const recordWords: Readonly<Record<BudgetReport["budgets"][number]["kind"], string>> = {
  grant: "granted",
  apply: "applied",
  limit: "limited",
};

/** Writes every change of the budget, oldest first, with a line for each thing that it changed. */
function renderHistory(budgets: BudgetReport["budgets"]): string {
  const rows = budgets.flatMap(({ sequence, at, kind, reason, changes }) =>
    changes.map((change, index) => [
      ...(index === 0 ? [String(sequence), moment(at), recordWords[kind]] : ["", "", ""]),
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
