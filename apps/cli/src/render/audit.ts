import { type AuditRow, type Verdict, verdictOf, verdictWords } from "@lethe/audit";
import { type AuditLine, auditTables } from "./audit-tables.ts";
import { renderGrid } from "./grid.ts";

/** Every row of an audit, grouped by audit, and what they come to. */
export function renderAudit(rows: readonly AuditRow[]): string {
  const parts = auditTables(rows).map(({ id, title, said, lines }) => {
    const columns = [
      { head: "", cell: ({ verdict }: AuditLine) => verdictWords[verdict] },
      { head: "subject", cell: ({ subject }: AuditLine) => subject },
      { head: "claim", cell: ({ claim }: AuditLine) => claim },
      { head: "measured", cell: ({ measured }: AuditLine) => measured },
      { head: "what", cell: ({ finding, how }: AuditLine) => finding || how },
    ];
    const shown = columns.filter(({ cell }) => lines.some((line) => cell(line) !== ""));
    const grid = renderGrid(
      shown.map(({ head }) => head),
      lines.map((line) => shown.map(({ cell }) => cell(line))),
      [],
    );
    return [`${id}: ${title}`, ...said, grid].join("\n");
  });
  return [...parts, summary(rows)].join("\n\n");
}

function summary(rows: readonly AuditRow[]): string {
  const count = (verdict: Verdict): number => rows.filter((row) => verdictOf(row) === verdict).length;
  const told = count("told");
  const controls = count("caught") + count("missed");
  return [
    `Claims that stand: ${count("stands")}; that do not: ${count("finding")}.`,
    ...(controls > 0 ? [`${count("caught")} of ${controls} controls with a known fault were caught.`] : []),
    ...(told > 0 ? [`Shown without a claim: ${told}.`] : []),
    "A claim that stands was not refuted: the proofs beside the mechanisms are what hold it.",
  ].join("\n");
}
