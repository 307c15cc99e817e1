import type { CellTree } from "@lethe/core/mechanisms";
import type { Grid } from "./plan.ts";

/** How a grid is cut into the cells of a tree. */
export interface GridCells extends CellTree {
  /** The number of grid integers in a cell. */
  readonly cellWidth: bigint;
}

/** The most public groups of a question for which each group gets the finer cells. */
const fewGroups = 100;
/** The most cells of a tree. Every cell of every group draws noise, and a finer cell is no better where groups are small. */
const mostCells = { few: 4096n, many: 256n } as const;

/** The weight that one row adds to its cell: fine enough that the rows of a unit may count for a part of one. */
export const rowWeight: number = 2 ** 20;

/**
 * Cuts a grid into cells of equal width, one grid integer each where that makes few enough, and chooses the tree over them. Its
 * height h makes the noise in a rank least. For Laplace noise of a budget that h levels share, that noise is about h³·b/2 with b
 * children a node, b^h cells.
 * @example gridCells({ exponent: 0, lo: "0", hi: "120" }, 1) // => { cellWidth: 1n, branching: 11, height: 2 }
 */
export function gridCells(grid: Grid, groups: number): GridCells {
  const points = BigInt(grid.hi) - BigInt(grid.lo) + 1n;
  const most = groups <= fewGroups ? mostCells.few : mostCells.many;
  const cellWidth = (points + most - 1n) / most;
  return { cellWidth, ...treeOver(Number((points + cellWidth - 1n) / cellWidth)) };
}

const heights = [1, 2, 3, 4, 5, 6];

function treeOver(cells: number): CellTree {
  const shapes = heights.map((height) => ({ height, branching: leastBase(cells, height) }));
  const noise = ({ height, branching }: CellTree): number => height ** 3 * branching;
  return shapes.reduce((best, next) => (noise(next) < noise(best) ? next : best));
}

/** The least b ≥ 2 with b^height ≥ cells. */
function leastBase(cells: number, height: number): number {
  let base = 2;
  while (base ** height < cells) base += 1;
  return base;
}
