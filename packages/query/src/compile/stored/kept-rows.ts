import type { Dialect } from "../../dialects/dialect.ts";
import { publicKeys } from "../../expressions/domain.ts";
import type { Policy } from "../../policy/policy.ts";
import { unitPath } from "../../policy/unit-path.ts";
import { columnDomain } from "../../resolve/names/scope.ts";
import { cleanSelect, unitColumn } from "./snapshot-select.ts";
import type { TableStorage } from "./storage-of.ts";

/** The part of a table that the limits on a unit's rows keep. Exact, and so the owner's alone: no log, lint, draft or policy holds it. */
export interface KeptRows {
  /** The number of units with rows. */
  readonly units: number;
  readonly beyond: number;
  /** The most rows of a unit that such a question counts. */
  readonly limit: number;
  /** The share of all rows that it counts. */
  readonly share: number;
  /** The same for questions that group by one column with public keys, where units are in more groups than they may be. */
  readonly grouped: readonly {
    readonly column: string;
    readonly beyond: number;
    /** The share of all rows that such a question counts, averaged over which groups of a unit count. */
    readonly share: number;
  }[];
}

/**
 * Asks a database by `numbers`, which returns the one row of a statement. Null where no limit is enforced, and where other tables
 * are needed to tell whose a row is.
 */
export async function keptRows(
  policy: Policy,
  table: string,
  storage: TableStorage,
  dialect: Dialect,
  numbers: (sql: string) => Promise<readonly number[]>,
): Promise<KeptRows | null> {
  const path = unitPath(policy, table);
  if (path.kind !== "column" || path.path.length > 0) return null;
  const { contribution, columns } = policy.tables[table]!;
  const { maxGroups, maxRowsPerGroup, bound } = contribution;
  const isOfTable = bound === "rows-before-filter";
  const publics = Object.entries(columns).filter(
    ([, column]) => !isOfTable && publicKeys(columnDomain(column)) !== null,
  );
  const { identifier } = dialect;
  const relation = storage.relation.map(identifier).join(".");
  const cleaned = (): string =>
    `(${cleanSelect(Object.fromEntries(publics), { unit: path.column, key: null }, relation, dialect, storage.types)})`;
  const unit = identifier(unitColumn);
  const owned = `FROM ${storage.layout === "snapshot" ? relation : cleaned()} AS rows WHERE ${unit} IS NOT NULL GROUP BY ${unit}`;

  const limit = isOfTable ? maxGroups * maxRowsPerGroup : maxRowsPerGroup;
  const [units, beyond, kept, rows] = (await numbers(
    `SELECT count(*), count(*) FILTER (WHERE n > ${limit}), coalesce(sum(least(n, ${limit})), 0), coalesce(sum(n), 0) ` +
      `FROM (SELECT count(*) AS n ${owned}) AS units`,
  )) as [number, number, number, number];
  const grouped: KeptRows["grouped"][number][] = [];
  for (const [column] of publics) {
    const counted = `CAST(kept * least(g, ${maxGroups}) AS ${dialect.types.double}) / g`;
    const [many, sum] = (await numbers(
      `SELECT count(*) FILTER (WHERE g > ${maxGroups}), coalesce(sum(${counted}), 0) ` +
        `FROM (SELECT count(*) AS g, sum(least(n, ${maxRowsPerGroup})) AS kept ` +
        `FROM (SELECT ${unit} AS unit, count(*) AS n ${owned}, ${identifier(column)}) AS groups GROUP BY unit) AS units`,
    )) as [number, number];
    if (many > 0) grouped.push({ column, beyond: many, share: sum / rows });
  }
  return { units, beyond, limit, share: rows > 0 ? kept / rows : 1, grouped };
}
