import type { Aggregate, AskedBounds } from "../../bind/bound-query.ts";
import { valuesAtMost } from "../../bind/domain.ts";
import type { Expression } from "../../bind/expression.ts";
import { refuse } from "../../bind/refuse.ts";
import { writeSql } from "../../bind/write-sql.ts";
import type { LearnedArgument } from "../../learned/learned-arguments.ts";
import { argumentGrid } from "../argument-grid.ts";
import { clampInteger, toGrid } from "../grid.ts";
import type { Grid, Measurement, PlannedAggregate, SumColumn } from "../plan.ts";
import { magnitude, sensitivityOf } from "../sensitivity.ts";
import { type UnitReach, unitReach } from "../unit-reach.ts";
import { type BoundedQuestion, groupsAtMost } from "./bound-contributions.ts";
import { type DerivedStage, deriveStage } from "./derive-stage.ts";
import { type DerivedTotals, deriveTotals } from "./derive-totals.ts";
import { type DerivedTree, demandFewNodes, deriveTree } from "./derive-tree.ts";
import type { DerivedMeasurement, UnitRange } from "./derived-measurement.ts";
import { importances } from "./importance.ts";

/** The question with the integers it needs, and how far one unit moves them. */
export interface DerivedQuestion extends BoundedQuestion {
  readonly sums: readonly SumColumn[];
  readonly measurements: readonly DerivedMeasurement[];
  readonly trees: readonly DerivedTree[];
  readonly totals: readonly DerivedTotals[];
  readonly aggregates: readonly PlannedAggregate[];
  /** What is measured before all that, to learn bounds. */
  readonly stages: readonly DerivedStage[];
}

/**
 * Breaks aggregates into measurements, each measured once however many aggregates share it, and derives their
 * sensitivities (proof: ../sensitivity.proof.md). Errors: query.missing-bounds, query.type, query.option, query.too-large.
 */
export function deriveSensitivity(
  bounded: BoundedQuestion,
  learned: readonly LearnedArgument[] = [],
): DerivedQuestion {
  const builder = new MeasurementBuilder(bounded);
  if (bounded.keys.kind === "private") builder.column({ kind: "units" });
  const aggregates = bounded.question.aggregates.map((aggregate) =>
    (decompose[aggregate.kind] as Decompose<Aggregate["kind"]>)(aggregate, builder),
  );
  // A statement without GROUP BY and without an aggregate would give a row of the table for each.
  if (builder.sums.length === 0) builder.column({ kind: "units" });
  const { sums, measurements, trees } = builder;
  demandFewNodes(trees, groupsAtMost(bounded.keys));
  const stages = learned.map((each, at) => deriveStage(`b${at}`, each, bounded));
  const totals = deriveTotals(bounded, measurements);
  demandKnownBounds(totals, stages);
  return { ...bounded, sums, measurements, trees, totals, aggregates, stages };
}

/** Errors: query.unsupported for bounds that are learned where totals are measured beside groups: neither is priced for the other. */
function demandKnownBounds(totals: readonly DerivedTotals[], stages: readonly DerivedStage[]): void {
  if (totals.length === 0 || stages.length === 0) return;
  refuse(
    "query.unsupported",
    "bounds are learned of one grouping, and totals by keys that are data are measured of several",
    "state the bounds, or ask each grouping by itself",
  );
}

class MeasurementBuilder {
  readonly sums: SumColumn[] = [];
  readonly measurements: DerivedMeasurement[] = [];
  readonly trees: DerivedTree[] = [];
  readonly rows: bigint;
  /** By which a measurement is known again. */
  readonly #identities: string[] = [];
  readonly #bounded: BoundedQuestion;
  readonly #reach: UnitReach;

  constructor(bounded: BoundedQuestion) {
    this.#bounded = bounded;
    this.#reach = unitReach(bounded.contribution);
    this.rows = BigInt(this.#reach.rows);
  }

  /** Whether what a unit has in a group is the sum over its rows there, and no more. */
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

  /** Index of the measurement with these terms; asked for again, it only grows in importance. */
  measure(
    describes: string,
    terms: Measurement["terms"],
    range: UnitRange,
    argument: Expression | null,
    importance: number,
    within: AskedBounds | null = null,
  ): number {
    // However bounds turn out, the same measurements are made of a question.
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
    // Of an argument that is never NULL every row counts.
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

  /** Values that are not NULL; a unit adds 0 to r of them, whatever the others hold. */
  distinct(argument: Expression, importance: number): number {
    // Rows that are bounded before the filter may bring the same few values to many groups.
    const values = this.rowsAreBounded ? Number.POSITIVE_INFINITY : valuesAtMost(argument.domain);
    const most = Math.min(Number(this.rows), values);
    const column = this.column({ kind: "distinct", argument, most });
    const describes = `COUNT(DISTINCT ${writeSql(argument)})`;
    const range = { low: 0n, high: BigInt(most) };
    return this.measure(describes, [{ column, coefficient: "1" }], range, argument, importance);
  }

  /** Σ (i − mid)(j − otherMid). */
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

  /** Index of the tree over an argument's grid, which all its quantiles are read from. */
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

  /** Σ (i − mid). */
  centred(argument: Expression, grid: Grid, importance: number, within: AskedBounds | null = null): number {
    const { lo, hi, mid, half } = centre(grid);
    const column = this.column({ kind: "scaled-sum", argument, grid, mid: `${mid}`, half: `${half}` });
    const range = { low: this.rows * (lo - mid), high: this.rows * (hi - mid) };
    const describes = `SUM(${writeSql(argument)} − middle)`;
    return this.measure(describes, [{ column, coefficient: "1" }], range, argument, importance, within);
  }

  /** Σ ((i − mid)² − offset). */
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

type Decompose<K extends Aggregate["kind"]> = (
  aggregate: Aggregate & { readonly kind: K },
  builder: MeasurementBuilder,
) => PlannedAggregate;

/**
 * Importance of a part: (∂answer/∂part · magnitude)², in the answer's own full scale, where the average lies half-way
 * between the middle and a bound, that is |S/C| = half/2.
 */
const decompose: { readonly [K in Aggregate["kind"]]: Decompose<K> } = {
  count: ({ argument }, builder) => ({ kind: "count", count: builder.count(argument, 1) }),
  "count-units": (_, builder) => ({ kind: "count", count: builder.units(1) }),
  "count-units-with": ({ argument, written }, builder) => ({
    kind: "count",
    count: builder.unitsWith(argument, written, 1),
  }),
  "count-distinct": ({ argument }, builder) => ({ kind: "count", count: builder.distinct(argument, 1) }),
  covariance: ({ population, argument, other, present }, builder) => {
    const name = population ? "COVAR_POP" : "COVAR_SAMP";
    const x = { argument, grid: argumentGrid(name, argument, null) };
    const y = { argument: other, grid: argumentGrid(name, other, null) };
    const [ofProducts, ofSum, ofOther, ofCount] = builder.parts(1, 1 / 4, 1 / 4, 1 / 16);
    return {
      kind: "covariance",
      population,
      products: builder.products(x, y, ofProducts!),
      sum: builder.centred(argument, x.grid, ofSum!),
      otherSum: builder.centred(other, y.grid, ofOther!),
      count: builder.count(present, ofCount!),
      half: `${centre(x.grid).half}`,
      otherHalf: `${centre(y.grid).half}`,
      exponent: x.grid.exponent + y.grid.exponent,
    };
  },
  sum: ({ argument, bounds }, builder) => {
    if (bounds?.per === "group" && builder.rowsAreBounded) {
      refuse(
        "query.option",
        "SUM takes bounds a row where the policy bounds rows before the filter",
        `write SUM(${writeSql(argument)}, contribution_bounds_per_row => (${bounds.lo}, ${bounds.hi}))`,
      );
    }
    const grid = argumentGrid("SUM", argument, bounds);
    const [lo, hi] = [BigInt(grid.lo), BigInt(grid.hi)];
    const r = builder.rows;
    // What one to r rows can reach, and of it what the question's bounds a group leave.
    const reach = { low: lo < r * lo ? lo : r * lo, high: hi > r * hi ? hi : r * hi };
    const cut = (x: number): bigint => {
      const scaled = x * 2 ** -grid.exponent;
      if (!Number.isFinite(scaled)) return x > 0 ? reach.high : reach.low;
      return clampInteger(toGrid(x, grid.exponent), reach.low, reach.high);
    };
    const range = bounds?.per === "group" ? { low: cut(bounds.lo), high: cut(bounds.hi) } : reach;
    const column = builder.column({ kind: "sum", argument, grid, lo: `${range.low}`, hi: `${range.high}` });
    const describes = `SUM(${writeSql(argument)})`;
    const sum = builder.measure(describes, [{ column, coefficient: "1" }], range, argument, 1, bounds);
    return { kind: "sum", sum, exponent: grid.exponent };
  },
  avg: ({ argument, bounds, present = argument }, builder) => {
    const grid = rowGrid("AVG", argument, bounds);
    const { mid, half } = centre(grid);
    const [ofSum, ofCount] = builder.parts(1, 1 / 4);
    const sum = builder.centred(argument, grid, ofSum!, bounds);
    const count = builder.count(present, ofCount!);
    return { kind: "avg", sum, count, mid: `${mid}`, half: `${half}`, exponent: grid.exponent };
  },
  variance: (aggregate, builder) => spread(aggregate, builder),
  stddev: (aggregate, builder) => spread(aggregate, builder),
  quantile: ({ share, standsFor, time, argument, bounds }, builder) => {
    const name = standsFor?.toUpperCase() ?? (share === 0.5 ? "MEDIAN" : "PERCENTILE_CONT");
    const grid = rowGrid(name, argument, bounds, name === "PERCENTILE_CONT" ? `, ${share}` : "");
    const tree = builder.tree(argument, grid);
    return { kind: "quantile", tree, share, standsFor, ...(time === undefined ? {} : { time }) };
  },
};

function spread(
  {
    kind,
    population,
    argument,
    bounds,
    present = argument,
  }: Aggregate & {
    readonly kind: "variance" | "stddev";
  },
  builder: MeasurementBuilder,
): PlannedAggregate {
  const grid = rowGrid(kind === "variance" ? "VARIANCE" : "STDDEV", argument, bounds);
  const { half } = centre(grid);
  const offset = (half * half) / 2n;
  const [ofSquares, ofSum, ofCount] = builder.parts(1 / 4, 1, 1 / 16);
  return {
    kind,
    population,
    squares: builder.squares(argument, grid, offset, ofSquares!, bounds),
    sum: builder.centred(argument, grid, ofSum!, bounds),
    count: builder.count(present, ofCount!),
    half: `${half}`,
    offset: `${offset}`,
    exponent: grid.exponent,
  };
}

function rowGrid(name: string, argument: Expression, bounds: AskedBounds | null, further = ""): Grid {
  if (bounds?.per === "group") {
    refuse(
      "query.option",
      `${name} takes bounds a row, not a group`,
      `write ${name}(${writeSql(argument)}${further}, contribution_bounds_per_row => (${bounds.lo}, ${bounds.hi}))`,
    );
  }
  return argumentGrid(name, argument, bounds, further);
}

/** The middle of a grid and the farthest that a grid integer lies from it. */
function centre(grid: Grid): {
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
