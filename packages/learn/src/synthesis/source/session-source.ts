import { type Rational, toText } from "@lethe/core";
import type { CellCounts, Exact, TableSession } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { type MergedValues, unmerged } from "../domain/index.ts";
import { cellsOf } from "../graph/index.ts";
import type { ExactTables, MarginalSource } from "./marginal-source.ts";

/** A source over a paid session and sealed tables, each of which is counted once. */
export function sessionSource(
  session: TableSession,
  tables: ExactTables,
  sizes: readonly number[],
): MarginalSource {
  return over(session, tables, sizes.map(unmerged));
}

function over(session: TableSession, tables: ExactTables, merged: readonly MergedValues[]): MarginalSource {
  const sizes = merged.map(({ size }) => size);
  const counted = new Map<string, Promise<Exact<CellCounts>>>();
  const tableOf = (attributes: readonly number[]): Promise<Exact<CellCounts>> => {
    const key = attributes.join(",");
    const table =
      counted.get(key) ?? tables({ attributes, merged: attributes.map((at) => elementAt(merged, at)) });
    counted.set(key, table);
    return table;
  };
  return {
    sizes,
    get left(): Rational {
      return session.left;
    },
    async measure(attributes, sigma) {
      const cells = cellsOf(sizes, attributes);
      return session.measure(await tableOf(attributes), { sigma: toText(sigma), cells });
    },
    async choose(candidates, epsilon) {
      // One at a time: a database counts each, and none waits in memory for another.
      const exact: Exact<CellCounts>[] = [];
      for (const { attributes } of candidates) exact.push(await tableOf(attributes));
      return session.choose(
        candidates.map((candidate, at) => ({ ...candidate, table: elementAt(exact, at) })),
        { epsilon: toText(epsilon) },
      );
    },
    merging: (values) => over(session, tables, values),
  };
}
