import type { AskedBounds, Expression, Grid } from "@lethe/query";

export interface SkewnessTypes {
  readonly asked: SkewnessAggregate;
  readonly planned: PlannedSkewness;
  readonly sum: CubesSum;
}

export interface SkewnessAggregate {
  readonly kind: "skewness";
  readonly argument: Expression;
  readonly bounds: AskedBounds | null;
}

/**
 * cubes measures Σ(i − mid)³, squares Σ((i − mid)² − offset), sum Σ(i − mid): with their means m₃, m₂ and m₁ over the count,
 * (m₃ − 3·m₁·m₂ + 2·m₁³) / (m₂ − m₁²)^(3/2).
 */
export interface PlannedSkewness {
  readonly kind: "skewness";
  readonly cubes: string;
  readonly squares: string;
  readonly sum: string;
  readonly count: string;
  readonly offset: string;
}

/** round((Σ (i − mid)³)·min(n, r)/n), within ±half³·r. */
export interface CubesSum {
  readonly kind: "scaled-cubes";
  readonly argument: Expression;
  readonly grid: Grid;
  readonly mid: string;
  readonly half: string;
}
