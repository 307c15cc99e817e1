import { LetheError } from "@lethe/core";
import type { CatalogColumn } from "../../catalog.ts";
import type { ColumnOfTable, ColumnPolicy } from "../../policy.ts";
import { flow, scalar } from "../../yaml-words.ts";
import { columnWords } from "../column-words.ts";
import { contributionLines, type DraftFrame } from "../draft-frame.ts";
import type { DeclaredBounds } from "../draft-words.ts";
import type { NamedRelation } from "./name-relations.ts";
import type { UnitProposal, Way } from "./propose-units.ts";
import { said } from "./said.ts";

/** The owner's words about the columns of one table. */
export interface ColumnWords {
  readonly bounds: ReadonlyMap<string, DeclaredBounds>;
  readonly categories: ReadonlyMap<string, readonly string[]>;
}

export interface TableWords {
  readonly frame: DraftFrame;
  /** The file that holds the table; null in a database. */
  readonly file: string | null;
  readonly columns: ColumnWords;
}

type Whose = Pick<UnitProposal, "key" | "otherWays" | "notes"> & {
  readonly unit: NonNullable<UnitProposal["unit"]> | "row" | "public" | "unknown";
};

/** Writes one table as it stands below `tables:`. */
export function tableLines(table: NamedRelation, whose: Whose, words: TableWords): string[] {
  const { unit, key, otherWays, notes } = whose;
  const bare = new Set([key, typeof unit === "object" ? linkOf(unit) : null]);
  return [
    `  ${scalar(table.name)}:`,
    ...(words.file === null ? [] : [`    file: ${scalar(words.file)}`]),
    ...(table.relation === null ? [] : [`    relation: ${scalar(table.relation)}`]),
    ...(unit === "public"
      ? ["    public: true # tables of units refer to it: only if its rows are nobody's and no secret"]
      : []),
    ...(unit === "unknown" ? ["    unit: COLUMN # whose rows are they?"] : []),
    ...(unit === "row" ? ["    unit: row # each row is one unit"] : []),
    ...(typeof unit === "object" ? [`    unit: ${unitWords(unit)}`] : []),
    ...otherWays.map(
      (way) => `    # another way, to take instead if that unit is meant: unit: ${unitWords(way)}`,
    ),
    ...notes.map((note) => `    # ${note}`),
    ...(key === null ? [] : [`    key: ${scalar(key)}`]),
    ...(unit === "public"
      ? [
          "    # rows_per_key: { COLUMN: 40 } # to join it by another column: the most rows that share a value",
        ]
      : []),
    ...(typeof unit === "object" ? contributionLines(words.frame) : []),
    "    columns:",
    ...table.columns.map(
      (column) => `      ${columnLine(table, column, bare.has(column.name), words.columns)}`,
    ),
    ...table.leftOut.map((note) => `      # ${note}`),
  ];
}

function linkOf(unit: { readonly column: string } | Way): string {
  return "through" in unit ? unit.through : unit.column;
}

function unitWords(unit: { readonly column: string } | Way): string {
  if ("through" in unit)
    return flow([
      ["through", scalar(unit.through)],
      ["references", placeWords(unit.to)],
    ]);
  return unit.column === "row"
    ? "{ column: row }"
    : `${scalar(unit.column)} # all rows that share its value are one unit`;
}

/** Writes people.id, or its two names apart where one of them holds a dot. */
function placeWords({ table, column }: ColumnOfTable): string {
  if (table.includes(".") || column.includes("."))
    return flow([
      ["table", scalar(table)],
      ["column", scalar(column)],
    ]);
  const isBare = scalar(table) === table && scalar(column) === column;
  return isBare ? `${table}.${column}` : JSON.stringify(`${table}.${column}`);
}

const todo: Readonly<Record<ColumnPolicy["type"], string>> = {
  number: "bounds: [lowest, highest]",
  integer: "bounds: [lowest, highest], or categories: [1, 2]",
  text: "categories: [a, b]",
  date: "bounds: [2020-01-01, 2029-12-31]",
  timestamp: 'bounds: ["2020-01-01 00:00:00", "2029-12-31 23:59:59"]',
  boolean: "",
};

function columnLine(
  table: NamedRelation,
  column: NamedRelation["columns"][number],
  isBare: boolean,
  words: ColumnWords,
): string {
  const bounds = words.bounds.get(column.name);
  const categories = words.categories.get(column.name);
  const start = `${scalar(column.name)}:`;
  if (bounds || categories) {
    if (isBare)
      throw new LetheError(
        "cli.usage",
        `${table.name}.${column.name} is a key, and so has no bounds or categories`,
        {
          fix: "leave it out of --bounds and --categories",
        },
      );
    return `${start} ${columnWords({ type: typeOf(table, column, bounds), bounds, categories })}`;
  }
  // Keys are compared as texts, whatever else their type could be.
  if (isBare) return `${start} { type: ${keyType(column)} } # a key, and so a type alone`;
  const declared = `${start} { type: ${column.type} }`;
  const missing = todo[column.type];
  return missing === "" ? declared : `${declared} # not declared yet: add ${missing}${labelWords(column)}`;
}

function keyType({ spelling }: CatalogColumn): "integer" | "text" {
  return spelling === "integer" ? "integer" : "text";
}

const maxLabels = 30;

/** Writes the labels of a type in a comment: the owner decides whether they are public. */
function labelWords({ labels }: CatalogColumn): string {
  if (labels.length === 0) return "";
  const rest = labels.length > maxLabels ? ` and ${labels.length - maxLabels} more` : "";
  return `; its type has the labels ${labels.slice(0, maxLabels).map(said).join(", ")}${rest}: copy them if they are no secret`;
}

/** Returns the type that the owner's words and the database's type give a column. Errors: cli.usage where they do not fit. */
function typeOf(
  table: NamedRelation,
  { name, native, type, spelling }: NamedRelation["columns"][number],
  bounds: DeclaredBounds | undefined,
): ColumnPolicy["type"] {
  const place = `${table.name}.${name}`;
  const unfit = (wrong: string, fix: string): LetheError =>
    new LetheError("cli.usage", `${place} is of type ${said(native)} in the database, and ${wrong}`, { fix });
  const isTime = type === "date" || type === "timestamp";
  // Texts may hold numbers or times; a value that is only read as a text, such as an address, may not.
  const isText = spelling === "text" || spelling === "padded text";
  if (bounds?.time) {
    if (isText) return bounds.time;
    if (isTime) return type;
    throw unfit("dates are no bounds of it", "write bounds of numbers, or leave it out of --bounds");
  }
  if (bounds) {
    if (isText || type === "number") return bounds.integer ? "integer" : "number";
    if (type === "integer") return type;
    const fix = isTime ? `write ${place}=2010-01-01..2029-12-31` : "leave it out of --bounds";
    throw unfit("numbers are no bounds of it", fix);
  }
  if (type === "text" || type === "integer") return type;
  throw unfit("it has no categories", "leave it out of --categories; state --bounds for numbers and times");
}
