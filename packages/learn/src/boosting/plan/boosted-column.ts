import type { CategoryColumn, NumberColumn } from "../../model/model.ts";

/** A column that a shape is learned of. Its bounds, categories and cells are public. */
export type BoostedColumn = BoostedNumber | CategoryColumn;

export interface BoostedNumber extends NumberColumn {
  /** How its values are cut: 128 cells, merged to bins of about equal noisy weight, unless stated. */
  readonly cut?: Cut;
}

export type Cut =
  /** Cells of equal width between the bounds; their paid noisy counts merge them to bins. */
  | { readonly by: "quantiles"; readonly cells: number }
  /** Bins of equal width between the bounds. */
  | { readonly by: "width"; readonly bins: number }
  /** Bins between these edges, which increase and lie within the bounds. A value at an edge is in the bin above. */
  | { readonly by: "edges"; readonly edges: readonly number[] };

/** The column that is predicted: the second of its two categories, or its number. */
export type BoostingTarget = CategoryColumn | NumberColumn;

/** A column as the plan cuts it. */
export type PlannedColumn =
  | {
      readonly kind: "number";
      readonly name: string;
      readonly bounds: readonly [number, number];
      /** Between its cells, increasing: one fewer than there are cells. */
      readonly edges: readonly number[];
      /** Whether noisy counts merge the cells; else each is a bin. */
      readonly merged: boolean;
    }
  | {
      readonly kind: "category";
      readonly name: string;
      readonly categories: CategoryColumn["categories"];
    };

/** How many cells a column has, the last of which holds the rows without a value. */
export function cellCount(column: PlannedColumn): number {
  return 1 + (column.kind === "number" ? column.edges.length + 1 : column.categories.length);
}

const usualCells = 128;

/** Writes down a column's cells. */
export function plannedColumn(column: BoostedColumn): PlannedColumn {
  const { name } = column;
  if (column.kind === "category") return { kind: "category", name, categories: column.categories };
  const { bounds, cut = { by: "quantiles", cells: usualCells } } = column;
  const edges =
    cut.by === "edges" ? cut.edges : equalEdges(bounds, cut.by === "width" ? cut.bins : cut.cells);
  return { kind: "number", name, bounds, edges, merged: cut.by === "quantiles" };
}

/** The edges within [lo, hi] of cells of equal width. Doubles that fall together are left out. */
function equalEdges([lo, hi]: readonly [number, number], cells: number): readonly number[] {
  const edges = Array.from({ length: cells - 1 }, (_, i) => {
    const share = (i + 1) / cells;
    return lo * (1 - share) + hi * share;
  });
  return edges.filter((edge, i) => edge > (edges[i - 1] ?? lo) && edge < hi);
}
