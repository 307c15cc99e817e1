import type { ColumnRef } from "@pgsql/types";
import { refused } from "../../refuse.ts";
import { RowValue } from "../../types/values.ts";
import type { Expr } from "../expr.ts";
import { stringsOf } from "../nodes.ts";
import type { Scope } from "../scope.ts";

/** Reads the name of a column, or of a table whose row is meant. Errors: query.unknown-column. */
export function columnExpression({ fields, location }: ColumnRef, scope: Scope): Expr {
  const names = stringsOf(fields);
  const [name = "", table = null] = [...names].reverse();
  const found = scope.column(table, name);
  if (found) return found;
  if (table === null && scope.source(name)) return wholeRow([name], scope);
  return refused("query.unknown-column", `there is no column ${JSON.stringify(names.join("."))}`, location);
}

/** Returns the row of a table as one value. Errors: query.unknown-table. */
export function wholeRow(names: readonly string[], scope: Scope): Expr {
  const [name = ""] = [...names].reverse();
  const found = scope.source(name);
  if (!found) return refused("query.unknown-table", `there is no table ${JSON.stringify(name)} in FROM`);
  const { columns, rowType, isPresent } = found.source;
  const shown = columns.filter(({ isHidden }) => !isHidden);
  const [types, called] = [shown.map(({ expr }) => expr.type), shown.map((column) => column.name)];
  const slots = new Set(shown.flatMap((column) => [...column.slots]));
  const row: Expr = {
    type: rowType,
    typmod: -1,
    fields: shown.map((column) => ({ name: column.name, type: column.expr.type })),
    run: (frame) =>
      isPresent(frame)
        ? new RowValue(
            shown.map(({ expr }) => expr.run(frame)),
            types,
            called,
          )
        : null,
  };
  return found.scope.seenFrom(row, slots, scope.level);
}
