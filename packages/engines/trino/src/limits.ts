import { invalidParameter } from "@lethe/core";

/** The resources that a question may take from the server. Running into a limit is a failure of the query, never a smaller answer. */
export interface TrinoLimits {
  /** The most statements at once; more wait. */
  readonly connections: number;
  /** The wall-clock time of one statement with its time in Trino's queue, in milliseconds. */
  readonly timeoutMs: number;
  /** What a statement may take beyond that until it is given up here, in milliseconds, should the server not end it. */
  readonly graceMs: number;
  /** The milliseconds until a request of the protocol must have its answer. */
  readonly requestMs: number;
  /** The most groups of one result. */
  readonly maxGroups: number;
  /** The most values of one result of rows for training, rows times columns, each of which takes 8 bytes of this process. */
  readonly maxValues: number;
  /** The memory that one statement may take of the whole cluster, in MiB, beside what Trino's own settings allow. */
  readonly queryMemoryMiB: number;
}

/** Four statements at once, ten minutes and half a minute more, a minute for an answer, five million groups, rows of 1 GiB, 64 GiB. */
export const defaultLimits: TrinoLimits = {
  connections: 4,
  timeoutMs: 600_000,
  graceMs: 30_000,
  requestMs: 60_000,
  maxGroups: 5_000_000,
  maxValues: 2 ** 27,
  queryMemoryMiB: 65_536,
};

/** Refuses limits that are no limit: NaN, zero, fractions. */
export function checkLimits(limits: TrinoLimits): void {
  for (const [name, value] of Object.entries(limits)) {
    if (!(Number.isSafeInteger(value) && value > 0 && value < 2 ** 31))
      throw invalidParameter(`limits.${name}`, value, "a positive integer below 2^31");
  }
}
