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
): number {
  const { lo, hi, mid, half } = centre(grid);
  const sum: CubesSum = { kind: "scaled-cubes", argument, grid, mid: `${mid}`, half: `${half}` };
  // A plan that is released holds no such sum: the type of plans does not know it.
  const column = measurer.column(sum as unknown as SumColumn);
  const range = { low: measurer.rows * (lo - mid) ** 3n, high: measurer.rows * (hi - mid) ** 3n };
  const describes = `SUM((${writeSql(argument)} − middle)³)`;
  return measurer.measure(describes, [{ column, coefficient: "1" }], range, argument, importance, within);
}
