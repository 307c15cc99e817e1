import type { OverRelation } from "@lethe/query";
import { placeOf } from "../derive/named.ts";
import { hidden, seenValue } from "../derive/released/released-value.ts";
import { groupedRows } from "./grouped-rows.ts";
import { joinedRows } from "./joined-rows.ts";
import { type MadeColumn, type MadeRows, madeCell, seenBy } from "./made-rows.ts";
import { placedRows } from "./placed-rows.ts";
import { demandFew, type Spend, undecided } from "./unmade.ts";
import { placesTogether, valueTexts } from "./value-texts.ts";
import { isNumberWindow, windowValues } from "./window-values.ts";

/** The rows of the answer that has a name; of the plan's own, which has none. */
export type AnswerOf = (name: string | undefined) => MadeRows;

/** Makes the rows of a SELECT over the rows of answers. Errors: Unmade where rounding may decide on them, or they are too many. */
export function overRows(over: OverRelation, answer: AnswerOf, spend: Spend): MadeRows {
  const made = rowsOf(over, answer, spend);
  spend(made.rows.length * made.columns.length + 1);
  demandFew(made.rows.length);
  return made;
}

function rowsOf(over: OverRelation, answer: AnswerOf, spend: Spend): MadeRows {
  const rowsIn = (of: OverRelation): MadeRows => overRows(of, answer, spend);
  switch (over.kind) {
    case "answer":
      return answer(over.name);
    case "values":
      return writtenRows(over);
    case "filtered":
      return filteredRows(rowsIn(over.of), over);
    case "shown":
      return shownRows(rowsIn(over.of), over);
    case "grouped":
      return groupedRows(rowsIn(over.of), over);
    case "windowed":
      return windowedRows(rowsIn(over.of), over, spend);
    case "ordered":
      return orderedRows(rowsIn(over.of), over);
    case "distinct":
      return distinctRows(rowsIn(over.of));
    case "joined":
      return joinedRows(rowsIn(over.left), rowsIn(over.right), over, spend);
    case "union":
      return unionRows(over.parts.map(rowsIn));
  }
}

type Of<Kind extends OverRelation["kind"]> = Extract<OverRelation, { readonly kind: Kind }>;

/** Constants are exact, and shown as they are written. */
function writtenRows({ columns, rows }: Of<"values">): MadeRows {
  return {
    columns: columns.map(({ name, type }) => ({ name, isNumber: type === "number", copied: "key" })),
    rows: rows.map((row) => row.map((value) => ({ value, cell: value }))),
  };
}

function filteredRows({ columns, rows }: MadeRows, { where }: Of<"filtered">): MadeRows {
  const seen = seenBy(columns);
  return {
    columns,
    rows: rows.filter((row) => {
      const holds = seenValue(where, seen(row));
      return holds === hidden ? undecided() : holds === true;
    }),
  };
}

/** A column that is shown by itself is copied; whatever else is computed. */
function shownRows({ columns, rows }: MadeRows, { columns: shown }: Of<"shown">): MadeRows {
  const seen = seenBy(columns);
  const places = shown.map(({ expression }) =>
    expression.kind === "key" ? placeOf(columns, expression.key) : -1,
  );
  return {
    columns: shown.map(({ name, type }, at) => ({
      name,
      isNumber: type === "number",
      copied: columns[places[at] ?? -1]?.copied ?? null,
    })),
    rows: rows.map((row) => {
      const values = seen(row);
      return shown.map(
        ({ expression }, at) => row[places[at] ?? -1] ?? madeCell(seenValue(expression, values)),
      );
    }),
  };
}

function windowedRows({ columns, rows }: MadeRows, { windows }: Of<"windowed">, spend: Spend): MadeRows {
  const seen = rows.map(seenBy(columns));
  const values = windows.map((window) => windowValues(window, seen, spend));
  return {
    columns: [
      ...columns,
      ...windows.map((window) => ({
        name: window.name,
        isNumber: isNumberWindow(window, columns),
        copied: null,
      })),
    ],
    rows: rows.map((row, at) => [...row, ...values.map((of) => madeCell(of[at] ?? null))]),
  };
}

function orderedRows({ columns, rows }: MadeRows, { orderBy, limit, offset }: Of<"ordered">): MadeRows {
  const placed = placedRows(rows.map(seenBy(columns)), orderBy) ?? undecided();
  const kept = placed.places.slice(offset, limit === null ? undefined : offset + limit);
  return { columns, rows: kept.flatMap((place) => (rows[place] ? [rows[place]] : [])) };
}

function distinctRows({ columns, rows }: MadeRows): MadeRows {
  const texts = valueTexts(rows.map((row) => row.map(({ value }) => value)));
  return {
    columns,
    rows: placesTogether(texts).flatMap(([place = -1]) => (rows[place] ? [rows[place]] : [])),
  };
}

function unionRows(parts: readonly MadeRows[]): MadeRows {
  const [first] = parts;
  return {
    columns: (first?.columns ?? []).map((column, at) => ({ ...column, copied: copiedIn(parts, column, at) })),
    rows: parts.flatMap(({ rows }) => rows),
  };
}

/** A column is a copy where it is one of the same kind in every part. */
function copiedIn(parts: readonly MadeRows[], { copied }: MadeColumn, at: number): MadeColumn["copied"] {
  return parts.every(({ columns }) => columns[at]?.copied === copied) ? copied : null;
}
