/** A finite measure of losses on the grid offset + (first + i)·pitch, and a mass of infinite loss. */
export interface GridLaw {
  readonly pitch: number;
  /** The widest cell: no end moves a mass farther. */
  readonly widest: number;
  readonly offset: number;
  readonly first: number;
  readonly mass: Float64Array;
  readonly infinite: number;
}

/** One step of a mechanism on a grid: for either direction a law of more loss and a law of less (see pld.proof.md). */
export interface GridStep {
  readonly forward: () => GridEnds;
  readonly mirrored: () => GridEnds;
  /** Each mass is within a factor e^{±massError} of what is proven. */
  readonly massError: number;
  /** Each loss is within lossError of what is proven. */
  readonly lossError: number;
}

export interface GridEnds {
  readonly upper: () => GridLaw;
  readonly lower: () => GridLaw;
}
