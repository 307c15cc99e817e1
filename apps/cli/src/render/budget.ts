import { lossToJson, toText } from "@lethe/core";
import type { BudgetReport } from "@lethe/ledger";

import { renderGrid } from "./grid.ts";
import { renderLoss } from "./loss.ts";

const longestText = 72;

/** Granted, spent, left; then every charge, newest last. */
export function renderBudget(report: BudgetReport): string {
  const { granted, spent, left, analysts, charges, head } = report;
  const totals = renderGrid(
    ["budget", report.measure],
    [
      ["granted", renderLoss(lossToJson(granted))],
      ["spent", renderLoss(lossToJson(spent))],
      ["left", renderLoss(lossToJson(left))],
    ],
    [false, false],
  );
  const caps = analysts.map(({ name, granted, spent }) => [name, toText(granted), toText(spent)]);
  const rows = charges.map(({ sequence, at, principal, loss, state, requestId, text }) => [
    String(sequence),
    new Date(at).toISOString().slice(0, 19).replace("T", " "),
    principal,
    renderLoss(lossToJson(loss)),
    state === "settled" ? "answered" : state === "failed" ? "failed" : "not answered",
    requestId,
    oneLine(text),
  ]);
  return [
    totals,
    ...(caps.length > 0 ? ["", renderGrid(["analyst", "granted", "spent"], caps, [false, true, true])] : []),
    "",
    rows.length === 0
      ? "No charge yet."
      : renderGrid(["#", "when (UTC)", "who", "charge", "state", "request", "question"], rows, [true]),
    "",
    `Head ${head.sequence}:${head.hash}   (keep it elsewhere: lethe ledger verify --head detects a restored older file)`,
  ].join("\n");
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line;
}
