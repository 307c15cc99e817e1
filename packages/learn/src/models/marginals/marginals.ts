import { doubleAt, elementAt } from "@lethe/core/numeric";
import { type Matrix, matrixOf } from "../../linear/matrix.ts";
import { rowsOfModel } from "../../model/missing-rows.ts";
import type { CategoryColumn, Model } from "../../model/model.ts";
import type { NoisyStatistics } from "../../moments/noisy-statistics.ts";
import { double } from "../../sql/literal.ts";
import type { Layout } from "../../statistics/layout.ts";
import { byCategory } from "../column-text.ts";
import { categoryPlace, type RowValues } from "../row-values.ts";
import { onSimplex, withMargins } from "./consistent-table.ts";

/** Tables of counts that agree: all add up to the same total, and two with a column in common to the same counts of it. JSON throughout. */
export interface FittedMarginals {
  readonly version: 1;
  readonly kind: "marginals";
  readonly total: number;
  readonly tables: readonly MarginalTable[];
  readonly notes: readonly string[];
}

export interface MarginalTable {
  /** One column or two. */
  readonly columns: readonly CategoryColumn[];
  /** The counts by the category of the first column, and of the second; of one column alone a single entry each. At least 0. */
  readonly counts: readonly (readonly number[])[];
}

/**
 * Fits tables to noisy counts, and no noise makes it fail. The total is at least 0. Each column's counts are projected on those that are at
 * least 0 and add up to it; tables of two columns are fitted to the counts of both.
 */
export function fitMarginals(
  model: Model,
  marginals: readonly (readonly CategoryColumn[])[],
  layout: Layout,
  statistics: NoisyStatistics,
): FittedMarginals {
  const blockOf = ({ name }: CategoryColumn): number =>
    layout.blocks.findIndex((block) => block.name === name);
  const noisy = marginals.map((columns): Matrix => {
    const [first, second] = columns;
    const rows = first?.categories.length ?? 0;
    return matrixOf(rows, second?.categories.length ?? 1, (i, j) => {
      const cells = [i, j].flatMap((category, at) => {
        const column = columns[at];
        return column ? [{ block: blockOf(column), category }] : [];
      });
      const place = statistics.place({ cells, factors: [] });
      return place === null ? 0 : doubleAt(statistics.values, place);
    });
  });
  const sumOf = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);
  const total = Math.max(
    0,
    elementAt(noisy, 0).reduce((sum, row) => sum + sumOf(row), 0),
  );
  // Noisy tables agree by their reading, so whichever names a column gives the same counts of it.
  const margins = new Map<string, Float64Array>();
  for (const [at, columns] of marginals.entries()) {
    const table = elementAt(noisy, at);
    const [first, second] = columns;
    if (first && !margins.has(first.name))
      margins.set(first.name, onSimplex(Float64Array.from(table, sumOf), total));
    if (second && !margins.has(second.name)) {
      const sums = second.categories.map((_, j) => table.reduce((sum, row) => sum + doubleAt(row, j), 0));
      margins.set(second.name, onSimplex(Float64Array.from(sums), total));
    }
  }
  const marginOf = ({ name }: CategoryColumn): Float64Array => margins.get(name) ?? new Float64Array(0);
  return {
    version: 1,
    kind: "marginals",
    total,
    tables: marginals.map((columns, at): MarginalTable => {
      const [first, second] = columns;
      if (!first) return { columns, counts: [] };
      if (!second) return { columns, counts: [...marginOf(first)].map((count) => [count]) };
      const table = withMargins(elementAt(noisy, at), marginOf(first), marginOf(second));
      return { columns, counts: table.map((row) => [...row]) };
    }),
    notes: rowsOfModel(model),
  };
}

/** The share of rows that are in the row's cell of each table; null where a column is missing, or there are no rows. */
export function cellShares({ tables, total }: FittedMarginals, row: RowValues): readonly (number | null)[] {
  return tables.map(({ columns, counts }) => {
    const [i, j] = columns.map((column) => categoryPlace(column, row));
    if (i === null || i === undefined || j === null || !(total > 0)) return null;
    return elementAt(elementAt(counts, i), j ?? 0) / total;
  });
}

/** The same as expressions of SQL, in PostgreSQL's syntax. */
export function cellSharesSql({ tables, total }: FittedMarginals): readonly string[] {
  return tables.map(({ columns: [first, second], counts }) => {
    if (!first || !(total > 0)) return "NULL";
    const share = (i: number, j: number): string => double(elementAt(elementAt(counts, i), j) / total);
    return byCategory(first, (_, i) =>
      second ? byCategory(second, (_none, j) => share(i, j)) : share(i, 0),
    );
  });
}
