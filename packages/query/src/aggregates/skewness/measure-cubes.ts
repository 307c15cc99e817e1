import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { Grid } from "../../grid/grid.ts";
import type { AskedBounds } from "../bounds/aggregate-bounds.ts";
import { centre } from "../bounds/centre.ts";
import type { Measurer } from "../measurer.ts";

/** Measures Σ (i − mid)³. */
export function measureCubes(
  measurer: Measurer,
  argument: Expression,
  grid: Grid,
  importance: number,
  within: AskedBounds | null,
): string {
  const { lo, hi, mid, half } = centre(grid);
  const sum = measurer.sum({ kind: "scaled-cubes", argument, grid, mid: `${mid}`, half: `${half}` });
  const range = { low: measurer.rows * (lo - mid) ** 3n, high: measurer.rows * (hi - mid) ** 3n };
  const describes = `SUM((${writeSql(argument)} − middle)³)`;
  return measurer.measure(describes, [{ sum, coefficient: "1" }], range, argument, importance, within);
}
