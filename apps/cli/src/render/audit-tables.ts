import { type AuditRow, type Verdict, verdictOf } from "@lethe/audit";
import { auditTitle } from "../audit/audit-titles.ts";

/** The rows of one audit, without what they all say. */
export interface AuditTable {
  readonly id: string;
  readonly title: string;
  /** The sentences that are said once for all rows. */
  readonly said: readonly string[];
  readonly lines: readonly AuditLine[];
}

/** One line of a table. Cells are empty where there is nothing to say, or it is said once. */
export interface AuditLine {
  readonly row: AuditRow;
  readonly verdict: Verdict;
  readonly subject: string;
  readonly claim: string;
  readonly measured: string;
  readonly finding: string;
  readonly how: string;
}

/** Returns a table for each audit. A claim that all rows make is said once; so is how most of them were judged. */
export function auditTables(rows: readonly AuditRow[]): readonly AuditTable[] {
  return [...new Set(rows.map(({ audit }) => audit))].map((id) => {
    const own = rows.filter(({ audit }) => audit === id);
    const claim = commonest(
      own.map((row) => row.claim),
      own.length,
    );
    const how = commonest(
      own.map((row) => row.how),
      own.length / 2,
    );
    return {
      id,
      title: auditTitle(id),
      said: [
        ...(claim === null ? [] : [`Claim of each: ${claim}.`]),
        ...(how === null
          ? []
          : [`How${own.every((row) => row.how === how) ? "" : ", unless said"}: ${how}.`]),
      ],
      lines: own.map((row) => ({
        row,
        verdict: verdictOf(row),
        subject: row.subject,
        claim: row.claim === claim ? "" : row.claim,
        measured: row.measured,
        finding: row.finding ?? "",
        how: row.how === how ? "" : row.how,
      })),
    };
  });
}

/** Returns the text that comes most often, where it comes at least `least` times and more than once; else null. */
function commonest(texts: readonly string[], least: number): string | null {
  const times = new Map<string, number>();
  for (const each of texts) times.set(each, (times.get(each) ?? 0) + 1);
  const [text, most] = [...times].reduce((a, b) => (b[1] > a[1] ? b : a));
  return most > 1 && most >= least ? text : null;
}
