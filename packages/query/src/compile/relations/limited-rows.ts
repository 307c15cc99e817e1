import type { Dialect } from "../../dialects/dialect.ts";
import type { RowLimit, TableRelation } from "../../relations/relation.ts";
import { rowHash } from "./bounded-rows.ts";

/** The rows of a table, as a SELECT, and the limits on them before they are joined. */
export interface RowsToLimit {
  readonly all: string;
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
export function limitedRows(rows: RowsToLimit, dialect: Dialect): string {
  const isOwned = rows.limits.some(({ per }) => per === "unit" || per === "unit-and-key");
  return isOwned ? ownedRows(rows, dialect) : publicRows(rows);
}

function publicRows({ all, limits, names, keys }: RowsToLimit): string {
  const columns = [...names.values(), ...keys.values()];
  const order = columns.map((column) => `rows.${column}`).join(", ");
  return limits.reduce((sql, limit) => {
    const partition = limit.per === "value" ? `PARTITION BY rows.${names.get(limit.column)!} ` : "";
    const by = order === "" ? "" : `ORDER BY ${order}`;
    return ranked(sql, columns, `row_number() OVER (${partition}${by})`, limit.rows);
  }, all);
}

function ranked(sql: string, columns: readonly string[], place: string, most: number): string {
  const list = (table: string): string => columns.map((column) => `${table}.${column}`).join(", ");
  const within = [...columns.map((column) => `rows.${column}`), `${place} AS place`].join(", ");
  return `SELECT ${list("kept") || "1 AS nothing"} FROM (SELECT ${within} FROM (${sql}) AS rows) AS kept WHERE kept.place <= ${most}`;
}

/** Limits rows of units. Only rows of units that have too many are ranked: finding those units costs less than ranking everybody's rows. */
function ownedRows({ all, limits, columns, names, keys }: RowsToLimit, dialect: Dialect): string {
  const shown = [...names.values(), ...keys.values(), "u"];
  const list = (table: string): string => shown.map((column) => `${table}.${column}`).join(", ");
  const isMany = `EXISTS (SELECT 1 FROM many WHERE many.u = rows.u)`;
  const hash = orderOfRows({ columns, names, keys }, dialect);
  const few = limits.reduce(
    (sql, limit) => {
      // Rows whose key is missing join nothing, and so are not limited by key.
      const key = limit.per === "unit-and-key" ? `rows.${keys.get(limit.column)!}` : null;
      const place = `row_number() OVER (PARTITION BY ${["rows.u", ...(key === null ? [] : [key])].join(", ")} ORDER BY ${hash}, rows.u)`;
      const bounded = key === null ? place : `CASE WHEN ${key} IS NULL THEN 1 ELSE ${place} END`;
      return ranked(sql, shown, bounded, limit.rows);
    },
    `SELECT ${list("rows")} FROM (${all}) AS rows WHERE ${isMany}`,
  );
  return [
    `WITH many AS MATERIALIZED (${unitsWithMany(all, limits, keys)})`,
    `SELECT ${list("rows")} FROM (${all}) AS rows WHERE NOT ${isMany} UNION ALL ${few}`,
  ].join(" ");
}

/** Selects the units with more rows than a limit allows. */
function unitsWithMany(all: string, limits: readonly RowLimit[], keys: ReadonlyMap<string, string>): string {
  const ofKeys = limits.flatMap((limit) => (limit.per === "unit-and-key" ? [limit] : []));
  const [ofUnit] = limits.filter((limit) => limit.per === "unit");
  const [key, ...others] = ofKeys.map(({ column }) => keys.get(column)!);
  if (others.length > 0) throw new TypeError("a table has one key");
  if (key === undefined)
    return `SELECT rows.u FROM (${all}) AS rows GROUP BY rows.u HAVING count(*) > ${ofUnit!.rows}`;
  const counted = `SELECT rows.u, rows.${key} AS k, count(*) AS n FROM (${all}) AS rows GROUP BY rows.u, rows.${key}`;
  const beyond = [
    `max(CASE WHEN own.k IS NOT NULL THEN own.n END) > ${ofKeys[0]!.rows}`,
    ...(ofUnit === undefined ? [] : [`sum(own.n) > ${ofUnit.rows}`]),
  ];
  return `SELECT own.u FROM (${counted}) AS own GROUP BY own.u HAVING ${beyond.join(" OR ")}`;
}

/**
 * Orders rows by a keyed hash of the columns that are read. Rows that are alike in it come in the order of their keys as they are
 * written.
 */
function orderOfRows(
  { columns, names, keys }: Pick<RowsToLimit, "columns" | "names" | "keys">,
  dialect: Dialect,
): string {
  const hash = rowHash("rows.u", columns, (column) => `rows.${names.get(column)}`, dialect);
  const written = [...keys].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, name]) => `rows.${name}`);
  return [hash, ...written].join(", ");
}
