import { invalidParameter } from "@lethe/core";

/** The resources that a question may take from the server. Running into a limit is a failure of the query, never a smaller answer. */
export interface PostgresLimits {
  /** The most statements at once; more wait. */
  readonly connections: number;
  /** The wall-clock time of one statement, in milliseconds. */
  readonly timeoutMs: number;
  /** The most groups of one result. */
  readonly maxGroups: number;
  /** The most values of one result of rows for training, rows times columns, each of which takes 8 bytes of this process. */
  readonly maxValues: number;
  /** The memory of one sort or hash table (work_mem), in KiB; beyond it PostgreSQL spills to disk. */
  readonly workMemoryKiB: number;
}

/** Four statements at once, ten minutes, five million groups, rows of 1 GiB, 64 MiB. */
export const defaultLimits: PostgresLimits = {
  connections: 4,
  timeoutMs: 600_000,
  maxGroups: 5_000_000,
  maxValues: 2 ** 27,
  workMemoryKiB: 65_536,
};

/** Refuses limits that are no limit: NaN, zero, fractions. */
export function checkLimits(limits: PostgresLimits): void {
  for (const [name, value] of Object.entries(limits)) {
    if (!(Number.isSafeInteger(value) && value > 0 && value < 2 ** 31))
      throw invalidParameter(`limits.${name}`, value, "a positive integer below 2^31");
  }
}
