import type { ColumnFile, TableFile } from "./policy-file.ts";

type Fault = (path: string[], wrong: string, fix: string) => void;

/** Checks the words of a table about its unit, as far as they can be judged without the other tables. */
export function checkUnit(source: TableFile, fault: Fault): void {
  if (source.key !== undefined) checkKey(source, source.key, fault);
  checkJoins(source, fault);
  if (source.public === true) {
    checkPublic(source, fault);
    return;
  }
  if (source.unit === undefined) {
    fault(
      ["unit"],
      "is missing: whose are these rows?",
      "write unit: row, unit: name_of_the_column, unit: { through: person_id, references: people.id }, or public: true",
    );
    return;
  }
  if (source.unit === "row") {
    checkRows(source, fault);
    return;
  }
  const column = linkOf(source.unit);
  const declared = columnOf(source, column);
  if (!declared)
    fault(
      ["unit"],
      `names the column ${JSON.stringify(column)}, which columns does not declare`,
      `declare it below columns, as ${JSON.stringify(column)}: { type: text }, or write unit: row`,
    );
  // A clamp, a default or a cut would merge several units into one.
  else if (!isBare(declared))
    fault(
      ["columns", column],
      "names the privacy unit and so states a type alone",
      "remove its bounds, categories, default and max_length",
    );
}

/** Returns the column of the table itself that leads to its unit. */
export function linkOf(unit: Exclude<TableFile["unit"], undefined>): string {
  if (typeof unit === "string") return unit;
  return "through" in unit ? unit.through : unit.column;
}

export function columnOf(source: TableFile, name: string): ColumnFile | undefined {
  return Object.hasOwn(source.columns, name) ? source.columns[name] : undefined;
}

function isBare(column: ColumnFile): boolean {
  return Object.keys(column).every((key) => key === "type");
}

function checkRows(source: TableFile, fault: Fault): void {
  for (const limit of ["max_groups_contributed", "max_rows_contributed_per_group"] as const)
    if ((source[limit] ?? 1) !== 1)
      fault(
        [limit],
        "must be 1 where each row is a unit",
        "remove it, or name the unit's column: unit: column_name",
      );
  if (source.key !== undefined)
    fault(
      ["key"],
      "leads to rows that are units of their own, which no other table can reach",
      `write unit: ${source.key}: then rows that share it are one unit, and other tables can reach it`,
    );
}

/** The most rows of a table that one row may meet. */
export const mostRowsPerKey = 1000;

/** Checks the limits that joins rely on: those of public rows by a column or in all, and those of private rows by their unit. */
function checkJoins(source: TableFile, fault: Fault): void {
  const isPublic = source.public === true;
  for (const word of ["rows_per_key", "max_rows"] as const)
    if (source[word] !== undefined && !isPublic)
      fault(
        [word],
        "is for public tables only",
        "write max_rows_before_join for rows of units, or remove it",
      );
  if (source.max_rows_before_join !== undefined && (isPublic || source.unit === "row"))
    fault(
      ["max_rows_before_join"],
      "limits the rows of a unit that a column names",
      isPublic ? "write rows_per_key or max_rows, or remove it" : "remove it: a unit has one row",
    );
  if ((source.max_rows_before_join ?? 1) > mostRowsPerKey)
    fault(
      ["max_rows_before_join"],
      `is above ${mostRowsPerKey}, the most rows that one row may meet`,
      `write at most ${mostRowsPerKey}`,
    );
  if ((source.max_rows ?? 1) > mostRowsPerKey)
    fault(
      ["max_rows"],
      `is above ${mostRowsPerKey}, the most rows that one row may meet`,
      `write at most ${mostRowsPerKey}, or key and rows_per_key, and join on an equality`,
    );
  for (const [column, rows] of Object.entries(source.rows_per_key ?? {})) {
    const declared = columnOf(source, column);
    if (!declared)
      fault(
        ["rows_per_key", column],
        "names a column that columns does not declare",
        `declare it below columns, as ${JSON.stringify(column)}: { type: text }`,
      );
    else if (declared.type === "number")
      fault(
        ["rows_per_key", column],
        "is of type number, whose values are not counted one by one",
        "declare the column as type: integer or text",
      );
    if (rows > mostRowsPerKey)
      fault(
        ["rows_per_key", column],
        `is above ${mostRowsPerKey}, the most rows that one row may meet`,
        `write at most ${mostRowsPerKey}`,
      );
  }
}

function checkPublic(source: TableFile, fault: Fault): void {
  if (source.unit !== undefined)
    fault(["unit"], "stands beside public: true", "remove one of the two: public rows are nobody's");
  for (const key of ["max_groups_contributed", "max_rows_contributed_per_group", "limit", "bound"] as const)
    if (source[key] !== undefined) fault([key], "limits a unit, and public rows have none", "remove it");
}

function checkKey(source: TableFile, key: string, fault: Fault): void {
  const declared = columnOf(source, key);
  if (!declared)
    fault(
      ["key"],
      `names the column ${JSON.stringify(key)}, which columns does not declare`,
      `declare it below columns, as ${JSON.stringify(key)}: { type: text }`,
    );
  else if (declared.type !== "text" && declared.type !== "integer")
    fault(["key"], "is neither a text nor an integer", "declare the column as type: text or integer");
  // A text that is cut, or a number that is clamped, would make one key of two.
  else if (source.public !== true && !isBare(declared))
    fault(
      ["columns", key],
      "is a key and so states a type alone",
      "remove its bounds, categories, default and max_length",
    );
}
