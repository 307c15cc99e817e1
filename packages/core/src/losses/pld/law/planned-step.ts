import type { CountedPair } from "./counted-pair.ts";
import type { StepAtoms, StepLaw } from "./step-law.ts";

/** One pair with what is needed to plan: its losses in both directions. */
export interface PlannedStep {
  readonly counted: CountedPair;
  readonly count: number;
  readonly atoms: StepAtoms;
  readonly forward: StepLaw;
  readonly mirrored: StepLaw;
}
