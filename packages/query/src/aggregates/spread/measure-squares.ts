import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { Grid } from "../../grid/grid.ts";
import type { AskedBounds } from "../bounds/aggregate-bounds.ts";
import { centre } from "../bounds/centre.ts";
import type { Measurer } from "../measurer.ts";

/** Measures Σ ((i − mid)² − offset). */
export function measureSquares(
  measurer: Measurer,
  argument: Expression,
  grid: Grid,
  offset: bigint,
  importance: number,
  within: AskedBounds | null,
): string {
  const { mid, half } = centre(grid);
  const counted = argument.domain.nullable ? argument : null;
  const terms = [
    {
      sum: measurer.sum({
        kind: "scaled-squares",
        argument,
        grid,
        mid: `${mid}`,
        half: `${half}`,
      }),
      coefficient: "1",
    },
    { sum: measurer.sum({ kind: "count", argument: counted }), coefficient: `${-offset}` },
  ];
  const range = { low: -offset * measurer.rows, high: (half * half - offset) * measurer.rows };
  const describes = `SUM((${writeSql(argument)} − middle)² − offset)`;
  return measurer.measure(describes, terms, range, argument, importance, within);
}
