import type { Dialect } from "../../dialects/dialect.ts";
import type { GroupedRelation } from "../../relations/relation.ts";
import { compileExpression } from "../stored/compile-expression.ts";
import { reader } from "../stored/stored-reader.ts";
import { TextColumns } from "../stored/text-columns.ts";
import { keptValue, type PreparedRows, valueText } from "./unit-value-text.ts";

/** How columns are called: those of the rows behind `part`, and those that are made. */
export interface UnitValueNames {
  readonly stored: PreparedRows["read"]["stored"];
  readonly own: (column: string) => string;
}

/**
 * One row for each unit and combination of keys: u, and the columns. `of` is the SELECT of the rows. Expressions are computed once a row, then put on their
 * grids, then aggregated; the values are computed of the aggregates once a group.
 */
export function groupedRows(
  relation: GroupedRelation,
  of: string,
  { stored, own: nameOf }: UnitValueNames,
  dialect: Dialect,
): string {
  const read = { ...reader(relation.of, stored, dialect), stored };
  const compile: PreparedRows["compile"] = (expression) => compileExpression(expression, read, dialect);
  const computed = new TextColumns("value", "e");
  const prepared = new TextColumns("own", "p");
  const pieces = new TextColumns("total", "a");
  const rows: PreparedRows = { read, compile, computed, prepared };
  const keys = Object.entries(relation.keys).map(
    ([name, key]) => [name, keptValue(key, relation.columns[name]!, rows, dialect)] as const,
  );
  const values = Object.entries(relation.values).map(([name, value]) => {
    const text = valueText(value, relation.columns[name]!, rows, dialect);
    return {
      name: nameOf(name),
      kept: text.kept,
      value: text.value(...text.pieces.map((piece) => pieces.add(piece))),
    };
  });
  const named = keys.map(([name, text]) => `${text} AS ${nameOf(name)}`);
  const list = (...columns: readonly string[]): string => columns.join(", ");
  const carried = (table: string): readonly string[] =>
    keys.map(([name]) => `${table}.${nameOf(name)} AS ${nameOf(name)}`);
  const places = ["own.u", ...keys.map(([, text]) => text)];

  const first = `SELECT ${list(...computed.list(), "part.u AS u")} FROM (${of}) AS part${dialect.fence}`;
  const second = `SELECT ${list(...prepared.list(), "value.u AS u")} FROM (${first}) AS value`;
  const third = `SELECT ${list("own.u AS u", ...named, ...pieces.list())} FROM (${second}) AS own GROUP BY ${list(...places)}`;
  const fourth = `SELECT ${list(...carried("total"), ...values.map(({ name, value }) => `${value} AS ${name}`), "total.u AS u")} FROM (${third}) AS total${dialect.fence}`;
  return `SELECT ${list(...carried("made"), ...values.map(({ name, kept }) => `${kept(`made.${name}`)} AS ${name}`), "made.u AS u")} FROM (${fourth}) AS made`;
}
