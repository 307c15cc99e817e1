import type { AskedBounds } from "../../aggregates/bounds/aggregate-bounds.ts";
import { sumKindOf } from "../../aggregates/family-of.ts";
import type { SumColumn } from "../../aggregates/kinds.ts";
import type { MeasuredTerm, Measurer, UnitRange } from "../../aggregates/measurer.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { Grid } from "../../grid/grid.ts";
import { magnitude, sensitivityOf } from "../sensitivity.ts";
import { type UnitContribution, unitContribution } from "../unit-contribution.ts";
import { type DerivedTree, deriveTree } from "./derive-tree.ts";
import type { DerivedMeasurement } from "./derived-measurement.ts";
import { importances } from "./importance.ts";
import { groupsAtMost, type LimitedQuestion } from "./limit-contributions.ts";

/** The measurements of a question: each is made once, however many aggregates it is a part of. */
export class MeasurementBuilder implements Measurer {
  readonly sums: SumColumn[] = [];
  readonly measurements: DerivedMeasurement[] = [];
  readonly trees: DerivedTree[] = [];
  readonly rows: bigint;
  /** The texts by which a measurement is recognized. */
  readonly #identities: string[] = [];
  readonly #bounded: LimitedQuestion;
  readonly #reach: UnitContribution;

  constructor(bounded: LimitedQuestion) {
    this.#bounded = bounded;
    this.#reach = unitContribution(bounded.contribution);
    this.rows = BigInt(this.#reach.rows);
  }

  get rowsAreBounded(): boolean {
    return !this.unitIsRow && this.#bounded.contribution.bound === "rows-before-filter";
  }

  get unitIsRow(): boolean {
    return this.#bounded.unit.kind === "row";
  }

  parts(...squares: readonly number[]): readonly number[] {
    return importances(this.#bounded.policy.budget.measure, squares);
  }

  column(sum: SumColumn): number {
    const wanted = JSON.stringify(sum);
    const at = this.sums.findIndex((known) => JSON.stringify(known) === wanted);
    return at >= 0 ? at : this.sums.push(sum) - 1;
  }

  measure(
    describes: string,
    terms: readonly MeasuredTerm[],
    range: UnitRange,
    argument: Expression | null,
    importance: number,
    within: AskedBounds | null = null,
  ): number {
    // The same measurements are made of a question, whatever bounds are learned.
    const wanted = JSON.stringify([terms, isLearned(within)]);
    const at = this.#identities.indexOf(wanted);
    if (at >= 0) {
      const known = this.measurements[at]!;
      this.measurements[at] = { ...known, importance: known.importance + importance };
      return at;
    }
    const { adjacency, everyUnitHasRows, keys, question } = this.#bounded;
    const addsRows = terms.some(({ column }) => !sumKindOf(this.sums[column]!).countsUnits);
    const all = groupsAtMost(keys);
    const sensitivity = sensitivityOf(adjacency, {
      ...range,
      groups: BigInt(addsRows ? this.#reach.fullGroups : this.#reach.groups),
      allGroups: Number.isFinite(all) ? BigInt(all) : null,
      alwaysPresent:
        everyUnitHasRows && keys.kind === "none" && question.where === null && !argument?.domain.nullable,
    });
    const id = `m${this.measurements.length}`;
    const measurement = {
      id,
      describes,
      terms,
      ...sensitivity,
      magnitude: magnitude(range),
      range,
      importance,
    };
    this.#identities.push(wanted);
    return this.measurements.push(measurement) - 1;
  }

  tree(argument: Expression, grid: Grid): number {
    const wanted = JSON.stringify([argument, grid]);
    const at = this.trees.findIndex((known) => JSON.stringify([known.argument, known.grid]) === wanted);
    if (at >= 0) {
      const known = this.trees[at]!;
      this.trees[at] = { ...known, importance: known.importance + 1 };
      return at;
    }
    return this.trees.push(deriveTree(`t${this.trees.length}`, argument, grid, this.#bounded)) - 1;
  }
}

function isLearned(bounds: AskedBounds | null): boolean {
  return bounds?.per === "row" && bounds.learned === true;
}
