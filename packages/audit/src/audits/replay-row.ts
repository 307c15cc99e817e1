import type { ReplayReport } from "../replay/audit.ts";
import type { AuditRow } from "./audit-row.ts";

/** A replay's report as a row. */
export function replayRow(subject: string, of: AuditRow["of"], report: ReplayReport): AuditRow {
  const { findings, runs, calls, moved } = report;
  return {
    audit: "replay",
    subject,
    of,
    finding: findings.length === 0 ? null : [...new Set(findings.map(({ what }) => what))].join("; "),
    claim:
      "what leaves is a function of the mechanisms' outputs, and their inputs move no farther than declared",
    measured: `differences: ${findings.length}`,
    interval: null,
    ceiling: 0,
    how: `${runs} runs with ${calls} calls, each replayed on itself and its neighbour, where ${moved} had other inputs`,
  };
}
