import {
  type ColumnPolicy,
  columnId,
  evaluate,
  type GroupedRelation,
  type UnitAggregate,
} from "@lethe/query";
import {
  type CleanRow,
  type CleanValue,
  gridInteger,
  kept,
  keyName,
  keyOf,
  type OwnedRow,
  total,
} from "./reference-rows.ts";

/** One row for each unit and combination of keys. */
export function groupedRows(relation: GroupedRelation, rows: readonly OwnedRow[]): readonly OwnedRow[] {
  const groups = new Map<
    string,
    { readonly unit: string; readonly keys: CleanRow; readonly rows: CleanRow[] }
  >();
  for (const { unit, row } of rows) {
    const keys = Object.fromEntries(
      Object.entries(relation.keys).map(([name, key]) => {
        const value = kept(relation.columns[name]!, evaluate(key, row));
        return [name, value === 0 ? 0 : value];
      }),
    );
    const name = JSON.stringify([unit, keyName(Object.values(keys))]);
    const group = groups.get(name) ?? { unit: unit!, keys, rows: [] };
    groups.set(name, group);
    group.rows.push(row);
  }
  return [...groups.values()].map(({ unit, keys, rows: own }): OwnedRow => {
    const values = Object.entries(relation.values).map(
      ([name, value]) => [name, unitValue(value, relation.columns[name]!, own)] as const,
    );
    const cells = [...Object.entries(keys), ...values].map(([name, value]) => [
      columnId({ source: relation.source, name }),
      value,
    ]);
    return { unit, row: Object.fromEntries(cells), keys: {} };
  });
}

/** Returns the value that a column keeps of an aggregate over some rows of one unit. */
export function unitValue(value: UnitAggregate, column: ColumnPolicy, rows: readonly CleanRow[]): CleanValue {
  return kept(column, exactValue(value, column, rows));
}

function exactValue(value: UnitAggregate, column: ColumnPolicy, rows: readonly CleanRow[]): CleanValue {
  if (value.kind === "count" && value.argument === null) return rows.length;
  const { argument } = value;
  const present = rows.map((row) => evaluate(argument!, row)).filter((each) => each !== null);
  switch (value.kind) {
    case "count":
      return present.length;
    case "count-distinct":
      return new Set(present.map((each) => keyName([keyOf(argument!, each)]))).size;
    case "min":
    case "max": {
      const sorted = present.map((each) => kept(column, each)!).sort(inOrder);
      return (value.kind === "min" ? sorted[0] : sorted.at(-1)) ?? null;
    }
    case "sum": {
      const { exponent } = value.grid;
      const integers = rows.flatMap((row) => gridInteger(value.argument, value.grid, row));
      return integers.length === 0 ? null : Number(total(integers)) * 2 ** exponent;
    }
    case "avg": {
      const { exponent, lo } = value.grid;
      const integers = rows.flatMap((row) => gridInteger(value.argument, value.grid, row));
      if (integers.length === 0) return null;
      const above = Number(total(integers.map((i) => i - BigInt(lo))));
      return (Number(lo) + above / integers.length) * 2 ** exponent;
    }
  }
}

/** Numbers and times by size, texts byte by byte. */
export function inOrder(a: NonNullable<CleanValue>, b: NonNullable<CleanValue>): number {
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}
