import type { AskedBounds } from "../../aggregates/bounds/aggregate-bounds.ts";
import { sumKindOf } from "../../aggregates/family-of.ts";
import type { SumColumn } from "../../aggregates/kinds.ts";
import type { MeasuredTerm, Measurer, UnitRange } from "../../aggregates/measurer.ts";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { Grid } from "../../grid/grid.ts";
import { byName, freeName } from "../../refusals/by-name.ts";
import type { NamedSum } from "../plan.ts";
import { magnitude, sensitivityOf } from "../sensitivity.ts";
import { type UnitContribution, unitContribution } from "../unit-contribution.ts";
import { type DerivedTree, deriveTree } from "./derive-tree.ts";
import type { DerivedMeasurement } from "./derived-measurement.ts";
import { importances } from "./importance.ts";
import { groupsAtMost, type LimitedQuestion } from "./limit-contributions.ts";

/** The measurements of a question: each is made once, however many aggregates it is a part of. */
export class MeasurementBuilder implements Measurer {
  readonly rows: bigint;
  /** All that is named, by the texts by which each is recognized. */
  readonly #sums = new Map<string, NamedSum>();
  readonly #measurements = new Map<string, DerivedMeasurement>();
  readonly #trees = new Map<string, DerivedTree>();
  readonly #bounded: LimitedQuestion;
  readonly #reach: UnitContribution;

  constructor(bounded: LimitedQuestion) {
    this.#bounded = bounded;
    this.#reach = unitContribution(bounded.contribution);
    this.rows = BigInt(this.#reach.rows);
  }

  get sums(): readonly NamedSum[] {
    return [...this.#sums.values()];
  }

  get measurements(): readonly DerivedMeasurement[] {
    return [...this.#measurements.values()];
  }

  get trees(): readonly DerivedTree[] {
    return [...this.#trees.values()];
  }

  get rowsAreBounded(): boolean {
    return !this.unitIsRow && this.#bounded.contribution.limit === "rows-before-filter";
  }

  get unitIsRow(): boolean {
    return this.#bounded.unit.kind === "row";
  }

  parts<const T extends readonly number[]>(...squares: T): { readonly [K in keyof T]: number } {
    return importances(this.#bounded.policy.budget.measure, squares);
  }

  sum(sum: SumColumn): string {
    const wanted = JSON.stringify(sum);
    const known = this.#sums.get(wanted);
    if (known) return known.name;
    const name = freeName(sumText(sum), this.sums);
    this.#sums.set(wanted, { name, ...sum });
    return name;
  }

  measure(
    describes: string,
    terms: readonly MeasuredTerm[],
    range: UnitRange,
    argument: Expression | null,
    importance: number,
    within: AskedBounds | null = null,
  ): string {
    // The same measurements are made of a question, whatever bounds are learned.
    const wanted = JSON.stringify([terms, isLearned(within)]);
    const known = this.#measurements.get(wanted);
    if (known) {
      this.#measurements.set(wanted, { ...known, importance: known.importance + importance });
      return known.name;
    }
    const { adjacency, everyUnitHasRows, keys, question } = this.#bounded;
    const addsRows = terms.some(({ sum }) => !sumKindOf(byName(this.sums, sum)).countsUnits);
    const all = groupsAtMost(keys);
    const sensitivity = sensitivityOf(adjacency, {
      ...range,
      groups: BigInt(addsRows ? this.#reach.fullGroups : this.#reach.groups),
      allGroups: Number.isFinite(all) ? BigInt(all) : null,
      alwaysPresent:
        everyUnitHasRows && keys.kind === "none" && question.where === null && !argument?.domain.nullable,
    });
    const name = freeName(describes, [...this.measurements, ...this.trees]);
    this.#measurements.set(wanted, {
      name,
      terms,
      ...sensitivity,
      magnitude: magnitude(range),
      range,
      importance,
    });
    return name;
  }

  tree(argument: Expression, grid: Grid): string {
    const wanted = JSON.stringify([argument, grid]);
    const known = this.#trees.get(wanted);
    if (known) {
      this.#trees.set(wanted, { ...known, importance: known.importance + 1 });
      return known.name;
    }
    const name = freeName(`cells of ${writeSql(argument)}`, [...this.measurements, ...this.trees]);
    this.#trees.set(wanted, deriveTree(name, argument, grid, this.#bounded));
    return name;
  }
}

/** Returns what a sum adds up, in words. */
export function sumText(sum: SumColumn): string {
  const { counted, values } = sumKindOf(sum);
  const read = [counted(sum), ...values(sum).map(({ argument }) => argument)].filter((each) => each !== null);
  return read.length === 0 ? sum.kind : `${sum.kind} of ${read.map(writeSql).join(" and ")}`;
}

function isLearned(bounds: AskedBounds | null): boolean {
  return bounds?.per === "row" && bounds.learned === true;
}
