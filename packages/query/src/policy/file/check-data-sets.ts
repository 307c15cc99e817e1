import { didYouMean } from "../../refusals/did-you-mean.ts";
import type { BudgetFault } from "./check-budget.ts";
import type { PolicyFile } from "./policy-file.ts";

/** Returns what is wrong with the tables of the budget's data sets: each must be a private table of the policy, and in one data set at most. */
export function* checkDataSets({
  budget,
  tables,
}: Pick<PolicyFile, "budget" | "tables">): Iterable<BudgetFault> {
  const taken = new Map<string, string>();
  for (const [name, dataSet] of Object.entries(budget.datasets ?? {})) {
    for (const [at, table] of dataSet.tables.entries()) {
      const path = ["budget", "datasets", name, "tables", at];
      const other = taken.get(table);
      if (!Object.hasOwn(tables, table))
        yield {
          path,
          wrong: `${JSON.stringify(table)} is no table of the policy`,
          fix: didYouMean(table, Object.keys(tables)),
        };
      else if (tables[table]?.unit === undefined)
        yield { path, wrong: "is a public table, which costs nothing", fix: "remove it" };
      else if (other !== undefined)
        yield {
          path,
          wrong: `${JSON.stringify(table)} is in data set ${other} already`,
          fix: "leave it in one data set",
        };
      taken.set(table, other ?? name);
    }
  }
}
