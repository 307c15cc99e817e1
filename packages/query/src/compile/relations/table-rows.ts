import type { Dialect } from "../../dialects/dialect.ts";
import type { UnitStep } from "../../policy/unit-path.ts";
import type { TableRelation } from "../../relations/relation.ts";
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
export function tableRows(relation: TableRelation, reading: TableReading): string {
  const { names, dialect } = reading;
  const { table, source, unit, columns, oncePer } = relation;
  const keys = names.keysOf(source);
  const link = unit.kind === "column" ? unit.column : null;
  const key = keys.find(([column]) => column !== link)?.[0] ?? null;
  const at = (name: string): string => `base.${dialect.identifier(name)}`;
  const shown = [
    ...Object.keys(columns).map((name) => `${at(name)} AS ${names.ofSource(source, name)}`),
    ...keys.map(([column, name]) => `${at(column === link ? unitColumn : keyColumn)} AS ${name}`),
  ];
  const base = `${baseRows(table, columns, { unit: link, key }, reading)} AS base`;
  if (unit.kind !== "column") {
    const all = `SELECT ${shown.length === 0 ? "1 AS nothing" : shown.join(", ")} FROM ${base}`;
    return limited(relation, oncePer === null ? all : once(relation, oncePer, all, names), reading);
  }
  const [step, ...steps] = unit.path;
  const owned = step
    ? `SELECT ${[...shown, "owner.u AS u"].join(", ")} FROM ${base} JOIN (${owners(step, steps, reading)}) AS owner ON ${at(unitColumn)} = owner.k`
    : `SELECT ${[...shown, `${at(unitColumn)} AS u`].join(", ")} FROM ${base} WHERE ${at(unitColumn)} IS NOT NULL`;
  return limited(relation, owned, reading);
}

function limited(relation: TableRelation, all: string, { names, dialect }: TableReading): string {
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
function owners({ table, key, column }: UnitStep, steps: readonly UnitStep[], reading: TableReading): string {
  const [next, ...rest] = steps;
  const at = (name: string): string => `base.${reading.dialect.identifier(name)}`;
  const base = `${baseRows(table, {}, { unit: column, key }, reading)} AS base`;
  const [k, link] = [at(keyColumn), at(unitColumn)];
  if (!next)
    return `SELECT ${k} AS k, min(${link}) AS u FROM ${base} WHERE ${k} IS NOT NULL AND ${link} IS NOT NULL GROUP BY 1`;
  const owner = `(${owners(next, rest, reading)}) AS owner`;
  return `SELECT ${k} AS k, min(owner.u) AS u FROM ${base} JOIN ${owner} ON ${link} = owner.k WHERE ${k} IS NOT NULL GROUP BY 1`;
}

function baseRows(
  table: string,
  columns: TableRelation["columns"],
  texts: KeptTexts,
  { storageOf, dialect }: TableReading,
): string {
  const storage = storageOf(table);
  const relation = storage.relation.map(dialect.identifier).join(".");
  if (storage.layout === "snapshot") return relation;
  return `(${cleanSelect(columns, texts, relation, dialect, storage.types)})`;
}

/** The first row of each value, in the order of all that is read: the same one, however the engine goes about it. */
function once(relation: TableRelation, oncePer: string, all: string, names: RelationNames): string {
  const columns = names.shown(relation);
  const by = names.ofSource(relation.source, oncePer);
  const place = `row_number() OVER (PARTITION BY rows.${by} ORDER BY ${columns.map((name) => `rows.${name}`).join(", ")})`;
  const placed = `SELECT ${columns.map((name) => `rows.${name}`).join(", ")}, ${place} AS place FROM (${all}) AS rows`;
  return `SELECT ${columns.map((name) => `once.${name}`).join(", ")} FROM (${placed}) AS once WHERE once.place = 1`;
}
