import type { ParameterValue, PlanOptions } from "@lethe/query";

/** What was asked, by whom. */
export interface Question {
  readonly text: string;
  readonly principal: string;
  /** Names the request for ever: asked again it costs nothing and gives the same bytes. */
  readonly requestId: string;
  readonly options: AskedOptions;
}

/** What is said beside the text. What the text states itself (OPTIONS(…)) must not contradict it. */
export interface AskedOptions
  extends Pick<
    PlanOptions,
    | "epsilon"
    | "delta"
    | "groupSelection"
    | "mechanism"
    | "targetError"
    | "targetErrorRelative"
    | "targetRelease"
    | "pilotEpsilon"
    | "maxEpsilon"
    | "targetRows"
    | "acceptUninformative"
  > {
  /** The release that `targetRelease` names, as whoever asks holds it: it must be the ledger's own. */
  readonly heldRelease?: unknown;
  /** The values of $1, $2 … in the text. */
  readonly parameters?: readonly ParameterValue[];
  /** Coverage of the intervals, in (0, 1). Costs nothing, unless a target error is stated: it is of these intervals. */
  readonly confidence: number;
}
