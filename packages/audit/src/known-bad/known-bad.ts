import type { AuditedFunction } from "../replay/run-here.ts";
import type { Subject } from "../subject.ts";

/** The ways to find a fault: exact laws, neighbours with outputs frozen, samples alone. */
export type Method = "verify" | "replay" | "estimate";

/** A mechanism with a fault that was made in earnest somewhere: a control that the audit must catch. */
export interface KnownBad {
  readonly id: string;
  /** The fault, in one line. */
  readonly fault: string;
  /** The place where the fault was met. */
  readonly source: string;
  /** Every method that must flag it. */
  readonly caughtBy: readonly Method[];
  /** Makes the subject. It is made when asked, since pricing some claims takes a while. */
  subject(): Subject;
  /** The same fault in a function of its data and a handle, for those that replay must flag. */
  readonly program?: Program;
}

/** Whether samples alone must show it. */
export function seenInSamples({ caughtBy }: KnownBad): boolean {
  return caughtBy.includes("estimate");
}

/** A function, and data sets that differ in one person. */
export interface Program {
  readonly run: AuditedFunction<readonly bigint[]>;
  readonly neighbours: readonly (readonly [readonly bigint[], readonly bigint[]])[];
}

/** A sum with Laplace noise, as analysts write it. */
export function noisySum(
  sensitivity: bigint,
  of: (values: readonly bigint[]) => readonly bigint[],
): Program["run"] {
  const noise = { mechanism: "discrete-laplace@1", scale: sensitivity.toString() } as const;
  return (values, dp) =>
    dp.addNoise(of(values), noise, { l1: sensitivity, l2Squared: sensitivity * sensitivity });
}
