import type { AuditRequest } from "../audit.ts";
import type { AuditRow } from "../audit-row.ts";

export interface SoakRequest extends Pick<AuditRequest, "draws" | "falseAlarm"> {
  readonly first: number;
  readonly seeds: number;
  /** Seconds of this process's work so far. */
  readonly spent: () => number;
}

/** One row of a soak; `progress` is told how many seeds are done. */
export interface SoakStep {
  readonly audit: string;
  readonly subject: string;
  make(progress?: (seeds: number) => void): AuditRow | Promise<AuditRow>;
}
