import type { Dialect } from "../../dialects/dialect.ts";
import type { UnitStep } from "../../policy/unit-path.ts";
import type { TableRelation } from "../../relations/relation.ts";
import {
  columnsOf,
  type FromItem,
  type Join,
  join,
  named,
  places,
  type Query,
  rowsOf,
  type SelectColumn,
  select,
  table as tableNamed,
} from "../../sql/query.ts";
import { cleanSelect, type KeptTexts, keyColumn, unitColumn } from "../stored/snapshot-select.ts";
import type { StorageOf } from "../stored/storage-of.ts";
import { limitedRows } from "./limited-rows.ts";
import type { RelationNames } from "./relation-names.ts";

/** How tables are read. */
export interface TableReading {
  readonly names: RelationNames;
  readonly storageOf: StorageOf;
  readonly dialect: Dialect;
}

/** The rows of one table as a SELECT: cleaned, those that are somebody's, and no more of them than may be joined. */
export function tableRows(relation: TableRelation, reading: TableReading): Query {
  const { names, dialect } = reading;
  const { table, source, unit, columns, oncePer } = relation;
  const keys = names.keysOf(source);
  const link = unit.kind === "column" ? unit.column : null;
  const key = keys.find(([column]) => column !== link)?.[0] ?? null;
  const at = (name: string): string => `base.${dialect.identifier(name)}`;
  const shown = [
    ...Object.keys(columns).map((name) => named(at(name), names.ofSource(source, name))),
    ...keys.map(([column, name]) => named(at(column === link ? unitColumn : keyColumn), name)),
  ];
  const base = baseRows(table, columns, { unit: link, key }, reading);
  if (unit.kind !== "column") {
    const all = select(shown, base);
    return limited(relation, oncePer === null ? all : once(relation, oncePer, all, reading), reading);
  }
  const [step, ...steps] = unit.path;
  const owned = step
    ? select([...shown, named("owner.u", "u")], base, { joins: [ownerJoin(step, steps, reading)] })
    : select([...shown, named(at(unitColumn), "u")], base, {
        where: [dialect.write.isPresent(at(unitColumn))],
      });
  return limited(relation, owned, reading);
}

function limited(relation: TableRelation, all: Query, { names, dialect }: TableReading): Query {
  const { source, columns, limits = [] } = relation;
  if (limits.length === 0) return all;
  const named = Object.keys(columns).map((name) => [name, names.ofSource(source, name)] as const);
  return limitedRows(
    { all, limits, columns, names: new Map(named), keys: new Map(names.keysOf(source)) },
    dialect,
  );
}

/**
 * Units by key: the one of least name where the data give a key to several, so that whose absence we consider, every
 * other unit keeps its rows (docs/architecture/joins.md).
 */
function owners({ table, key, column }: UnitStep, steps: readonly UnitStep[], reading: TableReading): Query {
  const { identifier, write } = reading.dialect;
  const [next, ...rest] = steps;
  const base = baseRows(table, {}, { unit: column, key }, reading);
  const [k, link] = [`base.${identifier(keyColumn)}`, `base.${identifier(unitColumn)}`];
  const columns = (unit: string): readonly SelectColumn[] => [named(k, "k"), named(write.min(unit), "u")];
  if (!next)
    return select(columns(link), base, {
      where: [write.isPresent(k), write.isPresent(link)],
      groupBy: places(1),
    });
  return select(columns("owner.u"), base, {
    joins: [ownerJoin(next, rest, reading)],
    where: [write.isPresent(k)],
    groupBy: places(1),
  });
}

/** Joins the rows of `base` with the units that own them. */
function ownerJoin(step: UnitStep, steps: readonly UnitStep[], reading: TableReading): Join {
  const { identifier, write } = reading.dialect;
  const isOwner = write.compare(`base.${identifier(unitColumn)}`, "=", "owner.k");
  return join(rowsOf(owners(step, steps, reading), "owner"), [isOwner]);
}

/** The rows of a table, named `base`. */
function baseRows(
  table: string,
  columns: TableRelation["columns"],
  texts: KeptTexts,
  { storageOf, dialect }: TableReading,
): FromItem {
  const storage = storageOf(table);
  const relation = storage.relation.map(dialect.identifier).join(".");
  if (storage.layout === "snapshot") return tableNamed(relation, "base");
  return rowsOf(cleanSelect(columns, texts, relation, dialect, storage.types), "base");
}

/** The first row of each value, in the order of all that is read: the same one, however the engine goes about it. */
function once(
  relation: TableRelation,
  oncePer: string,
  all: Query,
  { names, dialect: { write } }: TableReading,
): Query {
  const columns = names.shown(relation);
  const place = write.over(write.call("row_number"), {
    partitionBy: [`rows.${names.ofSource(relation.source, oncePer)}`],
    orderBy: columnsOf("rows", columns),
  });
  const placed = select([...columnsOf("rows", columns), named(place, "place")], rowsOf(all, "rows"));
  return select(columnsOf("once", columns), rowsOf(placed, "once"), {
    where: [write.compare("once.place", "=", write.integer(1))],
  });
}
