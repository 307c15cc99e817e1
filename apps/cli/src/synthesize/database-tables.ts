import { cellCounts } from "@lethe/core/mechanisms";
import { type Execute, executor } from "@lethe/gateway";
import { type Domain, type ExactTables, longestTable, sizesOf, tableAxes } from "@lethe/learn/synthesis";
import type { Engine } from "@lethe/query";
import type { PlannedTable } from "./plan-table.ts";

/** The tables of a synthesis in a database. */
export interface DatabaseTables {
  /** Compiles the table of each column, of the two with most values and of the two with the longest question, so that what a database refuses is refused before the charge. Errors: engine.*. */
  prepare(): Promise<void>;
  /** A table is a GROUP BY, asked for when it is needed. Its counts come sealed. */
  readonly exact: ExactTables;
}

/** Counts the tables of a planned synthesis in its database. */
export function databaseTables({ spec, question }: PlannedTable, engine: Engine): DatabaseTables {
  const prepared = new Map<string, { readonly plan: Parameters<Execute>[0]; readonly execute: Execute }>();
  const ready = async (attributes: readonly number[]) => {
    const key = attributes.join(",");
    const known = prepared.get(key);
    if (known) return known;
    const plan = await question(attributes);
    const made = { plan, execute: await executor(plan, engine) };
    prepared.set(key, made);
    return made;
  };
  return {
    async prepare() {
      for (const attribute of spec.domain.keys()) await ready([attribute]);
      if (spec.domain.length > 1) await ready(largestPair(spec.domain));
      await ready(longestTable(spec.domain));
    },
    async exact(shape) {
      const { plan, execute } = await ready(shape.attributes);
      const [rows] = await execute(plan);
      if (!rows) throw new Error("a table has no rows of sums");
      return cellCounts(rows, tableAxes(spec, shape));
    },
  };
}

/** The two attributes with most values, in order. */
export function largestPair(domain: Domain): readonly number[] {
  const sizes = sizesOf(domain);
  return [...sizes.keys()]
    .sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0))
    .slice(0, 2)
    .sort((a, b) => a - b);
}
