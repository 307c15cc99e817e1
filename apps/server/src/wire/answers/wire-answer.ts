import { elementAt } from "@lethe/core/numeric";
import { asShown, holdsEstimates } from "@lethe/gateway";
import type { CatalogAnswerColumn, DescribedOutput, QuestionDescription } from "@lethe/query";
import type { ServedAnswer } from "@lethe/serve";
import { asDrawn, type FlatValue, flatAnswer, renderJson, type ShownAnswer } from "@lethe/serve/formats";
import { answerBody } from "../../http/answers/write-answer.ts";
import type { ColumnForm, WireCell, WireType } from "./wire-type.ts";

export interface WireColumn {
  readonly name: string;
  readonly type: ColumnForm;
}

/** Rows as they leave over the wire: the columns that were asked for, then the ends of the intervals. */
export interface WireAnswer {
  readonly columns: readonly WireColumn[];
  rows(): Iterable<readonly WireCell[]>;
}

type OutputType = DescribedOutput["type"] | CatalogAnswerColumn["type"];

/**
 * The type of each kind of value. A number is float8, a count too: an answer may be a mean of several, and an estimate has no more digits than that. A key whose numbers are whole is int8.
 */
const typeOf: Readonly<Record<OutputType, WireType>> = {
  number: "float8",
  integer: "int8",
  text: "text",
  boolean: "bool",
  date: "date",
  timestamp: "timestamp",
};

/** The one column of an explanation, whose one row is JSON as HTTP answers it. */
export const explanationColumns: readonly WireColumn[] = [{ name: "explanation", type: "json" }];

/** How a question's answer is written. */
export interface AnswerForm {
  /** Whether the two ends of each estimate's interval are columns too. */
  readonly hasIntervals: boolean;
}

/**
 * Puts the parts of columns in the order in which they leave: what was asked for in its own order, then the ends of the intervals. Superset gives the columns of an answer the names of its
 * own, by their places, and cuts off what is over: behind a count its lower end would be shown as the next mean.
 * @param columns of each column its value, and behind it the ends of its interval where it has one
 */
function inOrder<T>(columns: readonly (readonly [T, ...T[]])[], { hasIntervals }: AnswerForm): readonly T[] {
  const ends = hasIntervals ? columns.flatMap(([, ...ofColumn]) => ofColumn) : [];
  return [...columns.map(([value]) => value), ...ends];
}

/**
 * Returns the columns of a question's answer: one a key, three an estimate, or one without intervals.
 * @param mayHoldMarks whether a key may be (other) or (all), which only a text can be
 */
export function describedColumns(
  { columns }: QuestionDescription,
  mayHoldMarks: boolean,
  form: AnswerForm,
): readonly WireColumn[] {
  const parts = columns.map((column): readonly [WireColumn, ...WireColumn[]] => {
    const { name, kind } = column;
    const type = typeOf[column.isWhole ? "integer" : column.type];
    if (!holdsEstimates(column)) return [{ name, type: mayHoldMarks && kind === "key" ? "text" : type }];
    return [
      { name, type },
      { name: `${name}_lower`, type },
      { name: `${name}_upper`, type },
    ];
  });
  return inOrder(parts, form);
}

/** Returns an answer's rows. `described` are its columns where the answer itself does not tell their types. */
export function wireAnswer(
  answer: ServedAnswer,
  described: readonly WireColumn[] | null,
  form: AnswerForm,
): WireAnswer {
  switch (answer.kind) {
    case "explanation":
      return { columns: explanationColumns, rows: () => [[renderJson(answerBody(answer))]] };
    case "catalog":
      return typed(answer.catalog);
    case "public":
      return typed(answer.answer);
    case "release":
      return flat(asShown(answer.release, answer.repeat?.columns), described, form);
    case "made":
      return flat(asDrawn(answer.made), described, form);
  }
}

function typed({
  columns,
  rows,
}: {
  readonly columns: readonly { readonly name: string; readonly type: OutputType }[];
  readonly rows: readonly (readonly FlatValue[])[];
}): WireAnswer {
  return { columns: columns.map(({ name, type }) => ({ name, type: typeOf[type] })), rows: () => rows };
}

function flat(answer: ShownAnswer, described: readonly WireColumn[] | null, form: AnswerForm): WireAnswer {
  const { names, rows } = flatAnswer(answer);
  let next = 0;
  const places = answer.columns.map((column): readonly [number, ...number[]] => {
    const first = next;
    next += holdsEstimates(column) ? 3 : 1;
    return holdsEstimates(column) ? [first, first + 1, first + 2] : [first];
  });
  const order = inOrder(places, form);
  const fits = described?.length === order.length;
  return {
    columns: order.map((place, at) => ({
      name: elementAt(names, place),
      type: (fits && described[at]?.type) || "text",
    })),
    *rows() {
      for (const row of rows()) yield order.map((place) => row[place] ?? null);
    },
  };
}
