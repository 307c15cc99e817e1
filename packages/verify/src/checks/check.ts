import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";

/** A check that could not be made is never counted as passed. */
export type Outcome = "passed" | "failed" | "not-made";

export interface Check {
  /** Stable, for programs. */
  readonly name: string;
  readonly outcome: Outcome;
  /** One sentence for people. */
  readonly says: string;
}

export type Verdict = Omit<Check, "name">;

export const passed = (says: string): Verdict => ({ outcome: "passed", says });
export const failed = (says: string): Verdict => ({ outcome: "failed", says });
export const notMade = (says: string): Verdict => ({ outcome: "not-made", says });

/** Passed when nothing was found amiss; failed with the first finding otherwise. */
export function verdict(amiss: readonly string[], says: string): Verdict {
  if (amiss.length === 0) return passed(says);
  return failed(amiss.length === 1 ? elementAt(amiss, 0) : `${amiss[0]} (and ${amiss.length - 1} more)`);
}

/** Makes a check. A certificate on which the derivation itself breaks down has failed it. */
export async function check(name: string, judge: () => Verdict | Promise<Verdict>): Promise<Check> {
  try {
    return { name, ...(await judge()) };
  } catch (error) {
    const known = error instanceof LetheError || error instanceof RangeError;
    return { name, ...failed(known ? `cannot be derived: ${error.message}` : "cannot be derived") };
  }
}
