/** One line of an audit's report. Numbers are in the claim's own unit: ε, a share, a distance. */
export interface AuditRow {
  /** The audit that made it, by its id. */
  readonly audit: string;
  readonly subject: string;
  /** "control": a known-bad subject, which must be caught; "lethe" or "user": a subject that must not be caught; "told": shown, and not judged. */
  readonly of: "lethe" | "user" | "control" | "told";
  /** The fault that was found; null where the claim stood. */
  readonly finding: string | null;
  readonly claim: string;
  readonly measured: string;
  /** The interval that contains the measured number; null where there is none. */
  readonly interval: readonly [number, number] | null;
  /** The largest number that the claim allows; null where there is none. */
  readonly ceiling: number | null;
  readonly how: string;
}

/** The verdict on a row: "stands" and "caught" are as it should be, "finding" and "missed" are not, and "told" claims nothing. */
export type Verdict = "stands" | "finding" | "caught" | "missed" | "told";

/** The word that people read for each verdict. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  stands: "ok",
  finding: "FINDING",
  caught: "caught",
  missed: "MISSED",
  told: "told",
};

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
