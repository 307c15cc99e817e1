import { asShown, holdsEstimates } from "@lethe/gateway";
import type { CatalogAnswerColumn, DescribedOutput, QuestionDescription } from "@lethe/query";
import type { ServedAnswer } from "@lethe/serve";
import { asDrawn, type FlatAnswer, type FlatValue, flatAnswer, renderJson } from "@lethe/serve/formats";
import { answerBody } from "../../http/answers/write-answer.ts";
import type { ColumnForm, WireCell, WireType } from "./wire-type.ts";

export interface WireColumn {
  readonly name: string;
  readonly type: ColumnForm;
}

/** Rows as they leave over the wire, in the columns of `lethe query --format csv`. */
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

/**
 * Returns the columns of a question's answer: one a key, three an estimate.
 * @param mayHoldMarks whether a key may be (other) or (all), which only a text can be
 */
export function describedColumns(
  { columns }: QuestionDescription,
  mayHoldMarks: boolean,
): readonly WireColumn[] {
  return columns.flatMap((column) => {
    const { name, kind } = column;
    const type = typeOf[column.isWhole ? "integer" : column.type];
    if (!holdsEstimates(column)) return [{ name, type: mayHoldMarks && kind === "key" ? "text" : type }];
    return [name, `${name}_lower`, `${name}_upper`].map((each) => ({ name: each, type }));
  });
}

/** Returns an answer's rows. `described` are its columns where the answer itself does not tell their types. */
export function wireAnswer(answer: ServedAnswer, described: readonly WireColumn[] | null): WireAnswer {
  switch (answer.kind) {
    case "explanation":
      return { columns: explanationColumns, rows: () => [[renderJson(answerBody(answer))]] };
    case "catalog":
      return typed(answer.catalog);
    case "public":
      return typed(answer.answer);
    case "release":
      return withTypes(flatAnswer(asShown(answer.release, answer.repeat?.columns)), described);
    case "made":
      return withTypes(flatAnswer(asDrawn(answer.made)), described);
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

function withTypes({ names, rows }: FlatAnswer, described: readonly WireColumn[] | null): WireAnswer {
  const fits = described?.length === names.length;
  return {
    columns: names.map((name, at) => ({ name, type: (fits && described[at]?.type) || "text" })),
    rows,
  };
}
