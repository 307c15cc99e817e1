import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { Grid } from "../../grid/grid.ts";
import { centre } from "../bounds/centre.ts";
import type { Measurer } from "../measurer.ts";

/** An argument on its grid. */
export interface GriddedArgument {
  readonly argument: Expression;
  readonly grid: Grid;
}

/** Measures Σ (i − mid)(j − otherMid). */
export function measureProducts(
  measurer: Measurer,
  x: GriddedArgument,
  y: GriddedArgument,
  importance: number,
): string {
  const [a, b] = [centre(x.grid), centre(y.grid)];
  const sum = measurer.sum({
    kind: "scaled-products",
    ...x,
    mid: `${a.mid}`,
    half: `${a.half}`,
    other: { ...y, mid: `${b.mid}`, half: `${b.half}` },
  });
  const corners = [a.lo - a.mid, a.hi - a.mid].flatMap((i) =>
    [b.lo - b.mid, b.hi - b.mid].map((j) => i * j * measurer.rows),
  );
  const range = {
    low: corners.reduce((least, corner) => (corner < least ? corner : least)),
    high: corners.reduce((most, corner) => (corner > most ? corner : most)),
  };
  const describes = `SUM((${writeSql(x.argument)} − middle)(${writeSql(y.argument)} − middle))`;
  return measurer.measure(describes, [{ sum, coefficient: "1" }], range, x.argument, importance);
}
