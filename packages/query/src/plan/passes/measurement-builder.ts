import { valuesAtMost } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { AskedBounds } from "../../resolve/names/resolved-query.ts";
import type { Grid, Measurement, SumColumn } from "../plan.ts";
import { magnitude, sensitivityOf } from "../sensitivity.ts";
import { type UnitReach, unitReach } from "../unit-reach.ts";
import { type DerivedTree, deriveTree } from "./derive-tree.ts";
import type { DerivedMeasurement, UnitRange } from "./derived-measurement.ts";
import { importances } from "./importance.ts";
import { groupsAtMost, type LimitedQuestion } from "./limit-contributions.ts";

/** The measurements of a question: each is made once, however many aggregates it is a part of. */
export class MeasurementBuilder {
  readonly sums: SumColumn[] = [];
  readonly measurements: DerivedMeasurement[] = [];
  readonly trees: DerivedTree[] = [];
  readonly rows: bigint;
  /** The texts by which a measurement is recognized. */
  readonly #identities: string[] = [];
  readonly #bounded: LimitedQuestion;
  readonly #reach: UnitReach;

  constructor(bounded: LimitedQuestion) {
    this.#bounded = bounded;
    this.#reach = unitReach(bounded.contribution);
    this.rows = BigInt(this.#reach.rows);
  }

  /** Whether a unit's value in a group is exactly the sum over its rows there. */
  get rowsAreBounded(): boolean {
    return !this.unitIsRow && this.#bounded.contribution.bound === "rows-before-filter";
  }

  get unitIsRow(): boolean {
    return this.#bounded.unit.kind === "row";
  }

  /** Importances of the parts of one answer: see {@link importances}. */
  parts(...squares: readonly number[]): readonly number[] {
    return importances(this.#bounded.policy.budget.measure, squares);
  }

  column(sum: SumColumn): number {
    const wanted = JSON.stringify(sum);
    const at = this.sums.findIndex((known) => JSON.stringify(known) === wanted);
    return at >= 0 ? at : this.sums.push(sum) - 1;
  }

  /** Returns the index of the measurement with these terms. Asked for again, it only grows in importance. */
  measure(
    describes: string,
    terms: Measurement["terms"],
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
    const addsRows = terms.some(({ column }) => !countsUnits(this.sums[column]!));
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

  count(argument: Expression | null, importance: number): number {
    // Every row counts where the argument is never NULL.
    const counted = argument?.domain.nullable ? argument : null;
    const column = this.column({ kind: "count", argument: counted });
    const describes = counted ? `COUNT(${writeSql(counted)})` : "COUNT(*)";
    return this.measure(
      describes,
      [{ column, coefficient: "1" }],
      { low: 1n, high: this.rows },
      counted,
      importance,
    );
  }

  units(importance: number): number {
    if (this.unitIsRow) return this.count(null, importance);
    const column = this.column({ kind: "units" });
    return this.measure(
      "COUNT(DISTINCT unit)",
      [{ column, coefficient: "1" }],
      { low: 1n, high: 1n },
      null,
      importance,
    );
  }

  unitsWith(argument: Expression, written: string, importance: number): number {
    const column = this.column({ kind: "units-with", argument });
    const terms = [{ column, coefficient: "1" }];
    const describes = `COUNT(DISTINCT unit) FILTER (WHERE ${written})`;
    return this.measure(describes, terms, { low: 1n, high: 1n }, argument, importance);
  }

  /** Measures the number of values that are not NULL; a unit adds 0 to r of them, whatever the others hold. */
  distinct(argument: Expression, importance: number): number {
    // Rows that are bounded before the filter may bring the same few values to many groups.
    const values = this.rowsAreBounded ? Number.POSITIVE_INFINITY : valuesAtMost(argument.domain);
    const most = Math.min(Number(this.rows), values);
    const column = this.column({ kind: "distinct", argument, most });
    const describes = `COUNT(DISTINCT ${writeSql(argument)})`;
    const range = { low: 0n, high: BigInt(most) };
    return this.measure(describes, [{ column, coefficient: "1" }], range, argument, importance);
  }

  /** Measures Σ (i − mid)(j − otherMid). */
  products(x: Centred, y: Centred, importance: number): number {
    const [a, b] = [centre(x.grid), centre(y.grid)];
    const column = this.column({
      kind: "scaled-products",
      ...x,
      mid: `${a.mid}`,
      half: `${a.half}`,
      other: { ...y, mid: `${b.mid}`, half: `${b.half}` },
    });
    const corners = [a.lo - a.mid, a.hi - a.mid].flatMap((i) =>
      [b.lo - b.mid, b.hi - b.mid].map((j) => i * j * this.rows),
    );
    const range = {
      low: corners.reduce((least, corner) => (corner < least ? corner : least)),
      high: corners.reduce((most, corner) => (corner > most ? corner : most)),
    };
    const describes = `SUM((${writeSql(x.argument)} − middle)(${writeSql(y.argument)} − middle))`;
    return this.measure(describes, [{ column, coefficient: "1" }], range, x.argument, importance);
  }

  /** Returns the index of the tree over an argument's grid, which all its quantiles are read from. */
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

  /** Measures Σ (i − mid). */
  centred(argument: Expression, grid: Grid, importance: number, within: AskedBounds | null = null): number {
    const { lo, hi, mid, half } = centre(grid);
    const column = this.column({ kind: "scaled-sum", argument, grid, mid: `${mid}`, half: `${half}` });
    const range = { low: this.rows * (lo - mid), high: this.rows * (hi - mid) };
    const describes = `SUM(${writeSql(argument)} − middle)`;
    return this.measure(describes, [{ column, coefficient: "1" }], range, argument, importance, within);
  }

  /** Measures Σ ((i − mid)² − offset). */
  squares(
    argument: Expression,
    grid: Grid,
    offset: bigint,
    importance: number,
    within: AskedBounds | null,
  ): number {
    const { mid, half } = centre(grid);
    const counted = argument.domain.nullable ? argument : null;
    const terms = [
      {
        column: this.column({ kind: "scaled-squares", argument, grid, mid: `${mid}`, half: `${half}` }),
        coefficient: "1",
      },
      { column: this.column({ kind: "count", argument: counted }), coefficient: `${-offset}` },
    ];
    const range = { low: -offset * this.rows, high: (half * half - offset) * this.rows };
    return this.measure(
      `SUM((${writeSql(argument)} − middle)² − offset)`,
      terms,
      range,
      argument,
      importance,
      within,
    );
  }
}

/** An argument on its grid. */
interface Centred {
  readonly argument: Expression;
  readonly grid: Grid;
}

function isLearned(bounds: AskedBounds | null): boolean {
  return bounds?.per === "row" && bounds.learned === true;
}

/** Whether a unit adds 1 to a group, however many of its rows lie there. */
function countsUnits({ kind }: SumColumn): boolean {
  return kind === "units" || kind === "units-with";
}

/** Returns the middle of a grid and the farthest that a grid integer lies from it. */
export function centre(grid: Grid): {
  readonly lo: bigint;
  readonly hi: bigint;
  readonly mid: bigint;
  readonly half: bigint;
} {
  const [lo, hi] = [BigInt(grid.lo), BigInt(grid.hi)];
  // hi − mid ≥ mid − lo: division truncates the non-negative width.
  const mid = lo + (hi - lo) / 2n;
  return { lo, hi, mid, half: hi - mid };
}
