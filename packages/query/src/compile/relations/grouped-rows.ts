import type { Dialect } from "../../dialects/dialect.ts";
import { entryOf } from "../../policy/entry-of.ts";
import type { GroupedRelation } from "../../relations/relation.ts";
import { named, type Query, rowsOf, type SelectColumn, select } from "../../sql/query.ts";
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
  of: Query,
  { stored, own: nameOf }: UnitValueNames,
  dialect: Dialect,
): Query {
  const read = { ...reader(relation.of, stored, dialect), stored };
  const compile: PreparedRows["compile"] = (expression) => compileExpression(expression, read, dialect);
  const computed = new TextColumns("value", "e");
  const prepared = new TextColumns("own", "p");
  const pieces = new TextColumns("total", "a");
  const rows: PreparedRows = { read, compile, computed, prepared };
  const keys = Object.entries(relation.keys).map(
    ([name, key]) => [name, keptValue(key, entryOf(relation.columns, name), rows, dialect)] as const,
  );
  const values = Object.entries(relation.values).map(([name, value]) => {
    const text = valueText(value, entryOf(relation.columns, name), rows, dialect);
    return {
      name: nameOf(name),
      kept: text.kept,
      value: text.value((piece) => pieces.add(piece)),
    };
  });
  const made = keys.map(([name, text]) => named(text, nameOf(name)));
  const carried = (of: string): readonly SelectColumn[] =>
    keys.map(([name]) => named(`${of}.${nameOf(name)}`, nameOf(name)));
  const unit = (of: string): SelectColumn => named(`${of}.u`, "u");
  const groups = ["own.u", ...keys.map(([, text]) => text)];

  const first = select([...computed.list(), unit("part")], rowsOf(of, "part"), { once: true });
  const second = select([...prepared.list(), unit("value")], rowsOf(first, "value"));
  const third = select([unit("own"), ...made, ...pieces.list()], rowsOf(second, "own"), { groupBy: groups });
  const computedOnce = values.map(({ name, value }) => named(value, name));
  const fourth = select([...carried("total"), ...computedOnce, unit("total")], rowsOf(third, "total"), {
    once: true,
  });
  const kept = values.map(({ name, kept }) => named(kept(`made.${name}`), name));
  return select([...carried("made"), ...kept, unit("made")], rowsOf(fourth, "made"));
}
