import type { PrivacyLossText } from "@lethe/core";

/** What a question would do and cost, and how far off its answers would be: data for a screen, a function of plan and policy alone. */
export interface Explanation {
  readonly text: string;
  readonly price: PrivacyLossText;
  readonly unit: string;
  readonly adjacency: string;
  /** The plan from the outside in. */
  readonly tree: ExplanationNode;
  readonly answers: readonly ExplainedAnswer[];
  readonly measurements: readonly ExplainedMeasurement[];
  /** For private keys: units of a group → chance that the group is missing. Empty otherwise. */
  readonly missing: readonly MissingChance[];
  /** Coverage at which half-widths are stated. */
  readonly confidence: number;
}

export interface ExplanationNode {
  readonly label: string;
  readonly details: readonly string[];
  readonly children: readonly ExplanationNode[];
}

export interface ExplainedAnswer {
  readonly name: string;
  readonly kind: "count" | "sum" | "avg" | "variance" | "stddev" | "computed";
  /**
   * Counts and sums, and sums and differences of those: the interval's half-width, whatever the group's size, in the
   * question's units.
   */
  readonly halfWidth: number | null;
  /** Averages and spreads: half-width by number of rows, in the question's units. */
  readonly curve: readonly CurvePoint[];
  /** The data as it could be at best and at worst: the bounds it is clamped to. */
  readonly bounds: readonly [number, number] | null;
  /** A computed column: what is measured for it. Empty for all others. */
  readonly madeOf: readonly string[];
}

export interface CurvePoint {
  readonly rows: number;
  /** For values around the middle of their bounds. */
  readonly typical: number;
  /** For the least favourable values within their bounds. */
  readonly worst: number;
}

export interface ExplainedMeasurement {
  readonly id: string;
  readonly describes: string;
  /** What one unit moves it by at most, over all groups: Σ|change| and √Σchange², in the question's units. */
  readonly l1: number;
  readonly l2: number;
  readonly mechanism: string;
  /** Of the noise, in the question's units: Laplace's scale, a Gaussian's σ; 0 for a constant. */
  readonly scale: number;
  readonly halfWidth: number;
  /** What it would cost alone, in the account's measure. */
  readonly price: PrivacyLossText;
}

export interface MissingChance {
  readonly units: number;
  readonly chance: number;
}
