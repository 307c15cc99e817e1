import type { Rational } from "@lethe/core";
import type { CellCounts, Exact } from "@lethe/core/mechanisms";
import type { MergedValues } from "../domain/index.ts";

/** A table to count: attributes in order, each with the values that are counted as one. All of it is public. */
export interface TableShape {
  readonly attributes: readonly number[];
  /** One for each of the attributes. */
  readonly merged: readonly MergedValues[];
}

/**
 * A function that returns the sealed counts of a table's cells, the last attribute fastest. All tables count the same rows, limited to the plan's rows a
 * unit before anything is counted, and a row is in at most one cell of each table.
 */
export type ExactTables = (shape: TableShape) => Promise<Exact<CellCounts>>;

/**
 * A table that may be chosen: it is scored by weight·(‖exact − estimate‖₁ − allowance). All of it is public, and none of it changes: a source counts the distance of a candidate once,
 * however often it is given the same object.
 */
export interface CandidateTable {
  readonly attributes: readonly number[];
  readonly estimate: Float64Array;
  readonly weight: number;
  readonly allowance: number;
}

/** What synthesis may ask of the rows: noisy tables, and choices of tables. It keeps a total that no order of asking can pass. */
export interface MarginalSource {
  /** Values of each attribute, as they are counted. */
  readonly sizes: readonly number[];
  /** What is left of the total. Public. */
  readonly left: Rational;
  /** Errors: mechanism.spent. */
  measure(attributes: readonly number[], sigma: Rational): Promise<Float64Array>;
  /** Returns the noisy contrasts of the residual of these attributes, one or more, of two values or more each. Errors: mechanism.spent. */
  measureResidual(attributes: readonly number[], sigma: Rational): Promise<Float64Array>;
  /** Returns the place of the candidate that was drawn. Errors: mechanism.spent; parameter.invalid for no candidates. */
  choose(candidates: readonly CandidateTable[], epsilon: Rational): Promise<number>;
  /** Returns the same source, of the same total, that counts some values as one. */
  merging(values: readonly MergedValues[]): MarginalSource;
}
