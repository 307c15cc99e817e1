import type { PrivacyLossText } from "@lethe/core";
import type { ReachedAdvantage } from "../plan/error-target/plan-at-advantage.ts";
import type { ReachedTarget } from "../plan/error-target/reached-target.ts";
import type { ExplainedAnswer } from "../plan/expected-error/explained-answer.ts";
import type { Alternative } from "./alternative.ts";
import type { Warning } from "./warning.ts";

/** The steps, the price and the expected errors of a question: data for a screen, a function of plan and policy alone. */
export interface Explanation {
  readonly text: string;
  readonly price: PrivacyLossText;
  readonly unit: string;
  readonly adjacency: string;
  /** Every table that the answer is made of, once. */
  readonly tables: readonly string[];
  /** The table whose rows are bounded before the filter: an index of it makes that fast. Null for all other questions. */
  readonly ordered: string | null;
  /** The tables whose units are kept to a number of groups or of rows in each: an import of them makes that fast. */
  readonly limited: readonly string[];
  /** The plan from the outside in. */
  readonly tree: ExplanationNode;
  readonly answers: readonly ExplainedAnswer[];
  readonly measurements: readonly ExplainedMeasurement[];
  /** The bounds that errors are stated for, where bounds are learned. Empty where all bounds are known. */
  readonly assumptions: readonly string[];
  /** The chances that a group of so many units is missing, for private keys. Empty otherwise. */
  readonly missing: readonly MissingChance[];
  /** The coverage at which half-widths are stated. */
  readonly confidence: number;
  /** The price of the same noise in an account of each measure. */
  readonly prices: readonly ExplainedPrice[];
  /** The policy's views that the question reads, as the policy words them; the tree shows the relations that they are made of. */
  readonly views: readonly { readonly name: string; readonly sql: string }[];
  /** The error that was stated instead of a price, and the ε that it took; null where a price was stated. */
  readonly target: ReachedTarget | null;
  /** The advantage that was stated instead of a price, and the ε that it took; absent where none was. */
  readonly advantage?: ReachedAdvantage;
  /**
   * The two requests of a question that asks a pilot first; null for any other. `price` is then that of both requests at most, and
   * everything else describes the second at its cap.
   */
  readonly pilot: ExplainedPilot | null;
  /** The notice to whoever pays that groups are chosen by chance; null where keys are public. */
  readonly keyNotice: string | null;
  /** The reasons why the answer would say next to nothing: it is not bought unless that is accepted. */
  readonly warnings: readonly Warning[];
  /** Changes that would make the same answers cheaper, the one that saves most first; empty of a plan without its question. */
  readonly alternatives: readonly Alternative[];
}

/** The two requests of a question with a pilot, and the price of each, which for the second is the most that it may cost. */
export interface ExplainedPilot {
  readonly epsilon: string;
  readonly price: PrivacyLossText;
  readonly maxEpsilon: string;
  readonly maxPrice: PrivacyLossText;
}

/** One step of the plan, with the change that one unit makes to its output, and the price of the step. */
export interface ExplanationNode {
  readonly label: string;
  readonly details: readonly string[];
  /** The change that one unit makes in the output of this step. Null from the noise on: no output is exact from there on. */
  readonly stability: Stability | null;
  /** The price of this step alone, in the account's measure; the whole price at the root; null where the step is free. */
  readonly costs: PrivacyLossText | null;
  /** The answers and their expected errors, at the root. Empty elsewhere. */
  readonly answers: readonly ExplainedAnswer[];
  /** The measurements that the step adds noise to, with the noise and the sensitivity of each. Empty where it adds none. */
  readonly measured: readonly ExplainedMeasurement[];
  readonly children: readonly ExplanationNode[];
}

/** The most rows and groups that come or go when one unit does (is replaced: both together); null where nothing bounds them yet. */
export interface Stability {
  readonly rows: number | null;
  /** The groups whose rows change; null before there are groups. */
  readonly groups: number | null;
}

export interface ExplainedPrice {
  readonly measure: PrivacyLossText["measure"];
  /** The account's δ, at which an approximate price is stated; null for the other measures. */
  readonly delta: string | null;
  /** The price of the noise under the measure; null where it has none. */
  readonly price: PrivacyLossText | null;
}

export interface ExplainedMeasurement {
  readonly name: string;
  /** The most that one unit moves it, over all groups: Σ|change| and √Σchange², in the question's units. */
  readonly l1: number;
  readonly l2: number;
  readonly mechanism: string;
  /** The scale of the noise, in the question's units: Laplace's scale, a Gaussian's σ; 0 for a constant. */
  readonly scale: number;
  readonly halfWidth: number;
  /** The price of this measurement alone, in the account's measure. */
  readonly price: PrivacyLossText;
}

export interface MissingChance {
  readonly units: number;
  readonly chance: number;
}
