import { type AskedBounds, type Expression, type Grid, type SumColumn, writeSql } from "@lethe/query";
import { centre, type Measurer } from "@lethe/query/aggregates";
import type { CubesSum } from "./skewness-types.ts";

/** Measures Σ (i − mid)³. */
export function measureCubes(
  measurer: Measurer,
  argument: Expression,
  grid: Grid,
  importance: number,
  within: AskedBounds | null,
): string {
  const { lo, hi, mid, half } = centre(grid);
  const cubes: CubesSum = { kind: "scaled-cubes", argument, grid, mid: `${mid}`, half: `${half}` };
  // A plan that is released holds no such sum: the type of plans does not know it.
  const sum = measurer.sum(cubes as unknown as SumColumn);
  const range = { low: measurer.rows * (lo - mid) ** 3n, high: measurer.rows * (hi - mid) ** 3n };
  const describes = `SUM((${writeSql(argument)} − middle)³)`;
  return measurer.measure(describes, [{ sum, coefficient: "1" }], range, argument, importance, within);
}
