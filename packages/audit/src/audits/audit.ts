import type { AuditRow } from "./audit-row.ts";

export interface AuditRequest {
  /** The seed of this run's coins. */
  readonly seed: number;
  /** Outputs drawn of each neighbour by estimates. */
  readonly samples: number;
  /** Outputs drawn of each mechanism in search of impossible ones. */
  readonly draws: number;
  /** The chance that anything correct is called broken, over all rows of one run. */
  readonly falseAlarm: number;
}

/** A few seconds, for a first look. */
export const quickRequest: AuditRequest = { seed: 1, samples: 6_000, draws: 2_000, falseAlarm: 1e-6 };
/** A few minutes. */
export const fullRequest: AuditRequest = { seed: 1, samples: 30_000, draws: 100_000, falseAlarm: 1e-6 };

/** One row to be made. */
export interface AuditStep {
  readonly subject: string;
  make(): AuditRow | Promise<AuditRow>;
}

/** A kind of check over many subjects. A new one is a file and a line in the registry. */
export interface Audit {
  readonly id: string;
  /** One line, for people. */
  readonly title: string;
  /** Returns the steps in order; nothing is run until a step is made. */
  steps(request: AuditRequest): readonly AuditStep[];
}
