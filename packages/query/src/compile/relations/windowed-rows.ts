import type { Dialect } from "../../dialects/dialect.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import type { WindowedRelation } from "../../relations/relation.ts";
import { needsPlaces, type UnitWindow } from "../../relations/unit-window.ts";
import { writeFrame } from "../../relations/write-from.ts";
import { compileExpression } from "../stored/compile-expression.ts";
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
  of: string,
  carried: readonly string[],
  { stored, own }: UnitValueNames,
  dialect: Dialect,
): string {
  const read = { ...reader(relation.of, stored, dialect), stored };
  const compile: PreparedRows["compile"] = (expression) => compileExpression(expression, read, dialect);
  const computed = new TextColumns("value", "e");
  const prepared = new TextColumns("own", "p");
  const pieces = new TextColumns("total", "a");
  const rows: PreparedRows = { read, compile, computed, prepared };
  const compared = (expression: Expression): string => {
    const text = computed.add(compile(expression));
    return prepared.add(expression.domain.type === "number" ? `(${text} + ${dialect.double(0)})` : text);
  };
  const values = Object.entries(relation.values).map(([name, window]) => {
    const text = windowText(window, relation.columns[name]!, rows, dialect);
    const over = ` OVER (${overText(window, compared)})`;
    const names = text.pieces.map((piece) => pieces.add(`${piece}${over}`));
    return { name: own(name), value: text.value(...names), kept: text.kept };
  });
  const list = (...columns: readonly string[]): string => columns.join(", ");
  const all = (table: string): readonly string[] =>
    [...carried, "u"].map((name) => `${table}.${name} AS ${name}`);
  const tied = carried.map((name) => `value.${name} NULLS LAST`);
  const placed = Object.values(relation.values).some(needsPlaces)
    ? [
        `row_number() OVER (PARTITION BY value.u${tied.length === 0 ? "" : ` ORDER BY ${tied.join(", ")}`}) AS place`,
      ]
    : [];

  const first = `SELECT ${list(...all("part"), ...computed.list())} FROM (${of}) AS part${dialect.fence}`;
  const second = `SELECT ${list(...all("value"), ...prepared.list(), ...placed)} FROM (${first}) AS value`;
  const third = `SELECT ${list(...all("own"), ...pieces.list())} FROM (${second}) AS own`;
  const fourth = `SELECT ${list(...all("total"), ...values.map(({ name, value }) => `${value} AS ${name}`))} FROM (${third}) AS total${dialect.fence}`;
  return `SELECT ${list(...all("made"), ...values.map(({ name, kept }) => `${kept(`made.${name}`)} AS ${name}`))} FROM (${fourth}) AS made`;
}

function overText(window: UnitWindow, compared: (expression: Expression) => string): string {
  const partition = ["own.u", ...window.partition.map(compared)];
  const order = [
    ...window.order.map(
      ({ by, descending, nullsFirst }) =>
        `${compared(by)} ${descending ? "DESC" : "ASC"} NULLS ${nullsFirst ? "FIRST" : "LAST"}`,
    ),
    ...(needsPlaces(window) ? ["own.place"] : []),
  ];
  return [
    `PARTITION BY ${partition.join(", ")}`,
    ...(order.length === 0 ? [] : [`ORDER BY ${order.join(", ")}`]),
    ...(window.frame === null ? [] : [writeFrame(window.frame)]),
  ].join(" ");
}

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
      const pieces = [`${value.kind.replace("-", "_")}()`];
      return { pieces, value: (n) => clamped(n!, column, dialect), kept: asIs };
    }
    case "lag":
    case "lead": {
      const kept = keptValue(value.argument, column, rows, dialect);
      return { pieces: [`${value.kind}(${kept}, ${value.by})`], value: asIs, kept: asIs };
    }
    case "first":
    case "last": {
      const kept = keptValue(value.argument, column, rows, dialect);
      return { pieces: [`${value.kind}_value(${kept})`], value: asIs, kept: asIs };
    }
    default:
      return valueText(value, column, rows, dialect);
  }
}
