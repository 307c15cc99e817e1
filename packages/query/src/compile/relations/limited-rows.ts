import { elementAt } from "@lethe/core/numeric";
import type { Dialect } from "../../dialects/dialect.ts";
import { atKey } from "../../policy/entry-of.ts";
import type { RowLimit, TableRelation } from "../../relations/relation.ts";
import {
  columnsOf,
  named,
  type Query,
  rowsOf,
  select,
  table,
  unionAll,
  withTables,
} from "../../sql/query.ts";
import type { ValueWriter } from "../../sql/value-writer.ts";
import { rowHash } from "./bounded-rows.ts";

/** The rows of a table, as a SELECT, and the limits on them before they are joined. */
export interface RowsToLimit {
  readonly all: Query;
  readonly limits: readonly RowLimit[];
  /** The columns by the policy's names. Their names in the SELECT are in `names`, and those of keys as they are written in `keys`. */
  readonly columns: TableRelation["columns"];
  readonly names: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, string>;
}

/**
 * Keeps the rows that the limits allow. Public rows come in the order of all columns that are read. Private rows come in the
 * order of a keyed hash of those columns, so that the rows kept depend on the unit's own rows and the seed alone. Rows that are
 * alike in all of these columns are alike to every reader.
 */
export function limitedRows(rows: RowsToLimit, dialect: Dialect): Query {
  const isOwned = rows.limits.some(({ per }) => per === "unit" || per === "unit-and-key");
  return isOwned ? ownedRows(rows, dialect) : publicRows(rows, dialect);
}

function publicRows({ all, limits, names, keys }: RowsToLimit, { write }: Dialect): Query {
  const columns = [...names.values(), ...keys.values()];
  return limits.reduce((query, limit) => {
    const place = write.over(write.call("row_number"), {
      partitionBy: limit.per === "value" ? [`rows.${atKey(names, limit.column)}`] : [],
      orderBy: columnsOf("rows", columns),
    });
    return ranked(query, columns, place, limit.rows, write);
  }, all);
}

function ranked(
  of: Query,
  columns: readonly string[],
  place: string,
  most: number,
  write: ValueWriter,
): Query {
  const placed = select([...columnsOf("rows", columns), named(place, "place")], rowsOf(of, "rows"));
  return select(columnsOf("kept", columns), rowsOf(placed, "kept"), {
    where: [write.compare("kept.place", "<=", write.integer(most))],
  });
}

/**
 * Limits rows of units. Only rows of units that have too many are ranked, for finding those units costs less than ranking everybody's rows; but
 * where the rows would be made anew for each time that they are named, all are ranked.
 */
function ownedRows({ all, limits, columns, names, keys }: RowsToLimit, dialect: Dialect): Query {
  const { write } = dialect;
  const shown = [...names.values(), ...keys.values(), "u"];
  const isSame = write.compare("many.u", "=", "rows.u");
  const isMany = write.exists(select(["1"], table("many"), { where: [isSame] }));
  const allWhere = (condition: string): Query =>
    select(columnsOf("rows", shown), rowsOf(all, "rows"), { where: [condition] });
  const hash = orderOfRows({ columns, names, keys }, dialect);
  const ranking = (of: Query): Query =>
    limits.reduce((query, limit) => {
      // Rows whose key is missing join nothing, and so are not limited by key.
      const key = limit.per === "unit-and-key" ? `rows.${atKey(keys, limit.column)}` : null;
      const place = write.over(write.call("row_number"), {
        partitionBy: ["rows.u", ...(key === null ? [] : [key])],
        orderBy: [...hash, "rows.u"],
      });
      const bounded = key === null ? place : write.caseOf([[write.isMissing(key), write.integer(1)]], place);
      return ranked(query, shown, bounded, limit.rows, write);
    }, of);
  if (dialect.copiesTables) return ranking(all);
  return withTables(
    [{ name: "many", query: unitsWithMany(all, limits, keys, write) }],
    unionAll([allWhere(write.not(isMany)), ranking(allWhere(isMany))]),
  );
}

/** Selects the units with more rows than a limit allows. */
function unitsWithMany(
  all: Query,
  limits: readonly RowLimit[],
  keys: ReadonlyMap<string, string>,
  write: ValueWriter,
): Query {
  const ofKeys = limits.flatMap((limit) => (limit.per === "unit-and-key" ? [limit] : []));
  const ofUnit = limits.filter((limit) => limit.per === "unit");
  const [key, ...others] = ofKeys.map(({ column }) => atKey(keys, column));
  if (others.length > 0) throw new TypeError("a table has one key");
  const isMore = (n: string, most: number): string => write.compare(n, ">", write.integer(most));
  if (key === undefined)
    return select(["rows.u"], rowsOf(all, "rows"), {
      groupBy: ["rows.u"],
      havingAny: ofUnit.map(({ rows }) => isMore(write.count(), rows)),
    });
  const counted = select(
    ["rows.u", named(`rows.${key}`, "k"), named(write.count(), "n")],
    rowsOf(all, "rows"),
    { groupBy: ["rows.u", `rows.${key}`] },
  );
  const ofKey = write.caseOf([[write.isPresent("own.k"), "own.n"]]);
  return select(["own.u"], rowsOf(counted, "own"), {
    groupBy: ["own.u"],
    havingAny: [
      isMore(write.max(ofKey), elementAt(ofKeys, 0).rows),
      ...ofUnit.map(({ rows }) => isMore(write.sum("own.n"), rows)),
    ],
  });
}

/**
 * Orders rows by a keyed hash of the columns that are read. Rows that are alike in it come in the order of their keys as they are
 * written.
 */
function orderOfRows(
  { columns, names, keys }: Pick<RowsToLimit, "columns" | "names" | "keys">,
  dialect: Dialect,
): readonly string[] {
  const hash = rowHash("rows.u", columns, (column) => `rows.${names.get(column)}`, dialect);
  const written = [...keys].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, name]) => `rows.${name}`);
  return [hash, ...written];
}
