import type { Dialect } from "../../dialects/dialect.ts";
import type { Expression } from "../../expressions/expression.ts";
import { entryOf } from "../../policy/entry-of.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import type { WindowedRelation } from "../../relations/relation.ts";
import { needsPlaces, type UnitWindow } from "../../relations/unit-window.ts";
import { writeFrame } from "../../relations/write-from.ts";
import { named, type Query, rowsOf, type SelectColumn, select } from "../../sql/query.ts";
import type { Order, Window, WindowFunction } from "../../sql/window.ts";
import { compileExpression } from "../stored/compile-expression.ts";
import { oneZero } from "../stored/one-zero.ts";
import { reader } from "../stored/stored-reader.ts";
import { TextColumns } from "../stored/text-columns.ts";
import type { UnitValueNames } from "./grouped-rows.ts";
import { clamped, keptValue, type PreparedRows, type ValueText, valueText } from "./unit-value-text.ts";

/**
 * The rows of `of`, whose columns are `carried`, with values of windows over each unit's. Rows that a window's order does not tell
 * apart stand in the order of all their columns, which is made once for all windows: rows that are alike in it as well can
 * change places, for they do so in all windows together.
 */
export function windowedRows(
  relation: WindowedRelation,
  of: Query,
  carried: readonly string[],
  { stored, own }: UnitValueNames,
  dialect: Dialect,
): Query {
  const { write } = dialect;
  const read = { ...reader(relation.of, stored, dialect), stored };
  const compile: PreparedRows["compile"] = (expression) => compileExpression(expression, read, dialect);
  const computed = new TextColumns("value", "e");
  const prepared = new TextColumns("own", "p");
  const pieces = new TextColumns("total", "a");
  const rows: PreparedRows = { read, compile, computed, prepared };
  const compared = (expression: Expression): string => {
    const text = computed.add(compile(expression));
    return prepared.add(expression.domain.type === "number" ? oneZero(text, dialect) : text);
  };
  const values = Object.entries(relation.values).map(([name, window]) => {
    const text = windowText(window, entryOf(relation.columns, name), rows, dialect);
    const over = windowOf(window, compared);
    const value = text.value((piece) => pieces.add(write.over(piece, over)));
    return { name: own(name), value, kept: text.kept };
  });
  const all = (from: string): readonly SelectColumn[] =>
    [...carried, "u"].map((name) => named(`${from}.${name}`, name));
  const tied = carried.map((name): Order => ({ by: `value.${name}`, direction: null, nulls: "last" }));
  const place = write.over(write.call("row_number"), { partitionBy: ["value.u"], orderBy: tied });
  const placed = Object.values(relation.values).some(needsPlaces) ? [named(place, "place")] : [];

  const first = select([...all("part"), ...computed.list()], rowsOf(of, "part"), { once: true });
  const second = select([...all("value"), ...prepared.list(), ...placed], rowsOf(first, "value"));
  const third = select([...all("own"), ...pieces.list()], rowsOf(second, "own"));
  const computedOnce = values.map(({ name, value }) => named(value, name));
  const fourth = select([...all("total"), ...computedOnce], rowsOf(third, "total"), { once: true });
  const kept = values.map(({ name, kept }) => named(kept(`made.${name}`), name));
  return select([...all("made"), ...kept], rowsOf(fourth, "made"));
}

function windowOf(window: UnitWindow, compared: (expression: Expression) => string): Window {
  return {
    partitionBy: ["own.u", ...window.partition.map(compared)],
    orderBy: [
      ...window.order.map(
        ({ by, descending, nullsFirst }): Order => ({
          by: compared(by),
          direction: descending ? "descending" : "ascending",
          nulls: nullsFirst ? "first" : "last",
        }),
      ),
      ...(needsPlaces(window) ? ["own.place"] : []),
    ],
    frame: window.frame === null ? null : writeFrame(window.frame),
  };
}

const functions = {
  "row-number": "row_number",
  rank: "rank",
  "dense-rank": "dense_rank",
  first: "first_value",
  last: "last_value",
} as const satisfies Readonly<Record<string, WindowFunction>>;

function windowText(
  { value }: UnitWindow,
  column: ColumnPolicy,
  rows: PreparedRows,
  dialect: Dialect,
): ValueText {
  const asIs = (text: string): string => text;
  switch (value.kind) {
    case "row-number":
    case "rank":
    case "dense-rank": {
      const place = dialect.write.call(functions[value.kind]);
      return { value: (piece) => clamped(piece(place), column, dialect), kept: asIs };
    }
    case "lag":
    case "lead": {
      const kept = keptValue(value.argument, column, rows, dialect);
      const moved = dialect.write.call(value.kind, kept, `${value.by}`);
      return { value: (piece) => piece(moved), kept: asIs };
    }
    case "first":
    case "last": {
      const kept = keptValue(value.argument, column, rows, dialect);
      const end = dialect.write.call(functions[value.kind], kept);
      return { value: (piece) => piece(end), kept: asIs };
    }
    default:
      return valueText(value, column, rows, dialect);
  }
}
