import { centre } from "../../../aggregates/bounds/centre.ts";
import type { Expression } from "../../../expressions/expression.ts";
import type { Grid } from "../../../grid/grid.ts";
import { byName } from "../../../refusals/by-name.ts";
import type { NamedSum } from "../../plan.ts";
import { unitContribution } from "../../unit-contribution.ts";
import type { DerivedQuestion } from "../derive-sensitivity.ts";
import type { DerivedMeasurement } from "../derived-measurement.ts";
import { jsonOf } from "./json-of.ts";
import type { Measured } from "./measured.ts";

/** A column of numbers between two bounds with the measurements that are about it, each of a single sum. */
export interface MeasuredColumn {
  readonly argument: Expression;
  readonly grid: Grid;
  readonly lo: bigint;
  readonly hi: bigint;
  readonly mid: bigint;
  /** Σ of its integers, clamped a unit as far as r rows can reach. */
  readonly clamped: MeasuredSum | null;
  /** Σ of their distances from the middle, where a unit's rows beyond r are scaled down. */
  readonly scaled: MeasuredSum | null;
  /** The number of rows in which it is there, and of all rows: the same where it is never NULL. */
  readonly present: MeasuredSum | null;
  readonly all: MeasuredSum | null;
}

/** A sum of the plan and its measurement. */
export interface MeasuredSum {
  readonly sum: NamedSum;
  readonly measurement: DerivedMeasurement;
}

/** Returns the columns whose values a question sums up, in the order in which they are measured. */
export function measuredColumns(
  { contribution }: DerivedQuestion,
  { measurements, sums }: Measured,
): readonly MeasuredColumn[] {
  const single = measurements.flatMap((measurement): MeasuredSum[] => {
    const [only, ...others] = measurement.terms;
    return only && only.coefficient === "1" && others.length === 0 && !measurement.together
      ? [{ sum: byName(sums, only.sum), measurement }]
      : [];
  });
  const counted = new Map<string, MeasuredSum>();
  for (const each of single) {
    if (each.sum.kind !== "count") continue;
    const of = jsonOf(each.sum.argument);
    if (!counted.has(of)) counted.set(of, each);
  }
  const counts = (argument: Expression | null): MeasuredSum | null => counted.get(jsonOf(argument)) ?? null;
  const rows = BigInt(unitContribution(contribution).rows);
  const columns = new Map<string, MeasuredColumn>();
  for (const each of single) {
    const { sum } = each;
    const read = valueIn(sum, rows);
    if (read === null) continue;
    const { argument, grid } = read;
    const { lo, hi, mid } = centre(grid);
    if (lo === hi) continue;
    const place = `${jsonOf(grid)} ${jsonOf(argument)}`;
    const column = columns.get(place) ?? {
      ...{ argument, grid, lo, hi, mid, clamped: null, scaled: null },
      present: counts(argument.domain.nullable ? argument : null),
      all: counts(null),
    };
    columns.set(place, { ...column, [sum.kind === "sum" ? "clamped" : "scaled"]: each });
  }
  return [...columns.values()];
}

interface Value {
  readonly argument: Expression;
  readonly grid: Grid;
}

/** Returns the value that a sum adds up as it is; null where it is no such sum, or the question clamps a unit's own. */
function valueIn(sum: NamedSum, rows: bigint): Value | null {
  if (sum.kind === "scaled-sum") return sum;
  if (sum.kind !== "sum" || sum.factors !== undefined) return null;
  const [lo, hi] = [BigInt(sum.grid.lo), BigInt(sum.grid.hi)];
  const reachesAll =
    BigInt(sum.lo) === (lo < rows * lo ? lo : rows * lo) &&
    BigInt(sum.hi) === (hi > rows * hi ? hi : rows * hi);
  return reachesAll ? sum : null;
}
