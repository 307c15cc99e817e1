/** One panel of a plot, as data: what is drawn is also what `--data` writes. */
export interface Figure {
  readonly id: "epsilon-of-delta" | "tradeoff" | "growth";
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly Line[];
  /** The point that was asked for, where it lies on this panel. */
  readonly mark: Mark | null;
}

export interface Axis {
  /** Name, symbol and unit. */
  readonly label: string;
  readonly scale: "linear" | "log";
}

export interface Line {
  readonly name: string;
  /** interval: two-sided. bound: only `upper` is proven. reference: what it is compared with, not a claim. */
  readonly kind: "interval" | "bound" | "reference";
  readonly points: readonly Point[];
}

/** lower ≤ truth ≤ upper at x. On a trade-off curve the lower end is the safe claim. An end may be infinite. */
export interface Point {
  readonly x: number;
  readonly lower: number;
  readonly upper: number;
}

export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}
