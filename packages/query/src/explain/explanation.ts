import type { PrivacyLossText } from "@lethe/core";
import type { Saving } from "../savings/saving.ts";
import type { ReachedTarget } from "../target/reached-target.ts";
import type { Warning } from "./warning.ts";

/** What a question would do and cost, and how far off its answers would be: data for a screen, a function of plan and policy alone. */
export interface Explanation {
  readonly text: string;
  readonly price: PrivacyLossText;
  readonly unit: string;
  readonly adjacency: string;
  /** The table whose rows are bounded before the filter: an index of it makes that fast. Null for all other questions. */
  readonly ordered: string | null;
  /** The plan from the outside in. */
  readonly tree: ExplanationNode;
  readonly answers: readonly ExplainedAnswer[];
  readonly measurements: readonly ExplainedMeasurement[];
  /** Of learned bounds: which ones the errors are stated for. Empty where all bounds are known. */
  readonly assumptions: readonly string[];
  /** For private keys: units of a group → chance that the group is missing. Empty otherwise. */
  readonly missing: readonly MissingChance[];
  /** Coverage at which half-widths are stated. */
  readonly confidence: number;
  /** What the same noise would cost in an account of each measure. */
  readonly prices: readonly ExplainedPrice[];
  /** The policy's views that the question reads, as the policy words them; the tree shows what they are made of. */
  readonly views: readonly { readonly name: string; readonly sql: string }[];
  /** Where an error was stated instead of a price: what was asked, and the ε that it took. */
  readonly target: ReachedTarget | null;
  /** Where the question asks a pilot first: `price` is then that of both stages at most, and all else is of the second at its cap. */
  readonly pilot: ExplainedPilot | null;
  /** What whoever pays must know of groups that are chosen by chance; null where keys are public. */
  readonly keyNotice: string | null;
  /** Why the answer would say next to nothing: it is not bought unless that is accepted. */
  readonly warnings: readonly Warning[];
  /** Changes that would make the same answers cheaper, the largest saving first; empty of a plan without its question. */
  readonly savings: readonly Saving[];
}

/** The two stages of a question with a pilot, and what each costs: the second at most. */
export interface ExplainedPilot {
  readonly epsilon: string;
  readonly price: PrivacyLossText;
  readonly maxEpsilon: string;
  readonly maxPrice: PrivacyLossText;
}

/** One step of the plan, with what one unit changes in what leaves it and what the step costs. */
export interface ExplanationNode {
  readonly label: string;
  readonly details: readonly string[];
  /** Null from the noise on: nothing that leaves is exact. */
  readonly stability: Stability | null;
  /** What this step and no other costs alone, in the account's measure; the whole at the root; null where it is free. */
  readonly costs: PrivacyLossText | null;
  /** At the root: the answers and their expected errors. Empty elsewhere. */
  readonly answers: readonly ExplainedAnswer[];
  /** Where noise is added: to what, how much, at what sensitivity. Empty elsewhere. */
  readonly measured: readonly ExplainedMeasurement[];
  readonly children: readonly ExplanationNode[];
}

/** The most that may come or go when one unit does (is replaced: both together); null where nothing bounds it yet. */
export interface Stability {
  readonly rows: number | null;
  /** Groups whose rows change; null before there are groups. */
  readonly groups: number | null;
}

export interface ExplainedPrice {
  readonly measure: PrivacyLossText["measure"];
  /** The account's δ, at which an approximate price is stated; null for the other measures. */
  readonly delta: string | null;
  /** Null where this noise has no price under the measure. */
  readonly price: PrivacyLossText | null;
}

export interface ExplainedAnswer {
  readonly name: string;
  readonly kind: "count" | "sum" | "avg" | "variance" | "stddev" | "covariance" | "quantile" | "computed";
  /**
   * Counts and sums, and sums and differences of those: the interval's half-width, whatever the group's size, in the
   * question's units.
   */
  readonly halfWidth: number | null;
  /** Averages, spreads and ratios: half-width by number of rows, in the question's units. */
  readonly curve: readonly CurvePoint[];
  /** The point of that curve at the target's rows, else at the policy's expected_rows, shared out evenly over public groups. */
  readonly expected: CurvePoint | null;
  /** The data as it could be at best and at worst: the bounds it is clamped to. */
  readonly bounds: readonly [number, number] | null;
  /** What half-widths and bounds (from 1970 on) count, where the answer is a time. */
  readonly unit?: "days" | "seconds";
  /** A computed column: what is measured for it. Empty for all others. */
  readonly madeOf: readonly string[];
}

export interface CurvePoint {
  readonly rows: number;
  /** For values around the middle of their bounds. */
  readonly typical: number;
  /** For the least favourable values within their bounds; of quantiles for values spread evenly over them. */
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
