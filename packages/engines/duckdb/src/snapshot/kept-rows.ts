import type { DuckDBConnection } from "@duckdb/node-api";
import { columnDomain, type Policy, publicKeys, unitColumn, unitPath } from "@lethe/query";
import { quoteIdentifier } from "../quote.ts";

/** What the limits on a unit's rows leave of a table. Exact, and so the owner's alone: no log, lint, draft or policy holds it. */
export interface KeptRows {
  /** Units with rows, and those of them with more rows than a question without GROUP BY counts. */
  readonly units: number;
  readonly beyond: number;
  /** How many of a unit's rows such a question counts. */
  readonly limit: number;
  /** The share of all rows that it counts. */
  readonly share: number;
  /** The same of questions that group by one column with public keys, where units are in more groups than they may be. */
  readonly grouped: readonly {
    readonly column: string;
    readonly beyond: number;
    /** On average over which groups of a unit count. */
    readonly share: number;
  }[];
}

/** Null where no limit is enforced, and where other tables are needed to tell whose a row is. */
export async function keptRows(
  connection: DuckDBConnection,
  { policy, table }: { readonly policy: Policy; readonly table: string },
  snapshot: string,
): Promise<KeptRows | null> {
  const path = unitPath(policy, table);
  if (path.kind !== "column" || path.path.length > 0) return null;
  const { contribution, columns } = policy.tables[table]!;
  const { maxGroups, maxRowsPerGroup, bound } = contribution;
  const unit = quoteIdentifier(unitColumn);
  const owned = `FROM ${snapshot} WHERE ${unit} IS NOT NULL GROUP BY ${unit}`;
  const numbers = async (sql: string): Promise<readonly number[]> =>
    (await connection.runAndReadAll(sql)).getRows()[0]!.map(Number);

  const isOfTable = bound === "rows-before-filter";
  const limit = isOfTable ? maxGroups * maxRowsPerGroup : maxRowsPerGroup;
  const [units, beyond, kept, rows] = (await numbers(
    `SELECT count(*), count(*) FILTER (WHERE n > ${limit}), coalesce(sum(least(n, ${limit})), 0), coalesce(sum(n), 0) ` +
      `FROM (SELECT count(*) AS n ${owned})`,
  )) as [number, number, number, number];
  const grouped: KeptRows["grouped"][number][] = [];
  for (const [column, policyOfColumn] of isOfTable ? [] : Object.entries(columns)) {
    if (publicKeys(columnDomain(policyOfColumn)) === null) continue;
    const [many, counted] = (await numbers(
      `SELECT count(*) FILTER (WHERE g > ${maxGroups}), coalesce(sum(kept * least(g, ${maxGroups}) / g), 0) ` +
        `FROM (SELECT count(*) AS g, sum(least(n, ${maxRowsPerGroup})) AS kept ` +
        `FROM (SELECT ${unit}, count(*) AS n ${owned}, ${quoteIdentifier(column)}) GROUP BY ${unit})`,
    )) as [number, number];
    if (many > 0) grouped.push({ column, beyond: many, share: counted / rows });
  }
  return { units, beyond, limit, share: rows > 0 ? kept / rows : 1, grouped };
}
