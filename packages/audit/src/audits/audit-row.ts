/** One line of an audit's report. Numbers are in the claim's own unit: ε, a share, a distance. */
export interface AuditRow {
  /** The audit that made it, by its id. */
  readonly audit: string;
  readonly subject: string;
  /** "control": a known-bad subject, which must be caught; "lethe" or "user": what must not be; "told": shown, and not judged. */
  readonly of: "lethe" | "user" | "control" | "told";
  /** What is wrong; null where the claim stood. */
  readonly finding: string | null;
  readonly claim: string;
  readonly measured: string;
  /** What the measured number may be. */
  readonly interval: readonly [number, number] | null;
  /** What the claim allows it to be. */
  readonly ceiling: number | null;
  readonly how: string;
}

/** "caught" and "stands" are as it should be; "missed" and "finding" are not; of what is "told" nothing is claimed. */
export type Verdict = "stands" | "finding" | "caught" | "missed" | "told";

/** @example verdictOf({ of: "control", finding: null }) // => "missed" */
export function verdictOf({ of, finding }: Pick<AuditRow, "of" | "finding">): Verdict {
  if (of === "told") return "told";
  if (of === "control") return finding === null ? "missed" : "caught";
  return finding === null ? "stands" : "finding";
}

/** Whether a row says that something is wrong: a finding about what is audited, or a control that slipped through. */
export function isWrong(row: AuditRow): boolean {
  const verdict = verdictOf(row);
  return verdict === "finding" || verdict === "missed";
}
