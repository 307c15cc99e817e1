import type { AddedNoise } from "@lethe/core/accuracy";
import type { Noise } from "@lethe/core/mechanisms";
import type { Grid } from "../../grid/grid.ts";
import type { PossibleSigns } from "../sum-kind.ts";

/** The setting of an answer's error: the noise of a row of the answer, what its sums can be, and the confidence of its interval. */
export interface AnswerSetting {
  readonly confidence: number;
  /** Returns the noise between a measured total and the true one. */
  noiseOf(measurement: string): AddedNoise;
  /** Returns what a total is read from: itself, where it is measured, else several measurements with noises of their own. */
  partsOf(total: string): readonly NoisyPart[];
  /** Returns the sign that a measured total must have. */
  signsOf(measurement: string): PossibleSigns;
  /** Returns the least and the greatest value that a measurement adds up, in the question's units: infinite for what has no grid. */
  valuesOf(measurement: string): readonly [number, number];
  treeOf(tree: string): PlannedTree;
}

/** A measurement that a total holds, what it is multiplied by there, and its noise. */
export interface NoisyPart {
  readonly measurement: string;
  readonly weight: number;
  readonly noise: AddedNoise;
}

/** A tree of cells with its noise. */
export interface PlannedTree {
  readonly grid: Grid;
  readonly cellWidth: string;
  readonly branching: number;
  readonly height: number;
  readonly rowWeight: number;
  readonly noise: Noise;
}
