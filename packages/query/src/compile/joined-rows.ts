import { type ColumnExpression, children, columnId, type Expression } from "../bind/expression.ts";
import {
  allSources,
  type FilterRelation,
  type GroupedRelation,
  type JoinRelation,
  type KeyOfSource,
  namesEveryUnit,
  ownerOf,
  type Relation,
  type SemijoinRelation,
  shownSources,
  type TableRelation,
  type UnionRelation,
  type WindowedRelation,
} from "../bind/relation.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { TableStorage } from "../engine.ts";
import type { UnitStep } from "../policy/unit-path.ts";
import { compileExpression } from "./compile-expression.ts";
import { groupedRows, type UnitValueNames } from "./grouped-rows.ts";
import { keptText } from "./kept-text.ts";
import { limitedRows } from "./limited-rows.ts";
import { cleanSelect, type KeptTexts, keyColumn, unitColumn } from "./snapshot-select.ts";
import { reader } from "./stored-reader.ts";
import { windowedRows } from "./windowed-rows.ts";

/** A SELECT of a relation's rows: its columns as stored, and where rows are units' u, which is never NULL. */
export interface JoinedRows {
  readonly sql: string;
  /** The name that a column has there. */
  readonly column: (column: Pick<ColumnExpression, "source" | "name">) => string;
}

type StorageOf = (table: string) => TableStorage;

export function joinedRows(relation: Relation, storageOf: StorageOf, dialect: Dialect): JoinedRows {
  const names = new Map<string, string>();
  const keys = new Map<string, string>();
  for (const { source, columns } of allSources(relation))
    for (const name of Object.keys(columns)) names.set(columnId(named(source, name)), `c${names.size}`);
  for (const key of keysOf(relation)) if (!keys.has(keyId(key))) keys.set(keyId(key), `k${keys.size}`);
  const writer = new RelationWriter(names, keys, storageOf, dialect);
  return { sql: writer.select(relation), column: (column) => names.get(columnId(column))! };
}

function named(source: string | null, name: string): Pick<ColumnExpression, "source" | "name"> {
  return source === null ? { name } : { source, name };
}

const keyId = ({ source, column }: KeyOfSource): string => JSON.stringify([source, column]);

/** The keys that are compared as they are written: those of joins that say more than that both rows are one unit's, and of limits. */
function* keysOf(relation: Relation): Iterable<KeyOfSource> {
  if (relation.kind === "table") {
    const { source, limits = [] } = relation;
    for (const limit of limits)
      if (limit.per === "unit-and-key" && source !== null) yield { source, column: limit.column };
    return;
  }
  if (relation.kind !== "union" && relation.kind !== "join") {
    yield* keysOf(relation.of);
    if (relation.kind === "semijoin") yield* keysOf(relation.among);
    return;
  }
  if (relation.kind === "union") {
    for (const { of } of relation.parts) yield* keysOf(of);
    return;
  }
  yield* keysOf(relation.left);
  yield* keysOf(relation.right);
  for (const { left, right } of ownKeys(relation)) {
    yield left;
    yield right;
  }
}

/** Rows of one unit meet anyway: columns that name it need no comparison of their own. */
function ownKeys({ left, right, keys }: JoinRelation): JoinRelation["keys"] {
  return keys.filter((pair) => !(namesEveryUnit(left, pair.left) && namesEveryUnit(right, pair.right)));
}

class RelationWriter {
  readonly #names: ReadonlyMap<string, string>;
  readonly #keys: ReadonlyMap<string, string>;
  readonly #storageOf: StorageOf;
  readonly #dialect: Dialect;

  constructor(
    names: ReadonlyMap<string, string>,
    keys: ReadonlyMap<string, string>,
    storageOf: StorageOf,
    dialect: Dialect,
  ) {
    this.#names = names;
    this.#keys = keys;
    this.#storageOf = storageOf;
    this.#dialect = dialect;
  }

  select(relation: Relation): string {
    switch (relation.kind) {
      case "table":
        return this.#table(relation);
      case "filter":
        return this.#filter(relation);
      case "semijoin":
        return this.#semijoin(relation);
      case "union":
        return this.#union(relation);
      case "grouped":
        return groupedRows(relation, this.select(relation.of), this.#namesIn(relation), this.#dialect);
      case "windowed": {
        const carried = this.#columns(relation.of);
        const names = this.#namesIn(relation);
        return windowedRows(relation, this.select(relation.of), carried, names, this.#dialect);
      }
      case "join":
        return this.#join(relation);
    }
  }

  #namesIn({ source }: GroupedRelation | WindowedRelation): UnitValueNames {
    return {
      stored: (column) => `part.${this.#names.get(columnId(column))!}`,
      own: (name) => this.#names.get(columnId({ source, name }))!,
    };
  }

  /** The columns that a relation's SELECT gives, but for u. */
  #columns(relation: Relation): string[] {
    return shownSources(relation).flatMap(({ source, columns }) => [
      ...Object.keys(columns).map((name) => this.#names.get(columnId(named(source, name)))!),
      ...this.#keysOfTable(source).map(([, name]) => name),
    ]);
  }

  #keysOfTable(source: string | null): (readonly [column: string, name: string])[] {
    return [...this.#keys].flatMap(([id, name]) => {
      const [of, column] = JSON.parse(id) as [string, string];
      return of === source ? [[column, name] as const] : [];
    });
  }

  #table(relation: TableRelation): string {
    const { table, source, unit, columns, oncePer } = relation;
    const keys = this.#keysOfTable(source);
    const link = unit.kind === "column" ? unit.column : null;
    const key = keys.find(([column]) => column !== link)?.[0] ?? null;
    const at = (name: string): string => `base.${this.#dialect.identifier(name)}`;
    const shown = [
      ...Object.keys(columns).map(
        (name) => `${at(name)} AS ${this.#names.get(columnId(named(source, name)))}`,
      ),
      ...keys.map(([column, name]) => `${at(column === link ? unitColumn : keyColumn)} AS ${name}`),
    ];
    const base = `${this.#base(table, columns, { unit: link, key })} AS base`;
    if (unit.kind !== "column") {
      const all = `SELECT ${shown.length === 0 ? "1 AS nothing" : shown.join(", ")} FROM ${base}`;
      return this.#limited(relation, oncePer === null ? all : this.#once(relation, oncePer, all));
    }
    const [step, ...steps] = unit.path;
    if (!step)
      return this.#limited(
        relation,
        `SELECT ${[...shown, `${at(unitColumn)} AS u`].join(", ")} FROM ${base} WHERE ${at(unitColumn)} IS NOT NULL`,
      );
    const owner = `(${this.#owners(step, steps)}) AS owner`;
    return this.#limited(
      relation,
      `SELECT ${[...shown, "owner.u AS u"].join(", ")} FROM ${base} JOIN ${owner} ON ${at(unitColumn)} = owner.k`,
    );
  }

  #limited(relation: TableRelation, all: string): string {
    const { source, columns, limits = [] } = relation;
    if (limits.length === 0) return all;
    const names = Object.keys(columns).map(
      (name) => [name, this.#names.get(columnId(named(source, name)))!] as const,
    );
    return limitedRows(
      { all, limits, columns, names: new Map(names), keys: new Map(this.#keysOfTable(source)) },
      this.#dialect,
    );
  }

  /**
   * Units by key: the one of least name where the data give a key to several, so that whose absence we consider, every
   * other unit keeps its rows (docs/decisions/0010-joins.md).
   */
  #owners({ table, key, column }: UnitStep, steps: readonly UnitStep[]): string {
    const [next, ...rest] = steps;
    const at = (name: string): string => `base.${this.#dialect.identifier(name)}`;
    const base = `${this.#base(table, {}, { unit: column, key })} AS base`;
    const [k, link] = [at(keyColumn), at(unitColumn)];
    if (!next)
      return `SELECT ${k} AS k, min(${link}) AS u FROM ${base} WHERE ${k} IS NOT NULL AND ${link} IS NOT NULL GROUP BY 1`;
    const owner = `(${this.#owners(next, rest)}) AS owner`;
    return `SELECT ${k} AS k, min(owner.u) AS u FROM ${base} JOIN ${owner} ON ${link} = owner.k WHERE ${k} IS NOT NULL GROUP BY 1`;
  }

  #base(table: string, columns: TableRelation["columns"], texts: KeptTexts): string {
    const storage = this.#storageOf(table);
    const relation = storage.relation.map(this.#dialect.identifier).join(".");
    if (storage.layout === "snapshot") return relation;
    return `(${cleanSelect(columns, texts, relation, this.#dialect, storage.types)})`;
  }

  /** The first row of each value, in the order of all that is read: the same one, however the engine goes about it. */
  #once(relation: TableRelation, oncePer: string, all: string): string {
    const columns = this.#columns(relation);
    const by = this.#names.get(columnId(named(relation.source, oncePer)))!;
    const place = `row_number() OVER (PARTITION BY rows.${by} ORDER BY ${columns.map((name) => `rows.${name}`).join(", ")})`;
    const placed = `SELECT ${columns.map((name) => `rows.${name}`).join(", ")}, ${place} AS place FROM (${all}) AS rows`;
    return `SELECT ${columns.map((name) => `once.${name}`).join(", ")} FROM (${placed}) AS once WHERE once.place = 1`;
  }

  #filter({ of, where }: FilterRelation): string {
    const condition = this.#condition(where, of, (name) => `kept.${name}`);
    return `SELECT ${this.#list(of, "kept")} FROM (${this.select(of)}) AS kept WHERE ${condition}`;
  }

  #semijoin({ of, among, on, not }: SemijoinRelation): string {
    const ofKept = new Set(this.#columns(of));
    const at = (name: string): string => `${ofKept.has(name) ? "kept" : "met"}.${name}`;
    const condition = this.#condition(on, { kind: "semijoin", of, among, on, not }, at);
    const met = `EXISTS (SELECT 1 FROM (${this.select(among)}) AS met WHERE ${condition})`;
    return `SELECT ${this.#list(of, "kept")} FROM (${this.select(of)}) AS kept WHERE ${not ? "NOT " : ""}${met}`;
  }

  /** Values of each part first, then where the union's columns keep them: to put a number on a grid names it often. */
  #union({ source, columns, parts }: UnionRelation): string {
    const { fence } = this.#dialect;
    return parts
      .map(({ of, values }) => {
        const stored = (column: ColumnExpression): string => `part.${this.#names.get(columnId(column))!}`;
        const read = reader(of, stored, this.#dialect);
        const named = Object.entries(columns).map(
          ([name, column]) => [this.#names.get(columnId({ source, name }))!, values[name]!, column] as const,
        );
        const computed = named.map(
          ([at, value]) => `${compileExpression(value, read, this.#dialect)} AS ${at}`,
        );
        const kept = named.map(
          ([at, , column]) => `${keptText(column, `value.${at}`, this.#dialect)} AS ${at}`,
        );
        const inner = `SELECT ${[...computed, "part.u AS u"].join(", ")} FROM (${this.select(of)}) AS part${fence}`;
        return `SELECT ${[...kept, "value.u AS u"].join(", ")} FROM (${inner}) AS value`;
      })
      .join(" UNION ALL ");
  }

  #join(relation: JoinRelation): string {
    const { type, left, right, on } = relation;
    const ofLeft = new Set(this.#columns(left));
    const at = (name: string): string => `${ofLeft.has(name) ? "l" : "r"}.${name}`;
    const [a, b] = [isOwned(left), isOwned(right)];
    const conditions = [
      ...(a && b ? ["l.u = r.u"] : []),
      ...ownKeys(relation).map(
        (pair) => `${at(this.#keys.get(keyId(pair.left))!)} = ${at(this.#keys.get(keyId(pair.right))!)}`,
      ),
      ...(on === null ? [] : [this.#condition(on, relation, at)]),
    ];
    const unit = a && b ? units[type] : a ? "l.u" : b ? "r.u" : null;
    const list = (of: (name: string) => string, owner: string | null): string => {
      const columns = this.#columns(relation).map((name) => `${of(name)} AS ${name}`);
      const all = [...columns, ...(owner === null ? [] : [`${owner} AS u`])];
      return all.length === 0 ? "1 AS nothing" : all.join(", ");
    };
    const condition = conditions.length === 0 ? "TRUE" : conditions.join(" AND ");
    const [l, r] = [`(${this.select(left)}) AS l`, `(${this.select(right)}) AS r`];
    const joined = (kind: string): string =>
      `SELECT ${list(at, unit)} FROM ${l} ${kind} JOIN ${r} ON ${condition}`;
    if (type !== "full" || this.#dialect.fullJoinsOnAnything || isEquality(relation))
      return joined(type.toUpperCase());
    // The same rows in two parts: all of the left, and those of the right that meet none of them.
    const alone = list(
      (name) => (ofLeft.has(name) ? "NULL" : at(name)),
      unit === null ? null : b ? "r.u" : "NULL",
    );
    return `${joined("LEFT")} UNION ALL SELECT ${alone} FROM ${r} WHERE NOT EXISTS (SELECT 1 FROM ${l} WHERE ${condition})`;
  }

  #condition(expression: Expression, relation: Relation, at: (name: string) => string): string {
    const stored = (column: ColumnExpression): string => at(this.#names.get(columnId(column))!);
    return compileExpression(expression, reader(relation, stored, this.#dialect), this.#dialect);
  }

  #list(relation: Relation, alias: string): string {
    const columns = [...this.#columns(relation), ...(isOwned(relation) ? ["u"] : [])];
    return columns.length === 0 ? "1 AS nothing" : columns.map((name) => `${alias}.${name}`).join(", ");
  }
}

/** Whether each condition of a join says that something of its left equals something of its right. */
function isEquality({ left, on }: JoinRelation): boolean {
  const ofLeft = new Set(shownSources(left).map(({ source }) => source));
  const sides = (expression: Expression): ReadonlySet<boolean> =>
    expression.kind === "column"
      ? new Set([ofLeft.has(expression.source ?? null)])
      : new Set(children(expression).flatMap((part) => [...sides(part)]));
  const holds = (condition: Expression): boolean => {
    if (condition.kind !== "call") return false;
    if (condition.operator === "and") return condition.args.every(holds);
    const [a, b] = condition.args.map(sides);
    return condition.operator === "=" && a!.size === 1 && b!.size === 1 && [...a!][0] !== [...b!][0];
  };
  return on === null || holds(on);
}

/** Whether a relation's rows name their unit. */
function isOwned(relation: Relation): boolean {
  return ownerOf(relation) === "column";
}

const units: Readonly<Record<JoinRelation["type"], string>> = {
  inner: "l.u",
  left: "l.u",
  right: "r.u",
  full: "coalesce(l.u, r.u)",
};
