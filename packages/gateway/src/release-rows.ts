import {
  type Exact,
  type ExactRows,
  type KeyValue,
  LetheError,
  lossFits,
  lossFromJson,
  releaseGroups,
  type SecureEntropy,
} from "@lethe/core";
import type { Charge } from "@lethe/ledger";
import { missingChances, type Plan, releaseProgram } from "@lethe/query";
import { computedIntervals } from "./computed-intervals.ts";
import { type Estimator, estimators } from "./estimators.ts";
import { type GroupedRow, groupedRows } from "./grouped-rows.ts";
import { notesOn } from "./notes.ts";
import { evaluate, type PostRow } from "./post/evaluate.ts";
import { postProcess } from "./post/post-process.ts";
import {
  type Estimate,
  isEstimate,
  type Release,
  type ReleasedCell,
  type ReleasedColumn,
} from "./release.ts";

/** The answer itself, before it is certified. */
export type AnsweredRows = Pick<Release, "columns" | "rows" | "missing" | "notes">;

interface Row extends PostRow, GroupedRow {
  readonly estimates: readonly Estimate[];
}

/**
 * Exact rows (those of the plan's sums, then those of each of its trees) to an answer: noise and selection of groups (core's mechanisms, the very objects that priced the plan), then
 * estimates with their intervals, HAVING, ORDER BY, LIMIT – post-processing. Needs proof of a payment that covers the
 * plan, and coins that are secure: a test's tape is a type error. Errors: internal.invariant for a charge that is too small.
 */
export function releaseRows(
  plan: Plan,
  exact: readonly Exact<ExactRows>[],
  paid: Charge,
  entropy: SecureEntropy,
  confidence: number,
): AnsweredRows {
  if (!lossFits(lossFromJson(plan.price), paid.loss)) {
    throw new LetheError("internal.invariant", "the charge does not cover the plan", {
      fix: "reserve the plan's own price before releasing it",
    });
  }
  const [rows, ...ofTrees] = exact;
  const groups = releaseGroups(rows!, releaseProgram(plan), entropy, ofTrees);
  const estimate = perDraws((draws): readonly Estimator[] => estimators(plan, confidence, draws));
  const noisy = groupedRows(groups, plan).map((row): Row => {
    const estimates = estimate(row.draws).map((of) => of(row.values, row.trees));
    return { ...row, estimates, aggregates: estimates.map(({ value }) => value) };
  });
  const cells = perDraws((draws) => plan.outputs.map((output) => cellOf(output, plan, confidence, draws)));
  return {
    columns: plan.outputs.map(columnOf),
    rows: postProcess(noisy, plan.post).map((row) => cells(row.draws).map((cell) => cell(row))),
    missing: missingChances(plan),
    notes: notesOn(plan),
  };
}

/** What is prepared once for all rows that add up as many groups. */
function perDraws<Prepared>(prepare: (draws: number) => Prepared): (draws: number) => Prepared {
  const known = new Map<number, Prepared>();
  return (draws) => {
    const found = known.get(draws) ?? prepare(draws);
    known.set(draws, found);
    return found;
  };
}

type Output = Plan["outputs"][number];

function columnOf(output: Output): ReleasedColumn {
  const { name, kind } = output;
  if (kind === "interval-end") return { name, kind: "label" };
  return { name, kind: kind === "computed" && output.type !== "number" ? "label" : kind };
}

/** How a row's cell of this column is made; what does not depend on the row is prepared once. */
function cellOf(output: Output, plan: Plan, confidence: number, draws: number): (row: Row) => ReleasedCell {
  switch (output.kind) {
    case "key":
      return ({ key }) => keyCell(key[output.key] ?? null);
    case "aggregate":
      return ({ estimates }) => estimates[output.aggregate]!;
    case "interval-end": {
      const cell = cellOf(plan.outputs[output.output]!, plan, confidence, draws);
      return (row) => {
        const of = cell(row);
        return isEstimate(of) ? of[output.end] : null;
      };
    }
    case "computed": {
      const { expression } = output;
      if (output.type !== "number") return (row) => keyCell(evaluate(expression, row));
      const intervals = computedIntervals(expression, plan, confidence, draws);
      return (row) => {
        const value = evaluate(expression, row);
        return intervals(row.key, row.values, value === null ? null : Number(value), row.trees);
      };
    }
  }
}

/** JSON has no 64-bit integers: those beyond 2^53 travel as text. */
function keyCell(value: KeyValue): ReleasedCell {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
