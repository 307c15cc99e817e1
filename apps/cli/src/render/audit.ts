import { type AuditRow, verdictOf } from "@lethe/audit";
import { auditTitle } from "../audit/audit-titles.ts";
import { renderGrid } from "./grid.ts";

/** What a verdict is called where people read it. */
export const verdictWords = {
  stands: "ok",
  finding: "FINDING",
  caught: "caught",
  missed: "MISSED",
  told: "told",
} as const;

/** Every row of an audit, grouped by audit, and what they come to. */
export function renderAudit(rows: readonly AuditRow[]): string {
  const parts = [...new Set(rows.map(({ audit }) => audit))].map((id) => {
    const own = rows.filter(({ audit }) => audit === id);
    const title = auditTitle(id);
    const cells = own.map((row) => [
      verdictWords[verdictOf(row)],
      row.subject,
      row.claim,
      row.measured,
      row.finding ?? row.how,
    ]);
    return `${id}: ${title}\n${renderGrid(["", "subject", "claim", "measured", "what"], cells, [])}`;
  });
  return [...parts, summary(rows)].join("\n\n");
}

function summary(rows: readonly AuditRow[]): string {
  const count = (verdict: keyof typeof verdictWords): number =>
    rows.filter((row) => verdictOf(row) === verdict).length;
  const told = count("told");
  const controls = count("caught") + count("missed");
  return [
    `Claims that stand: ${count("stands")}; that do not: ${count("finding")}.`,
    ...(controls > 0 ? [`${count("caught")} of ${controls} controls with a known fault were caught.`] : []),
    ...(told > 0 ? [`Shown, with nothing claimed of it: ${told}.`] : []),
    "A claim that stands was not refuted: the proofs beside the mechanisms are what hold it.",
  ].join("\n");
}
