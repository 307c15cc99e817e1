import type { Dialect } from "../../dialects/dialect.ts";
import { printQuery } from "../../dialects/print-query.ts";
import { publicKeys } from "../../expressions/domain.ts";
import { entryOf } from "../../policy/entry-of.ts";
import type { Policy } from "../../policy/policy.ts";
import { unitPath } from "../../policy/unit-path.ts";
import { columnDomain } from "../../resolve/names/scope.ts";
import {
  named,
  type Query,
  rowsOf,
  type SelectColumn,
  select,
  table as tableNamed,
} from "../../sql/query.ts";
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
  const { contribution, columns } = entryOf(policy.tables, table);
  const { maxGroups, maxRowsPerGroup } = contribution;
  const isOfTable = contribution.limit === "rows-before-filter";
  const publics = Object.entries(columns).filter(
    ([, column]) => !isOfTable && publicKeys(columnDomain(column)) !== null,
  );
  const { identifier, write } = dialect;
  const relation = storage.relation.map(identifier).join(".");
  const unit = identifier(unitColumn);
  const texts = { unit: path.column, key: null };
  const rows =
    storage.layout === "snapshot"
      ? tableNamed(relation, "rows")
      : rowsOf(cleanSelect(Object.fromEntries(publics), texts, relation, dialect, storage.types), "rows");
  /** Counts rows a unit, and a group where groups are named. */
  const counted = (shown: readonly SelectColumn[], ...groups: readonly string[]): Query =>
    select([...shown, named(write.count(), "n")], rows, {
      where: [write.isPresent(unit)],
      groupBy: [unit, ...groups],
    });
  const ask = (columns: readonly string[], query: Query): Promise<readonly number[]> =>
    numbers(printQuery(select(columns, rowsOf(query, "units")), dialect.words));
  const atMost = (x: string, most: number): string => write.least(x, write.integer(most));
  const countAbove = (x: string, most: number): string =>
    write.countWhere(write.compare(x, ">", write.integer(most)));

  const limit = isOfTable ? maxGroups * maxRowsPerGroup : maxRowsPerGroup;
  const columnsOfAll = [
    ...[write.count(), countAbove("n", limit)],
    ...[atMost("n", limit), "n"].map((n) => write.coalesce(write.sum(n), "0")),
  ];
  const [units, beyond, kept, all] = (await ask(columnsOfAll, counted([]))) as [
    number,
    number,
    number,
    number,
  ];
  const grouped: KeptRows["grouped"][number][] = [];
  for (const [column] of publics) {
    const inGroups = counted([named(unit, "unit")], identifier(column));
    const ofUnits = select(
      [named(write.count(), "g"), named(write.sum(atMost("n", maxRowsPerGroup)), "kept")],
      rowsOf(inGroups, "groups"),
      { groupBy: ["unit"] },
    );
    const share = write.ratio(write.cast(write.times("kept", atMost("g", maxGroups)), "double"), "g");
    const [many, sum] = (await ask(
      [countAbove("g", maxGroups), write.coalesce(write.sumOfDoubles(share), "0")],
      ofUnits,
    )) as [number, number];
    if (many > 0) grouped.push({ column, beyond: many, share: sum / all });
  }
  return { units, beyond, limit, share: all > 0 ? kept / all : 1, grouped };
}
