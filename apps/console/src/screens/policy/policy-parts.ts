import type { Advice, Refused } from "../../thread/works.ts";

/** The policy that the service answers under. */
export interface ServedPolicy {
  readonly text: string;
  readonly hash: string;
}

/** A part of a policy that a draft has otherwise; null where it is not stated. */
export interface ChangedPart {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** What the service says of a draft. */
export interface PolicyCheck {
  readonly hash: string | null;
  readonly differs: readonly ChangedPart[];
  /** What would be put on record, in words. */
  readonly budget: readonly string[];
  readonly advice: readonly Omit<Advice, "line">[];
  readonly refused: Refused | null;
}
