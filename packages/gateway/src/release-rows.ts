import {
  type Exact,
  type ExactRows,
  type KeyValue,
  LetheError,
  lossFits,
  lossFromJson,
  type NoisyCells,
  releaseGroups,
  type SecureEntropy,
} from "@lethe/core";
import type { Charge } from "@lethe/ledger";
import { missingChances, type Plan, releaseProgram, shownKey } from "@lethe/query";
import { computedIntervals } from "./computed-intervals.ts";
import { type Estimator, estimators } from "./estimators.ts";
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

interface Row extends PostRow {
  /** The noisy integers, in the order of the plan's measurements, and those of its trees. */
  readonly values: readonly bigint[];
  readonly trees: readonly NoisyCells[];
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
  const estimate: readonly Estimator[] = estimators(plan, confidence);
  const noisy = groups.map(({ key, values, trees }): Row => {
    const estimates = estimate.map((of) => of(values, trees));
    return {
      key: shownKey(key, plan.keys.expressions),
      values,
      trees,
      estimates,
      aggregates: estimates.map(({ value }) => value),
    };
  });
  const cells = plan.outputs.map((output) => cellOf(output, plan, confidence));
  return {
    columns: plan.outputs.map(columnOf),
    rows: postProcess(noisy, plan.post).map((row) => cells.map((cell) => cell(row))),
    missing: missingChances(plan),
    notes: notesOn(plan),
  };
}

type Output = Plan["outputs"][number];

function columnOf(output: Output): ReleasedColumn {
  const { name, kind } = output;
  if (kind === "interval-end") return { name, kind: "label" };
  return { name, kind: kind === "computed" && output.type !== "number" ? "label" : kind };
}

/** How a row's cell of this column is made; what does not depend on the row is prepared once. */
function cellOf(output: Output, plan: Plan, confidence: number): (row: Row) => ReleasedCell {
  switch (output.kind) {
    case "key":
      return ({ key }) => keyCell(key[output.key] ?? null);
    case "aggregate":
      return ({ estimates }) => estimates[output.aggregate]!;
    case "interval-end": {
      const cell = cellOf(plan.outputs[output.output]!, plan, confidence);
      return (row) => {
        const of = cell(row);
        return isEstimate(of) ? of[output.end] : null;
      };
    }
    case "computed": {
      const { expression } = output;
      if (output.type !== "number") return (row) => keyCell(evaluate(expression, row));
      const intervals = computedIntervals(expression, plan, confidence);
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
