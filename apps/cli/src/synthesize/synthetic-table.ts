import { invalidParameter } from "@lethe/core";
import {
  type Attribute,
  learnedFrom,
  measuredFrom,
  mostSyntheticRows,
  type SynthesisReport,
  synthesisReport,
  syntheticRowCount,
  syntheticRows,
} from "@lethe/learn/synthesis";
import { rowStream } from "./row-stream.ts";
import { synthesisPlanOf } from "./synthesis-file.ts";
import type { SynthesisRelease } from "./synthesize-table.ts";

/** A value of a synthetic table. */
export type SyntheticValue = string | number | boolean | null;

export interface SyntheticColumn {
  readonly name: string;
  readonly type: "text" | "boolean" | "integer" | "number";
}

/** A synthetic table: what it is drawn from, and how far its tables lie from what was measured. */
export interface SyntheticTable {
  readonly columns: readonly SyntheticColumn[];
  /** The errors of the tables that were measured, and of as many rows as rowCount says. */
  readonly report: SynthesisReport;
  /** As many as the noisy count says. */
  readonly rowCount: number;
  /**
   * Draws rows, values in the order of the columns: the same for everyone who asks for as many. Costs nothing.
   * Errors: parameter.invalid unless count is an integer from 0 to 20 million.
   */
  rows(count?: number): Iterable<readonly SyntheticValue[]>;
}

/**
 * Fits the model to a release, and gives the table that is drawn from it: for nothing, without data or ledger. Errors: release.invalid.
 */
export function syntheticTable(release: SynthesisRelease): SyntheticTable {
  const plan = synthesisPlanOf(release);
  const { resultHash } = release.certificate;
  const learned = learnedFrom(measuredFrom(release.result, plan), plan);
  const rowCount = syntheticRowCount(learned);
  const draw = (count: number): readonly Int32Array[] =>
    learned.law.draw(count, rowStream(resultHash, "rows"));
  const usual = draw(rowCount);
  return {
    columns: plan.domain.map((attribute) => ({ name: attribute.name, type: typeOf(attribute) })),
    report: synthesisReport(learned, plan.domain, usual),
    rowCount,
    rows(count = rowCount) {
      const columns = checkedRows(count) === rowCount ? usual : draw(count);
      return syntheticRows(learned, plan.domain, columns, rowStream(resultHash, "values"));
    },
  };
}

/** Errors: parameter.invalid. */
export function checkedRows(count: number): number {
  if (Number.isInteger(count) && count >= 0 && count <= mostSyntheticRows) return count;
  throw invalidParameter("rows", count, `an integer from 0 to ${mostSyntheticRows}`);
}

function typeOf(attribute: Attribute): SyntheticColumn["type"] {
  if (attribute.kind === "bins") return attribute.integer ? "integer" : "number";
  const { categories } = attribute;
  if (categories.every((value) => typeof value === "boolean")) return "boolean";
  if (categories.every((value) => Number.isSafeInteger(value))) return "integer";
  return categories.every((value) => typeof value === "number") ? "number" : "text";
}
