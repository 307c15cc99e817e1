import type { KeyValue, NoisyGroup } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import {
  byName,
  type Estimator,
  missing,
  missingChances,
  type NoisyNumbers,
  noisyNumbers,
  type Plan,
  type RowNoise,
  rowNoiseName,
  type TimeType,
} from "@lethe/query";
import { computedIntervals } from "../intervals/computed-intervals.ts";
import { estimators } from "../intervals/estimators.ts";
import { notesOn } from "../notes/notes.ts";
import { releasedValues } from "../over/released-value.ts";
import { type AnswerRow, shownOver, tooManyNote } from "../over/shown-over.ts";
import { evaluate, keyValue, type PostRow } from "../post/evaluate.ts";
import { postProcess } from "../post/post-process.ts";
import {
  type Estimate,
  isEstimate,
  isTimeEstimate,
  type Release,
  type ReleasedCell,
  type ReleasedColumn,
  type TimeEstimate,
} from "../release.ts";
import { type GroupedRow, groupedRows } from "./grouped-rows.ts";
import { timeOf, writtenTimes } from "./written-times.ts";

/** The answer itself, before it is certified. */
export type AnsweredRows = Pick<
  Release,
  "columns" | "rows" | "groupings" | "over" | "others" | "released" | "missing" | "notes"
>;

/** What was drawn for one question: its noisy groups, and those of its totals. */
export interface DrawnGroups {
  readonly groups: readonly NoisyGroup[];
  readonly totals?: readonly (readonly NoisyGroup[])[];
}

interface Row extends PostRow, GroupedRow {
  readonly noisy: NoisyNumbers;
  /** The estimates by the names of their aggregates. */
  readonly estimates: ReadonlyMap<string, Estimate>;
}

/**
 * Prepares a plan's noisy groups (and, where the text asks several questions, those of each other one, in order) ↦ its answer: estimates with their intervals, HAVING, ORDER BY,
 * LIMIT, and what is selected over all answers. Post-processing: it sees nothing that has no noise.
 */
export function answeredRows(
  plan: Plan,
  confidence: number,
): (
  groups: readonly NoisyGroup[],
  totals?: readonly (readonly NoisyGroup[])[],
  others?: readonly DrawnGroups[],
) => AnsweredRows {
  const own = ownRows(plan, confidence);
  const named = (plan.others ?? []).map((other) => ({
    name: other.name,
    rowsOf: ownRows(other.plan, confidence),
  }));
  const over = plan.over && shownOver(plan, plan.over, confidence);
  const { released: read = [] } = plan;
  const valuesOf = read.length === 0 ? null : releasedValues(plan, confidence);
  return (groups, totals = [], drawn = []) => {
    const { answered, shown } = own({ groups, totals });
    const others = named.map(({ name, rowsOf }, at) => ({ name, ...rowsOf(elementAt(drawn, at)) }));
    const rows = [shown, ...others.map((each) => each.shown)];
    const value = valuesOf?.(rows);
    const kept = {
      ...(others.length === 0
        ? {}
        : { others: others.map(({ name, answered: each }) => ({ name, ...each })) }),
      ...(value ? { released: read.map((each) => ({ sql: each.sql, value: value(each) })) } : {}),
    };
    if (!over) return { ...answered, ...kept };
    const made = over(rows);
    return {
      ...answered,
      ...kept,
      ...(made ? { over: made } : { notes: [...answered.notes, tooManyNote] }),
    };
  };
}

/** One question's answer, and its rows with their noisy integers. */
export interface OwnRows {
  readonly answered: Omit<AnsweredRows, "over" | "others">;
  readonly shown: readonly AnswerRow[];
}

/** Prepares what was drawn for one question ↦ its answer. */
export function ownRows(plan: Plan, confidence: number): (drawn: DrawnGroups) => OwnRows {
  const estimate = perNoise((noise): ReadonlyMap<string, Estimator> => estimators(plan, confidence, noise));
  const cells = perNoise((noise) => plan.outputs.map((output) => cellOf(output, plan, confidence, noise)));
  const numbers = noisyNumbers(plan);
  const types = new Map(plan.aggregates.map((aggregate) => [aggregate.name, timeOf(aggregate)]));
  const always = { columns: plan.outputs.map(columnOf), missing: missingChances(plan), notes: notesOn(plan) };
  return ({ groups, totals = [] }) => {
    const rows = groupedRows(groups, totals, plan).map((row): Row => {
      const noisy = numbers(row.values, row.trees);
      const estimates = new Map([...estimate(row.noise)].map(([name, of]) => [name, of(noisy)]));
      const aggregates = new Map(
        [...estimates].map(([name, of]) => [name, written(of, types.get(name) ?? null)]),
      );
      return { ...row, noisy, estimates, aggregates };
    });
    const answered = postProcess(rows, plan.post);
    const shown = answered.map((row) => ({
      cells: cells(row.noise).map((cell) => cell(row)),
      noisy: row.noisy,
    }));
    const answer = {
      ...always,
      rows: shown.map((row) => row.cells),
      ...(plan.groupings ? { groupings: answered.map(({ grouping }) => grouping) } : {}),
    };
    return { answered: answer, shown };
  };
}

/** Prepares something once for all rows that hold the same noise. */
function perNoise<Prepared>(prepare: (noise: RowNoise) => Prepared): (noise: RowNoise) => Prepared {
  const known = new Map<string, Prepared>();
  return (noise) => {
    const name = rowNoiseName(noise);
    const found = known.get(name) ?? prepare(noise);
    known.set(name, found);
    return found;
  };
}

type Output = Plan["outputs"][number];

function columnOf(output: Output): ReleasedColumn {
  const { name, kind } = output;
  if (kind === "interval-end") return { name, kind: "label" };
  return { name, kind: kind === "computed" && output.type !== "number" ? "label" : kind };
}

/** Returns an estimate as it leaves: that of a time is written as text. */
function shown(estimate: Estimate, type: TimeType | null): Estimate | TimeEstimate {
  const { value, lower, upper } = estimate;
  if (type === null || value === null || lower === null || upper === null) return estimate;
  return writtenTimes(type, { value, lower, upper });
}

/** Returns an aggregate as HAVING, ORDER BY and computed columns see it. */
function written(estimate: Estimate, type: TimeType | null): number | string | null {
  return shown(estimate, type).value;
}

/** Returns a function that makes a row's cell of this column; what does not depend on the row is prepared once. */
function cellOf(output: Output, plan: Plan, confidence: number, noise: RowNoise): (row: Row) => ReleasedCell {
  switch (output.kind) {
    case "key":
      return (row) => (row.others.has(output.key) ? { other: true } : keyCell(keyValue(output, row)));
    case "aggregate": {
      const name = output.aggregate;
      const type = timeOf(byName(plan.aggregates, name));
      return ({ estimates }) => shown(estimates.get(name) ?? missing(name), type);
    }
    case "interval-end": {
      const cell = cellOf(byName(plan.outputs, output.output), plan, confidence, noise);
      return (row) => {
        const of = cell(row);
        return isEstimate(of) || isTimeEstimate(of) ? of[output.end] : null;
      };
    }
    case "computed": {
      const { expression } = output;
      if (output.type !== "number") return (row) => keyCell(evaluate(expression, row));
      const intervals = computedIntervals(expression, plan, confidence, noise);
      return (row) => {
        const value = evaluate(expression, row);
        return intervals(row, row.noisy, value === null ? null : Number(value));
      };
    }
  }
}

/** Returns a key's value for JSON, which has no 64-bit integers: those beyond 2^53 travel as text. */
function keyCell(value: KeyValue): ReleasedCell {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
