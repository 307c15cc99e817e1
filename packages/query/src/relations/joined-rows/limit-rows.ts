import type { Expression } from "../../expressions/expression.ts";
import { entryOf } from "../../policy/entry-of.ts";
import type { Policy } from "../../policy/policy.ts";
import {
  type JoinedKeys,
  mapTables,
  ownerOf,
  type Relation,
  type RowLimit,
  type TableRelation,
  tablesOf,
} from "../relation.ts";
import { equatedColumns } from "./equated-columns.ts";
import { joinsMoreThan, meetsRows, mostJoinedRows, questionsRows } from "./joined-rows.ts";
import { type PlaceOf, refuseWork } from "./refuse-work.ts";

/**
 * Returns the relation with the limits on the rows that its tables are read with: public tables as the policy states it for their
 * columns, and private ones before they are joined with one another. Where the policy states nothing for these, the limit follows
 * from the question's structure alone: it is the greatest number by which no row may stand in more than {@link mostJoinedRows}
 * joined rows. `where` is the question's own. Errors: query.unsupported where nothing bounds them, or too little, with what the
 * policy or the question would have to say.
 */
export function limitRows(
  from: Relation,
  where: Expression | null,
  policy: Policy,
  placeOf: PlaceOf = () => undefined,
): Relation {
  if (!meetsRows(from) || ownerOf(from) === "public") return from;
  const asked = (relation: Relation): Relation => questionsRows({ from: relation, where });
  const isTooMuch = (relation: Relation): boolean => joinsMoreThan(asked(relation), mostJoinedRows);
  const met = equatedColumns(asked(from));
  const byValue = mapTables(from, (table) => limitedByValue(table, met, policy));
  const limited = [byValue, mapTables(byValue, (table) => limitedInAll(table, policy))].flatMap(
    (relation) => {
      const found = limitedUnits(relation, policy, isTooMuch);
      return found === null ? [] : [found];
    },
  );
  return limited[0] ?? refuseWork(byValue, asked, policy, placeOf);
}

function limitedByValue(
  table: TableRelation,
  met: ReadonlyMap<string, ReadonlySet<string>>,
  policy: Policy,
): TableRelation {
  if (table.unit.kind !== "public") return table;
  const { key, joins } = entryOf(policy.tables, table.table);
  const columns = met.get(table.source ?? "") ?? new Set();
  const oncePer = table.oncePer ?? (key !== null && columns.has(key) ? key : null);
  const stated = Object.entries(joins?.rowsPerKey ?? {})
    .filter(([column]) => column !== oncePer && columns.has(column))
    .map(([column, rows]): RowLimit => ({ per: "value", column, rows }));
  return withLimits({ ...table, oncePer }, stated);
}

function limitedInAll(table: TableRelation, policy: Policy): TableRelation {
  const maxRows = entryOf(policy.tables, table.table).joins?.maxRows;
  return maxRows === undefined ? table : withLimits(table, [{ per: "table", rows: maxRows }]);
}

function withLimits(table: TableRelation, more: readonly RowLimit[]): TableRelation {
  return more.length === 0 ? table : { ...table, limits: [...(table.limits ?? []), ...more] };
}

/**
 * Returns the relation with the least limits that private tables need: by their units, and by their keys where that leaves more
 * rows of each unit. Null where nothing helps.
 */
function limitedUnits(
  relation: Relation,
  policy: Policy,
  isTooMuch: (relation: Relation) => boolean,
): Relation | null {
  const byUnit = cappedUnits(relation, policy, isTooMuch);
  if (byUnit !== null && byUnit.rows === mostJoinedRows) return byUnit.relation;
  const keys = keysMet(relation);
  const keyed = mapTables(relation, (table) => {
    const { key } = entryOf(policy.tables, table.table);
    return table.unit.kind === "column" &&
      key !== null &&
      !isUnits(table, key) &&
      keys.get(table.source ?? "")?.has(key)
      ? withLimits(table, [{ per: "unit-and-key", column: key, rows: 1 }])
      : table;
  });
  const byKey = cappedUnits(keyed, policy, isTooMuch);
  if (byKey === null) return byUnit?.relation ?? null;
  return byUnit !== null && byUnit.rows >= byKey.rows ? byUnit.relation : byKey.relation;
}

/** Returns the keys by which rows are found as they are written, by source. */
function keysMet(relation: Relation): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { left, right } of keysWithin(relation))
    for (const { source, column } of [left, right])
      found.set(source, (found.get(source) ?? new Set()).add(column));
  return found;
}

function keysWithin(relation: Relation): readonly JoinedKeys[] {
  switch (relation.kind) {
    case "table":
    case "list":
      return [];
    case "union":
      return relation.parts.flatMap(({ of }) => keysWithin(of));
    case "join":
      return [...relation.keys, ...keysWithin(relation.left), ...keysWithin(relation.right)];
    case "semijoin":
      return [...keysWithin(relation.of), ...keysWithin(relation.among)];
    case "marked":
      return [...relation.keys, ...keysWithin(relation.of), ...keysWithin(relation.among)];
    default:
      return keysWithin(relation.of);
  }
}

/**
 * Returns the relation with the most rows of each unit that are allowed, and that number, where the policy does not state it.
 * Null where not even one row of each unit is few enough.
 */
function cappedUnits(
  relation: Relation,
  policy: Policy,
  isTooMuch: (relation: Relation) => boolean,
): { readonly relation: Relation; readonly rows: number } | null {
  if (!isTooMuch(relation)) return { relation, rows: mostJoinedRows };
  const owned = tablesOf(relation).filter(({ unit }) => unit.kind === "column");
  const capped = (most: (table: TableRelation) => number | null): Relation =>
    mapTables(relation, (table) => {
      const rows = table.unit.kind === "column" ? most(table) : null;
      return rows === null ? table : withLimits(table, [{ per: "unit", rows }]);
    });
  if (isTooMuch(capped(() => 1))) return null;
  const needed = new Set(
    owned
      .filter(({ source }) => isTooMuch(capped((table) => (table.source === source ? null : 1))))
      .map(({ source }) => source),
  );
  const atMost = (rows: number): Relation =>
    capped((table) => (needed.has(table.source) ? Math.min(rows, statedRows(table, policy)) : null));
  if (isTooMuch(atMost(1))) return null;
  let [low, high] = [1, mostJoinedRows];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isTooMuch(atMost(middle))) high = middle - 1;
    else low = middle;
  }
  return { relation: atMost(low), rows: low };
}

/** Returns the number of a unit's rows that the policy allows before a join: one where a key is the unit's own. */
function statedRows({ table, unit }: TableRelation, policy: Policy): number {
  const { key, joins } = entryOf(policy.tables, table);
  if (key !== null && isUnits({ unit }, key)) return 1;
  return joins?.maxRowsBeforeJoin ?? mostJoinedRows;
}

/** Whether a column names the unit. */
function isUnits({ unit }: Pick<TableRelation, "unit">, column: string): boolean {
  return unit.kind === "column" && unit.path.length === 0 && unit.column === column;
}
