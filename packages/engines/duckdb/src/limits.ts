import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { invalidParameter } from "@lethe/core";
import type { RemovedAtEnd } from "./owned-folder.ts";

/** The resources that a question may take from the machine. Running into a limit is a failure of the query, never a smaller answer. */
export interface EngineLimits {
  /** The memory of the whole instance, in bytes. */
  readonly memory: number;
  /** The number of worker threads of the database. */
  readonly threads: number;
  /** The wall-clock time of one statement, in milliseconds. */
  readonly timeoutMs: number;
  /** The most groups of one result. */
  readonly maxGroups: number;
  /** The most values of one result of rows for training, rows times columns, each of which takes 8 bytes of this process. */
  readonly maxValues: number;
  /** The folder where larger-than-memory work spills; each instance uses, and removes, a folder of its own inside. */
  readonly spillDirectory: string;
  /** The hook of an app that catches signals: see {@link RemovedAtEnd}. */
  readonly removedAtEnd?: RemovedAtEnd;
}

/** Returns half the machine's memory, all its cores, ten minutes, five million groups, rows of 1 GiB. */
export function defaultLimits(stateDirectory: string): EngineLimits {
  return {
    memory: Math.floor(totalmem() / 2),
    threads: availableParallelism(),
    timeoutMs: 600_000,
    maxGroups: 5_000_000,
    maxValues: 2 ** 27,
    spillDirectory: join(stateDirectory, "spill"),
  };
}

/** Refuses limits that are no limit: NaN, zero, fractions. */
export function checkLimits(limits: EngineLimits): void {
  for (const name of ["memory", "threads", "timeoutMs", "maxGroups", "maxValues"] as const) {
    if (!(Number.isSafeInteger(limits[name]) && limits[name] > 0)) {
      throw invalidParameter(`limits.${name}`, limits[name], "a positive integer");
    }
  }
  if (!(limits.timeoutMs < 2 ** 31)) {
    throw invalidParameter("limits.timeoutMs", limits.timeoutMs, "below 2^31 ms");
  }
}
