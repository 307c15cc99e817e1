import type { Relation } from "@lethe/query";
import { made, tables } from "../derive/rows-of-units.ts";
import { mostRows } from "./most-rows.ts";
import { type Looking, piecesLooked, piecesOf } from "./pieces.ts";

/** A place of a private table: the rows of the relation that one of its rows becomes, and the most on the way there. */
interface Standing {
  readonly table: string;
  readonly rows: number;
  readonly most: number;
}

/**
 * Returns the most joined rows that one private row stands in, over all that a relation is made of and over all places of its table. It is derived
 * from the limits that the relation states of its tables, and from nothing else.
 */
export function rowsJoined(relation: Relation): number {
  const sums: Record<string, number> = Object.create(null);
  for (const { table, most } of standings(relation)) sums[table] = (sums[table] ?? 0) + most;
  return Math.max(1, ...Object.values(sums));
}

export function joinsRows(relation: Relation): boolean {
  const lists = [...made(relation)].filter(({ kind }) => kind === "list");
  return [...tables(relation), ...lists].length > 1;
}

function standings(relation: Relation): readonly Standing[] {
  if (relation.kind === "windowed") return standings(relation.of);
  if (relation.kind === "union") return relation.parts.flatMap(({ of }) => standings(of));
  if (relation.kind === "grouped") {
    const isOne = Object.keys(relation.keys).length === 0;
    return standings(relation.of).map((each) => (isOne ? { ...each, rows: 1 } : each));
  }
  const taken = piecesOf(relation, rowsOfUnit);
  const looked = taken.asked.map((looking) => mostRows(piecesLooked(looking, 1, rowsOfUnit), 0).part);
  const times = looked.reduce((most, rows) => Math.max(most, rows), 1);
  const own = taken.pieces.flatMap(({ of, isOwned }, at) => {
    if (!isOwned) return [];
    const { all, part } = mostRows(taken, at);
    return standingsIn(of).map(({ table, rows, most }) => ({
      table,
      rows: rows * all,
      most: Math.max(most, rows * part * times),
    }));
  });
  const ofUnits = taken.asked.filter(({ among }) =>
    [...tables(among)].some(({ unit }) => unit.kind !== "public"),
  );
  if (ofUnits.length === 0) return own;
  const everyRow = mostRows(taken, null).all;
  return [...own, ...ofUnits.flatMap((looking) => standingsLookedAt(looking, everyRow))];
}

function standingsIn(of: Relation): readonly Standing[] {
  return of.kind === "table" ? [{ table: of.table, rows: 1, most: 1 }] : standings(of);
}

/** A private row that others look at is compared with rows of its unit, and may change all `everyRow` that the unit has. */
function standingsLookedAt(looking: Looking, everyRow: number): readonly Standing[] {
  const pairs = piecesLooked(looking, rowsOfUnit(looking.of), rowsOfUnit);
  return pairs.pieces.flatMap(({ of, isOwned }, at) => {
    if (at === 0 || !isOwned) return [];
    const { part } = mostRows(pairs, at);
    return standingsIn(of).map(({ table, rows, most }) => ({
      table,
      rows: rows * everyRow,
      most: Math.max(most, rows * part, rows * everyRow),
    }));
  });
}

function rowsOfUnit(relation: Relation): number {
  if (relation.kind === "windowed") return rowsOfUnit(relation.of);
  if (relation.kind === "union") return relation.parts.reduce((sum, { of }) => sum + rowsOfUnit(of), 0);
  if (relation.kind === "grouped" && Object.keys(relation.keys).length === 0) return 1;
  if (relation.kind === "grouped") return rowsOfUnit(relation.of);
  return mostRows(piecesOf(relation, rowsOfUnit), null).all;
}
