import type { ReserveRequest } from "@lethe/ledger";
import { type Plan, type Policy, tablesAnswered } from "@lethe/query";

/** Returns the data sets of a policy that hold any of these tables, once each: their caps cover what reads them. */
export function dataSetsOf(
  { budget: { dataSets = {} } }: Pick<Policy, "budget">,
  tables: Iterable<string>,
): string[] {
  const read = new Set(tables);
  return Object.entries(dataSets).flatMap(([name, own]) =>
    own.tables.some((table) => read.has(table)) ? [name] : [],
  );
}

/** Returns what of a charge says which caps cover it: the project that it is asked for, and the data sets that its plans read. What is not there leaves no trace. */
export function scopesOfPlans(
  plans: readonly Plan[],
  project: string | undefined,
  policy: Pick<Policy, "budget">,
): Pick<ReserveRequest, "project" | "dataSets"> {
  return scopesOfTables(plans.flatMap(tablesAnswered), project, policy);
}

/** {@link scopesOfPlans}, of what reads tables by itself. */
export function scopesOfTables(
  tables: Iterable<string>,
  project: string | undefined,
  policy: Pick<Policy, "budget">,
): Pick<ReserveRequest, "project" | "dataSets"> {
  const dataSets = dataSetsOf(policy, tables);
  return {
    ...(project === undefined ? {} : { project }),
    ...(dataSets.length === 0 ? {} : { dataSets }),
  };
}
