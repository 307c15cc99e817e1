import { elementAt } from "@lethe/core/numeric";
import type { CatalogForeignKey } from "../../catalog.ts";
import { atKey } from "../../entry-of.ts";
import type { ColumnOfTable } from "../../policy.ts";
import { compareTexts, type NamedRelation } from "./name-relations.ts";
import { said } from "./said.ts";

/** One foreign key of one column, to a table that has a name. */
export interface Way {
  readonly through: string;
  readonly to: ColumnOfTable;
}

/** The unit that a table's rows belong to, as far as its declared keys say. */
export interface UnitProposal {
  readonly table: NamedRelation;
  /** Null where no declared key leads to the unit. */
  readonly unit: { readonly column: string } | Way | null;
  /** The column by which other tables reach a row; null if none, or if it is the unit's. */
  readonly key: string | null;
  /** Other ways that the owner may mean instead. */
  readonly otherWays: readonly Way[];
  /** The declarations that lead nowhere, in words. */
  readonly notes: readonly string[];
}

/**
 * Finds the shortest way from every table to the unit by declared foreign keys, ties by name. A key of several columns, one to
 * the same table, or one whose values can be spelled in two ways is not followed; a note says so.
 */
export function proposeUnits(tables: readonly NamedRelation[], unit: ColumnOfTable): readonly UnitProposal[] {
  const all = tables.filter(
    ({ facts }) => facts.kind === "table" || facts === find(tables, unit.table)?.facts,
  );
  const keys = new Map(
    all.flatMap((table) => {
      const key = keyOf(table, all, unit);
      return key === null ? [] : [[table.name, key] as const];
    }),
  );
  const ways = new Map(all.map((table) => [table.name, waysOf(table, all)]));
  const links = new Map<string, string>([[unit.table, unit.column]]);
  const chosen = new Map<string, Way>();
  const isOpen = ({ to }: Way): boolean =>
    links.has(to.table) && (links.get(to.table) === to.column || keys.get(to.table) === to.column);
  for (let found = true; found; ) {
    const level = all.flatMap(({ name }) => {
      const way = links.has(name) ? undefined : atKey(ways, name).ways.find(isOpen);
      return way ? [[name, way] as const] : [];
    });
    for (const [name, way] of level) {
      links.set(name, way.through);
      chosen.set(name, way);
    }
    found = level.length > 0;
  }
  const passes = (from: string, table: string): boolean => {
    for (let at: string | undefined = from; at !== undefined; at = chosen.get(at)?.to.table)
      if (at === table) return true;
    return false;
  };
  return all.map((table): UnitProposal => {
    const { name } = table;
    const way = chosen.get(name) ?? null;
    const rest = atKey(ways, name).ways.filter((other) => other !== way);
    const otherWays = way ? rest.filter((other) => isOpen(other) && !passes(other.to.table, name)) : [];
    const key = keys.get(name) ?? null;
    return {
      table,
      unit: name === unit.table ? { column: unit.column } : way,
      key: key === links.get(name) ? null : (key ?? unitsOwnKey(table, unit)),
      otherWays,
      notes: [
        ...atKey(ways, name).notes,
        ...rest.filter((other) => !otherWays.includes(other)).map((other) => closedWay(other)),
      ],
    };
  });

  function closedWay({ through, to }: Way): string {
    const start = `${said(through)} refers to ${said(to.table)}.${said(to.column)}`;
    if (!links.has(to.table)) return `${start}, which leads to no unit here`;
    if (!isOpen({ through, to })) return `${start}, which is not the key that is proposed for that table`;
    return `${start}, which leads back`;
  }
}

function find(tables: readonly NamedRelation[], name: string): NamedRelation | undefined {
  return tables.find((table) => table.name === name);
}

/** Returns the spelling of a usable column by which rows can be reached; null for any other column. */
function spelling(table: NamedRelation, column: string): string | null {
  return table.columns.find(({ name }) => name === column)?.spelling ?? null;
}

/** Returns the one key that a policy names for a table: one that is referred to, else the primary key; ties by name. */
function keyOf(table: NamedRelation, all: readonly NamedRelation[], unit: ColumnOfTable): string | null {
  const refersTo = ({ references: { schema, name, columns } }: CatalogForeignKey, column: string): boolean =>
    schema === table.facts.schema &&
    name === table.facts.name &&
    columns.length === 1 &&
    columns[0] === column;
  const candidates = table.facts.keys.flatMap(({ columns, primary }) => {
    const [column] = columns;
    if (columns.length !== 1 || column === undefined || spelling(table, column) === null) return [];
    // The unit's own column needs no key beside it.
    if (table.name === unit.table && column === unit.column) return [];
    const others = all.filter((other) => other !== table);
    const referred = others.some(({ facts }) => facts.foreignKeys.some((key) => refersTo(key, column)));
    return referred || primary ? [{ column, rank: (referred ? 0 : 2) + (primary ? 0 : 1) }] : [];
  });
  candidates.sort((a, b) => a.rank - b.rank || compareTexts(a.column, b.column));
  return candidates[0]?.column ?? null;
}

/** Returns the unit's own column where no two rows share it: a unit then has one row in its table, which joins rely on. */
function unitsOwnKey({ name, facts }: NamedRelation, unit: ColumnOfTable): string | null {
  const isKey = facts.keys.some(({ columns }) => columns.length === 1 && columns[0] === unit.column);
  return name === unit.table && isKey ? unit.column : null;
}

function waysOf(
  table: NamedRelation,
  all: readonly NamedRelation[],
): { readonly ways: readonly Way[]; readonly notes: readonly string[] } {
  const ways: Way[] = [];
  const notes: string[] = [];
  for (const { columns, references } of table.facts.foreignKeys) {
    const target = all.find(
      ({ facts }) => facts.schema === references.schema && facts.name === references.name,
    );
    const place = target ? said(target.name) : said(references.name);
    const [through, column] = [elementAt(columns, 0), elementAt(references.columns, 0)];
    const own = spelling(table, through);
    if (columns.length !== 1)
      notes.push(
        `(${columns.map(said).join(", ")}) refers to ${place} by several columns, and keys are of one column: a view could make one of them`,
      );
    else if (!target) notes.push(`${said(through)} refers to ${place}, which cannot be asked here`);
    else if (target === table)
      notes.push(`${said(through)} refers to ${place} itself: it does not say whose a row is`);
    else if (own === null || own !== spelling(target, column))
      notes.push(
        `${said(through)} refers to ${place}.${said(column)}, and is not followed: by their types, one value could be spelled in two ways`,
      );
    else ways.push({ through, to: { table: target.name, column } });
  }
  ways.sort((a, b) => compareTexts(a.to.table, b.to.table) || compareTexts(a.through, b.through));
  return { ways, notes };
}
