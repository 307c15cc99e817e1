import type { Subject } from "../subject.ts";

/** The ways to find a fault: exact laws, neighbours with outputs frozen, samples alone. */
export type Method = "verify" | "replay" | "estimate";

/** A mechanism with a fault that was made in earnest somewhere: a control that the audit must catch. */
export interface KnownBad {
  readonly id: string;
  /** What is wrong, in one line. */
  readonly fault: string;
  /** Where it was met. */
  readonly source: string;
  /** Every method that must flag it. */
  readonly caughtBy: readonly Method[];
  /** Made when asked, since pricing some claims takes a while. */
  subject(): Subject;
}
