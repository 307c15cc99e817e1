import { didYouMean } from "../../refusals/did-you-mean.ts";
import { entryOf } from "../entry-of.ts";
import type { ColumnOfTable } from "../policy.ts";
import { columnOf, linkOf } from "./check-unit.ts";
import type { TableFile, UnitFile } from "./policy-file.ts";

type Tables = Readonly<Record<string, TableFile>>;

export interface PathFault {
  readonly path: readonly string[];
  readonly wrong: string;
  readonly fix: string;
}

/** Whether every foreign key that a table's unit goes through ends in a unit. */
export function checkPaths(tables: Tables): readonly PathFault[] {
  const faults: PathFault[] = [];
  for (const [name, table] of Object.entries(tables)) {
    const { unit } = table;
    if (table.public === true || typeof unit !== "object" || !("through" in unit)) continue;
    const fault = (wrong: string, fix: string): void => {
      faults.push({ path: ["tables", name, "unit"], wrong, fix });
    };
    const target = referenced(unit.references, tables);
    if (target === null) {
      fault(
        `references ${said(unit.references)}, which is not a column of a table here`,
        suggestion(unit, tables),
      );
      continue;
    }
    const wrong = endOf(target, tables) ?? typesDiffer(table, unit.through, target, tables);
    if (wrong) fault(...wrong);
    else if (turnsInCircles(name, tables))
      fault("leads back to this table", "let one table of the circle name its unit by a column of its own");
  }
  if (faults.length === 0 && Object.values(tables).every((table) => table.public === true))
    faults.push({
      path: ["tables"],
      wrong: "are all public, so there is nobody to protect",
      fix: "give one of them a unit instead of public: true",
    });
  return faults;
}

/** The column that `people.id` means: names may hold dots, so each is tried. */
export function referenced(
  references: Extract<UnitFile, { readonly through: string }>["references"],
  tables: Tables,
): ColumnOfTable | null {
  const has = ({ table, column }: ColumnOfTable): boolean =>
    Object.hasOwn(tables, table) && columnOf(entryOf(tables, table), column) !== undefined;
  if (typeof references !== "string") return has(references) ? references : null;
  for (let at = references.indexOf("."); at >= 0; at = references.indexOf(".", at + 1)) {
    const found = { table: references.slice(0, at), column: references.slice(at + 1) };
    if (has(found)) return found;
  }
  return null;
}

type Wrong = readonly [wrong: string, fix: string];

/** Why a referenced column leads to no unit; null where it does. */
function endOf({ table: name, column }: ColumnOfTable, tables: Tables): Wrong | null {
  const table = entryOf(tables, name);
  if (table.public === true)
    return [`references ${name}, whose rows are public`, "reference the table that names the unit"];
  if (table.unit === "row")
    return [
      `references ${name}, where each row is a unit and nothing names it`,
      `write unit: ${column} below ${name}: then rows that share it are one unit`,
    ];
  const link = table.unit === undefined ? null : linkOf(table.unit);
  if (column === table.key || column === link) return null;
  return [
    `references ${name}.${column}, which is not declared as a key`,
    `write key: ${column} below ${name}`,
  ];
}

/** Keys are compared as they are written, and 7 is not written as 7.0. */
function typesDiffer(table: TableFile, through: string, target: ColumnOfTable, tables: Tables): Wrong | null {
  const own = columnOf(table, through);
  const other = columnOf(entryOf(tables, target.table), target.column)!;
  if (!own || own.type === other.type) return null;
  return [
    `goes through ${through}, a column of type ${own.type}, to a key of type ${other.type}`,
    `declare both as ${other.type}`,
  ];
}

function turnsInCircles(start: string, tables: Tables): boolean {
  const seen = new Set<string>();
  for (let at: string | null = start; at !== null; at = next(entryOf(tables, at), tables)) {
    if (seen.has(at)) return at === start;
    seen.add(at);
  }
  return false;
}

function next({ unit }: TableFile, tables: Tables): string | null {
  if (typeof unit !== "object" || !("through" in unit)) return null;
  return referenced(unit.references, tables)?.table ?? null;
}

function said(references: Extract<UnitFile, { readonly through: string }>["references"]): string {
  return typeof references === "string" ? references : `${references.table}.${references.column}`;
}

function suggestion(unit: Extract<UnitFile, { readonly through: string }>, tables: Tables): string {
  const known = Object.entries(tables).flatMap(([name, table]) => {
    const names = [
      table.key,
      table.unit === undefined || table.unit === "row" ? undefined : linkOf(table.unit),
    ];
    return names.flatMap((column) => (column === undefined ? [] : [`${name}.${column}`]));
  });
  return known.length === 0 ? "write references: people.id" : didYouMean(said(unit.references), known);
}
