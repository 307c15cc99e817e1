import type { Expression } from "../../expressions/expression.ts";
import type { AskedBounds } from "../bounds/aggregate-bounds.ts";
import type { ScaledSum } from "../scaled-sum.ts";

export interface SkewnessTypes {
  readonly asked: SkewnessAggregate;
  readonly planned: PlannedSkewness;
  readonly sum: ScaledSum;
}

export interface SkewnessAggregate {
  readonly kind: "skewness";
  readonly argument: Expression;
  readonly bounds: AskedBounds | null;
}

/**
 * cubes measures Σ(i − mid)³, squares Σ((i − mid)² − offset), sum Σ(i − mid). With their means m₃, m₂ and m₁ over the count n, and m₂ + offset for m₂, the population's
 * skewness is (m₃ − 3·m₁·m₂ + 2·m₁³)/(m₂ − m₁²)^(3/2), and that of a sample √(n(n − 1))/(n − 2) times as large.
 */
export interface PlannedSkewness {
  readonly kind: "skewness";
  readonly cubes: string;
  readonly squares: string;
  readonly sum: string;
  readonly count: string;
  readonly offset: string;
}
