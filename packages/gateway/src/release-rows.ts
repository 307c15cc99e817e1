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
import { type Estimator, estimators } from "./estimators.ts";
import { notesOn } from "./notes.ts";
import type { PostRow } from "./post/evaluate.ts";
import { postProcess } from "./post/post-process.ts";
import type { Estimate, Release, ReleasedCell } from "./release.ts";

/** The answer itself, before it is certified. */
export type AnsweredRows = Pick<Release, "columns" | "rows" | "missing" | "notes">;

interface Row extends PostRow {
  readonly estimates: readonly Estimate[];
}

/**
 * Exact rows to an answer: noise and selection of groups (core's mechanisms, the very objects that priced the plan), then
 * estimates with their intervals, HAVING, ORDER BY, LIMIT – post-processing. Needs proof of a payment that covers the
 * plan, and coins that are secure: a test's tape is a type error. Errors: internal.invariant for a charge that is too small.
 */
export function releaseRows(
  plan: Plan,
  rows: Exact<ExactRows>,
  paid: Charge,
  entropy: SecureEntropy,
  confidence: number,
): AnsweredRows {
  if (!lossFits(lossFromJson(plan.price), paid.loss)) {
    throw new LetheError("internal.invariant", "the charge does not cover the plan", {
      fix: "reserve the plan's own price before releasing it",
    });
  }
  const groups = releaseGroups(rows, releaseProgram(plan), entropy);
  const estimate: readonly Estimator[] = estimators(plan, confidence);
  const noisy = groups.map(({ key, values }): Row => {
    const estimates = estimate.map((of) => of(values));
    return { key, estimates, aggregates: estimates.map(({ value }) => value) };
  });
  return {
    columns: plan.outputs.map(({ name, kind }) => ({ name, kind })),
    rows: postProcess(noisy, plan.post).map((row) =>
      plan.outputs.map(
        (output): ReleasedCell =>
          output.kind === "key" ? keyCell(row.key[output.key] ?? null) : row.estimates[output.aggregate]!,
      ),
    ),
    missing: missingChances(plan),
    notes: notesOn(plan),
  };
}

/** JSON has no 64-bit integers: those beyond 2^53 travel as text. */
function keyCell(value: KeyValue): ReleasedCell {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
