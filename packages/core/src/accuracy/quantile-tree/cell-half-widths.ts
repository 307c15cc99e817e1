import { cellCount } from "../../mechanisms/quantile-tree/noisy-cells.ts";
import { lastElement } from "../../numeric/elements/element-at.ts";
import type { HalfWidthCurve } from "../intervals/half-widths.ts";
import type { CellQuantileSetting } from "./cell-quantiles.ts";
import { levelReaches } from "./share-error-bound.ts";

/**
 * About half the width of the interval of {@link ./cell-quantiles.ts} by the number of rows, in cells: typical for rows that
 * are spread evenly over all cells, where a rank is worth cells/rows; worst where the quantile lies in a gap, all cells.
 * Source: the reach of the noise in a rank, times the spacing of the rows.
 * Direction: exact for the evenly spread, but for the cells' own ends (rounded up).
 * @example cellHalfWidths({ tree: { branching: 16, height: 2 }, noise, rowWeight: 1, share: 0.5, confidence: 0.95 })(1000)
 */
export function cellHalfWidths(setting: CellQuantileSetting): HalfWidthCurve {
  const { tree, noise, rowWeight, share, confidence } = setting;
  const cells = cellCount(tree);
  const boundary = Math.min(cells - 1, Math.max(1, Math.round(share * cells)));
  const finest = lastElement(levelReaches(tree, noise, share, (1 - confidence) / 2));
  const ranks = finest.at(boundary) / rowWeight;
  return (rows) => {
    const worst = cells / 2;
    return { typical: Math.min(worst, ((ranks + 0.5) * cells) / Math.max(1, rows) + 0.5), worst };
  };
}
