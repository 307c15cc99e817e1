import type { Adjacency, Rational } from "@lethe/core";
import type { SessionMeasure } from "@lethe/core/mechanisms";
import type { NoisyResidual } from "../inference/index.ts";
import type { SynthesisRound } from "../plan/index.ts";
import type { KnownResiduals } from "../residuals/index.ts";
import type { MarginalSource } from "../source/index.ts";
import type { PairEstimates } from "./pair-estimates.ts";

/** The public numbers of a run that stages do not hold. */
export interface GremSetting {
  readonly measure: SessionMeasure;
  readonly adjacency: Adjacency;
  readonly rowsPerUnit: string;
  readonly l2Squared: bigint;
  /** The share of a round that is for its choice. */
  readonly choices: Rational;
  /** The attribute whose pairs are measured first; null for none. */
  readonly target: number | null;
  /** Told after every round; all of it is public. */
  readonly progress?: (round: SynthesisRound) => void;
}

/** A run under way: noisy answers alone, and whom to ask for more. */
export interface GremRun {
  readonly source: MarginalSource;
  readonly known: KnownResiduals;
  readonly estimates: PairEstimates;
  /** Grows with every answer. */
  readonly residuals: NoisyResidual[];
}
