import { elementAt } from "@lethe/core/numeric";
import {
  linearForm,
  missing,
  mostOverRows,
  type NoisyNumbers,
  type OverColumnKind,
  type OverRelation,
  type Plan,
  type PostExpression,
  shownColumns,
} from "@lethe/query";
import { choosesByNoise, readsNoise } from "../notes/chosen-rows.ts";
import type { PostValue } from "../post/evaluate.ts";
import {
  type Estimate,
  isEstimate,
  isOther,
  isTimeEstimate,
  type ReleasedCell,
  type ShownRows,
} from "../release.ts";
import { type Answers, evaluateOver, type OverRows, TooManyRows } from "./evaluate-over.ts";
import { type Atom, formRanges, type NoisyForm } from "./noisy-form.ts";
import type { OverCell, OverRow } from "./over-cell.ts";

/** A row of an answer: its cells, and its noisy integers. */
export interface AnswerRow {
  readonly cells: readonly ReleasedCell[];
  readonly noisy: NoisyNumbers;
}

/** The note that stands in the place of rows that are too many. */
export const tooManyNote: string = `the SELECT over the answer makes more than ${mostOverRows} pairs of rows and is left out; the rows of the answer are here`;

/**
 * Prepares the rows that a question shows, where it is a SELECT over an answer: post-processing of released rows, those of the plan's own answer and then those of the others. Numbers that are sums, differences or ratios of measured
 * totals have intervals, of the noise that they hold together; copies keep theirs; others have none. Null where there would be more than {@link mostOverRows} rows.
 */
export function shownOver(
  plan: Plan,
  over: OverRelation,
  confidence: number,
): (answers: readonly (readonly AnswerRow[])[]) => ShownRows | null {
  const columns = shownColumns(plan);
  const answersOf = answersReader(plan);
  const prepared = new Map<number, ReturnType<typeof formRanges>>();
  const ranges = (at: number): ReturnType<typeof formRanges> => {
    const found = prepared.get(at) ?? formRanges(at);
    prepared.set(at, found);
    return found;
  };
  return (answers) => {
    try {
      const { rows } = evaluateOver(over, answersOf(answers), ranges, confidence);
      return {
        columns: columns.map(({ name, kind }) => ({ name, kind })),
        rows: rows.map((row) =>
          columns.map(({ name, kind, isCopy }) => {
            const cell = row.get(name);
            if (isCopy && cell?.copied !== undefined) return copiedCell(cell.copied, kind);
            return kind === "computed" || kind === "aggregate"
              ? estimated(cell, ranges(confidence))
              : plain(cell?.value ?? null);
          }),
        ),
      };
    } catch (error) {
      if (error instanceof TooManyRows) return null;
      throw error;
    }
  };
}

/** Prepares the rows of the answers to the first questions of a text, in their order ↦ those rows as relations over them see them. */
export function answersReader(plan: Plan): (answers: readonly (readonly AnswerRow[])[]) => Answers {
  const readers = [
    [undefined, answerReader(plan)] as const,
    ...(plan.others ?? []).map((other) => [other.name, answerReader(other.plan)] as const),
  ];
  return (answers) => {
    const read = new Map(
      answers.map((rows, at) => {
        const [name, rowsOf] = elementAt(readers, at);
        return [name, rowsOf(rows)];
      }),
    );
    return (name) => read.get(name) ?? missing(String(name));
  };
}

/** Prepares the rows of a plan's answer ↦ those rows as a SELECT over them sees them. */
function answerReader(plan: Plan): (answer: readonly AnswerRow[]) => OverRows {
  const answer = shownColumns({ ...plan, over: { kind: "answer" } });
  const names = plan.outputs.map(({ name }) => name);
  const decided = {
    isChosen: choosesByNoise(plan),
    isShuffled: plan.post.orderBy.some(({ by }) => readsNoise(by)),
  };
  const forms = plan.outputs.map((output) => formReader(output, plan));
  const answerRow = ({ cells, noisy }: AnswerRow): OverRow => {
    const atoms = new Map<string, Atom>();
    const atom = (measurement: string): Atom => {
      const known = atoms.get(measurement) ?? { plan, measurement, total: noisy.total(measurement) };
      atoms.set(measurement, known);
      return known;
    };
    return new Map(
      names.map((name, at) => {
        const copied = cells[at] ?? null;
        const value = cellValue(copied, elementAt(answer, at).type);
        const exact = elementAt(plan.outputs, at).kind === "key";
        const form = value === null ? null : elementAt(forms, at)(atom);
        const interval = form === null && isEstimate(copied) ? { interval: () => copied } : {};
        return [name, { value, copied, exact, form, ...interval }];
      }),
    );
  };
  return (rows) => ({ columns: names, rows: rows.map(answerRow), ...decided });
}

/** The NULL of a row that meets none stands in columns of estimates as one. */
function copiedCell(cell: ReleasedCell, kind: string): ReleasedCell {
  const isNumber = kind === "aggregate" || kind === "computed";
  return cell === null && isNumber ? { value: null, lower: null, upper: null } : cell;
}

function estimated(cell: OverCell | undefined, rangeOf: ReturnType<typeof formRanges>): Estimate {
  const value = typeof cell?.value === "bigint" ? Number(cell.value) : cell?.value;
  if (typeof value !== "number") return { value: null, lower: null, upper: null };
  if (cell?.interval) return around(value, cell.interval());
  const range = cell?.form ? rangeOf(cell.form) : null;
  return around(value, { lower: range?.lo ?? null, upper: range?.hi ?? null });
}

/** An interval with an end that is nowhere says nothing. */
function around(value: number, { lower, upper }: Pick<Estimate, "lower" | "upper">): Estimate {
  if (lower === null || upper === null || !Number.isFinite(lower) || !Number.isFinite(upper))
    return { value, lower: null, upper: null };
  return { value, lower, upper };
}

function plain(value: PostValue): ReleasedCell {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : `${value}`;
}

/** A cell as expressions see it: integers that no double holds are shown as texts. */
function cellValue(cell: ReleasedCell, type: OverColumnKind["type"]): PostValue {
  if (isOther(cell)) return null;
  if (type === "number" && typeof cell === "string") return BigInt(cell);
  return isEstimate(cell) || isTimeEstimate(cell) ? cell.value : cell;
}

type FormReader = (atom: (measurement: string) => Atom) => NoisyForm | null;

/** Reads the form of a column of the answer; of several groupings rows hold the same noise, and there is none. */
function formReader(output: Plan["outputs"][number], plan: Plan): FormReader {
  if (plan.groupings || (output.kind !== "aggregate" && output.kind !== "computed")) return () => null;
  const expression: PostExpression =
    output.kind === "aggregate" ? { kind: "aggregate", aggregate: output.aggregate } : output.expression;
  const whole = linearForm(plan, expression);
  const isRatio = expression.kind === "call" && expression.operator === "/";
  const [above, below] = isRatio ? expression.args.map((part) => linearForm(plan, part)) : [];
  return (atom) => {
    const sum = ({ constant, weights }: NonNullable<typeof whole>) => ({
      constant,
      weights: new Map([...weights].map(([name, weight]) => [atom(name), weight])),
    });
    if (whole) return { above: sum(whole), below: null };
    return above && below ? { above: sum(above), below: sum(below) } : null;
  };
}
