import type { ParameterValue, PlanOptions } from "@lethe/query";

/** A question, and the principal who asks it. */
export interface Question {
  readonly text: string;
  readonly principal: string;
  /** Names the request for ever: asked again it costs nothing and gives the same bytes. */
  readonly requestId: string;
  /**
   * Whether an earlier answer to the same question of the same version of the data may stand for this one, at no charge ("earlier"), or a new one is
   * paid for ("anew"). With "made" nothing is paid for: what releases make is the answer, however wide. All replace the id where the data have a version. Left out, the id is kept,
   * and names this request alone.
   */
  readonly repeats?: "earlier" | "anew" | "made";
  readonly options: AskedOptions;
}

/** A question under the id of the request that answers it. */
export interface NamedQuestion extends Question {
  /** The hash of what is asked, to which an id that the gateway gave is bound instead of text and options. */
  readonly same?: string;
}

/** The options stated beside the text. They must not contradict what the text states itself (OPTIONS(…)). */
export interface AskedOptions
  extends Pick<
    PlanOptions,
    | "epsilon"
    | "delta"
    | "groupSelection"
    | "everyPublicKey"
    | "mechanism"
    | "targetError"
    | "targetErrorRelative"
    | "targetRelease"
    | "pilotEpsilon"
    | "maxEpsilon"
    | "targetRows"
    | "advantage"
    | "acceptUninformative"
  > {
  /** The project that it is asked for, one that the policy states: its caps cover the question too. */
  readonly project?: string;
  /** The release that `targetRelease` names, as whoever asks holds it: it must be the ledger's own. */
  readonly heldRelease?: unknown;
  /** The values of $1, $2 … in the text. */
  readonly parameters?: readonly ParameterValue[];
  /** The day, YYYY-MM-DD in UTC, that CURRENT_DATE and now() stand for. Unless stated, that of the house's clock when the question is asked. */
  readonly today?: string;
  /** Coverage of the intervals, in (0, 1). Costs nothing, unless a target error is stated: it is of these intervals. */
  readonly confidence: number;
}
