import { elementAt } from "@lethe/core/numeric";
import { children, type Expression } from "../expressions/expression.ts";
import { entryOf } from "../policy/entry-of.ts";
import { type ListRelation, mapTables, type Relation, readIn } from "../relations/relation.ts";
import { readByWindow } from "../relations/unit-window.ts";
import type { ResolvedQuery } from "../resolve/names/resolved-query.ts";

/** Returns the question's rows with only those columns that it reads, in order of name. */
export function referencedColumns({ from, where, groupBy, aggregates }: ResolvedQuery): Relation {
  const read = new Map<string | null, Set<string>>();
  const visit = (expression: Expression): void => {
    if (expression.kind === "column") {
      const source = expression.source ?? null;
      read.set(source, (read.get(source) ?? new Set()).add(expression.name));
    }
    for (const child of children(expression)) visit(child);
  };
  if (where) visit(where);
  for (const { expression } of groupBy) visit(expression);
  for (const aggregate of aggregates) {
    if ("argument" in aggregate && aggregate.argument) visit(aggregate.argument);
    if ("other" in aggregate) visit(aggregate.other);
  }
  return mapTables(narrowed(from, read, visit), (table) => {
    const names = new Set(read.get(table.source));
    // The table is read once for each value of this column.
    if (table.oncePer !== null) names.add(table.oncePer);
    for (const limit of table.limits ?? []) if (limit.per === "value") names.add(limit.column);
    return {
      ...table,
      columns: Object.fromEntries([...names].sort().map((name) => [name, entryOf(table.columns, name)])),
    };
  });
}

/** A list keeps its rows, however few of their values are read. */
function narrowedList(list: ListRelation, read: ReadonlySet<string>): ListRelation {
  const kept = list.names.flatMap((name, at) => (read.has(name) ? [{ name, at }] : []));
  return {
    ...list,
    names: kept.map(({ name }) => name),
    columns: Object.fromEntries(kept.map(({ name }) => [name, entryOf(list.columns, name)])),
    rows: list.rows.map((row) => kept.map(({ at }) => elementAt(row, at))),
  };
}

/**
 * Drops columns that nothing reads, from the outside in: of a union's columns only those remain that something around it reads,
 * and then only what these are computed from.
 */
function narrowed(
  relation: Relation,
  read: ReadonlyMap<string | null, ReadonlySet<string>>,
  visit: (expression: Expression) => void,
): Relation {
  const narrow = (inner: Relation): Relation => narrowed(inner, read, visit);
  switch (relation.kind) {
    case "table":
      return relation;
    case "list":
      return narrowedList(relation, read.get(relation.source) ?? new Set());
    case "filter":
      visit(relation.where);
      return { ...relation, of: narrow(relation.of) };
    case "semijoin":
      visit(relation.on);
      return { ...relation, of: narrow(relation.of), among: narrow(relation.among) };
    case "marked":
      if (!read.has(relation.source)) return narrow(relation.of);
      if (relation.on) visit(relation.on);
      return { ...relation, of: narrow(relation.of), among: narrow(relation.among) };
    case "join":
      if (relation.on) visit(relation.on);
      return { ...relation, left: narrow(relation.left), right: narrow(relation.right) };
    case "grouped": {
      const names = read.get(relation.source) ?? new Set();
      const { keys } = relation;
      const values = Object.fromEntries(Object.entries(relation.values).filter(([name]) => names.has(name)));
      const columns = Object.fromEntries(
        Object.entries(relation.columns).filter(([name]) => Object.hasOwn(keys, name) || names.has(name)),
      );
      readIn({ ...relation, values }).forEach(visit);
      return { ...relation, columns, values, of: narrow(relation.of) };
    }
    case "windowed": {
      const names = read.get(relation.source) ?? new Set();
      const kept = <Value>(all: Readonly<Record<string, Value>>): Record<string, Value> =>
        Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
      const values = kept(relation.values);
      if (Object.keys(values).length === 0) return narrow(relation.of);
      Object.values(values).flatMap(readByWindow).forEach(visit);
      return { ...relation, columns: kept(relation.columns), values, of: narrow(relation.of) };
    }
    case "union": {
      const names = read.get(relation.source) ?? new Set();
      const kept = <Value>(all: Readonly<Record<string, Value>>): Record<string, Value> =>
        Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
      const parts = relation.parts.map(({ of, values }) => {
        const needed = kept(values);
        Object.values(needed).forEach(visit);
        return { of: narrow(of), values: needed };
      });
      return { ...relation, columns: kept(relation.columns), parts };
    }
  }
}
