import {
  averageHalfWidths,
  cellHalfWidths,
  covarianceHalfWidths,
  type HalfWidthCurve,
  linearIntervals,
  mostNoises,
  stddevHalfWidths,
  totalIntervals,
  varianceHalfWidths,
} from "@lethe/core";
import type { TimeType } from "../../expressions/calendar/times.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { PostExpression } from "../../resolve/names/resolved-query.ts";
import { aggregatesOf } from "../../resolve/post/post-parts.ts";
import { groupingsOf } from "../groupings.ts";
import {
  averageSetting,
  covarianceSetting,
  noiseOf,
  quantileSetting,
  selfCovarianceSetting,
  varianceSetting,
} from "../interval-settings.ts";
import { linearForm } from "../linear-form.ts";
import { measurementsOf } from "../measurements-of.ts";
import type { Plan, PlannedAggregate } from "../plan.ts";
import { oneGroup, type RowNoise, rowNoiseName } from "../row-noise.ts";
import type { CurvePoint, ExplainedAnswer } from "./explained-answer.ts";
import { ratioWidths } from "./ratio-widths.ts";

/** The width that the interval of one answer will have, in the question's units. */
export interface AnswerWidth
  extends Pick<ExplainedAnswer, "name" | "kind" | "halfWidth" | "bounds" | "madeOf" | "unit"> {
  /** Maps a number of rows to the half-width, where the width depends on the group's size; null where the noise drowns such a group. */
  readonly widthAt: ((rows: number) => Omit<CurvePoint, "rows"> | null) | null;
  /** The number of measured groups that a row adds up: 1 but for totals over public ones. */
  readonly groups: number;
  /** The name of its column. */
  readonly column: string;
}

type Widths = Omit<AnswerWidth, "name" | "kind" | "madeOf" | "groups" | "column" | "unit">;

/**
 * Returns the half-widths of every answer that has an interval, in the order of the select list. Where several groupings are
 * asked at once, these are the widths for each number of groups that a row adds up, and for each grouping that is measured by
 * itself. The rest of a total beside its released groups is as wide as all that it holds together, which nobody knows before
 * groups are released.
 */
export function answerWidths(plan: Plan, confidence: number): readonly AnswerWidth[] {
  const rows = new Map(
    groupingsOf(plan).map(
      ({ level, draws }) => [rowNoiseName([{ level, draws }]), { level, draws }] as const,
    ),
  );
  return [...rows.values()].flatMap(({ level, draws }) =>
    widthsOf(plan, confidence, [{ level, draws }]).map(({ name, ...width }) => ({
      name: `${name}${rowName(plan, level, draws)}`,
      ...width,
      groups: draws,
      column: name,
    })),
  );
}

/** The unit that the number which stands for a time counts. */
const timeUnits: Readonly<Record<TimeType, "days" | "seconds">> = { date: "days", timestamp: "seconds" };
function rowName({ keys, totals }: Plan, level: number, draws: number): string {
  const size = draws === 1 ? "" : ` of ${draws} groups`;
  if (level === 0) return size === "" ? "" : `, total${size}`;
  const by = totals![level - 1]!.keys.map((at) => writeSql(keys.expressions[at]!)).join(", ");
  return `, total${size} ${by === "" ? "over all" : `by ${by}`}`;
}

function widthsOf(
  plan: Plan,
  confidence: number,
  row: RowNoise,
): readonly Omit<AnswerWidth, "groups" | "column">[] {
  return plan.outputs.flatMap((output): readonly Omit<AnswerWidth, "groups" | "column">[] => {
    const { name } = output;
    if (output.kind === "computed") {
      if (output.type !== "number" || aggregatesOf(output.expression).length === 0) return [];
      return [{ name, kind: "computed", ...computed(plan, output.expression, confidence, row) }];
    }
    if (output.kind !== "aggregate") return [];
    const aggregate = plan.aggregates[output.aggregate]!;
    const unit = aggregate.kind === "quantile" ? aggregate.time : undefined;
    return [
      {
        name,
        kind: aggregate.kind,
        madeOf: [],
        ...(unit ? { unit: timeUnits[unit] } : {}),
        ...widths(plan, aggregate, confidence, row),
      },
    ];
  });
}

/**
 * Returns the widths of a computed column: sums and differences of totals have one half-width, ratios of totals to a count a
 * curve; any other column is as wide as its parts make it.
 */
function computed(
  plan: Plan,
  expression: PostExpression,
  confidence: number,
  row: RowNoise,
): Widths & Pick<AnswerWidth, "madeOf"> {
  const indices = new Set(aggregatesOf(expression).flatMap((at) => measurementsOf(plan.aggregates[at]!)));
  const measured = [...indices].map((at) => plan.measurements[at]!.describes);
  const madeOf = [...measured, ...treesRead(plan, expression)];
  const form = linearForm(plan, expression);
  const noises = [...(form?.weights.keys() ?? [])].map((at) => noiseOf(plan, at, row));
  if (!form || noises.length === 0 || noises.length > mostNoises)
    return {
      halfWidth: null,
      widthAt: ratioWidths(plan, expression, confidence, row),
      bounds: null,
      madeOf,
    };
  const { constant } = form;
  const weights = [...form.weights.values()];
  const { value, upper } = linearIntervals({ noises, weights, constant, confidence })(noises.map(() => 0n));
  return { halfWidth: upper - value, widthAt: null, bounds: null, madeOf };
}

function treesRead(plan: Plan, expression: PostExpression): readonly string[] {
  const read = aggregatesOf(expression).map((at) => plan.aggregates[at]!);
  const trees = new Set(read.flatMap((aggregate) => (aggregate.kind === "quantile" ? [aggregate.tree] : [])));
  return [...trees].map((at) => plan.trees![at]!.describes);
}

/** Returns the width that the interval of one aggregate will have, in a group by all keys. */
export function aggregateWidths(plan: Plan, aggregate: PlannedAggregate, confidence: number): Widths {
  return widths(plan, aggregate, confidence, oneGroup);
}

function widths(plan: Plan, aggregate: PlannedAggregate, confidence: number, row: RowNoise): Widths {
  const quantile = (at: number): number =>
    Number(totalIntervals({ noise: noiseOf(plan, at, row), confidence })(0n).upper);
  switch (aggregate.kind) {
    case "count":
      return { halfWidth: quantile(aggregate.count), widthAt: null, bounds: null };
    case "sum":
      return { halfWidth: quantile(aggregate.sum) * 2 ** aggregate.exponent, widthAt: null, bounds: null };
    case "avg": {
      const step = 2 ** aggregate.exponent;
      const [mid, reach] = [Number(aggregate.mid), Number(aggregate.half)];
      return {
        halfWidth: null,
        widthAt: scaled(averageHalfWidths(averageSetting(plan, aggregate, confidence, row)), step),
        bounds: [(mid - reach) * step, (mid + reach) * step],
      };
    }
    case "covariance": {
      const unit = 2 ** aggregate.exponent;
      const most = Number(aggregate.half) * Number(aggregate.otherHalf) * unit;
      const greatest = aggregate.population ? most : 2 * most;
      const self = selfCovarianceSetting(plan, aggregate, confidence, row);
      return {
        halfWidth: null,
        widthAt: scaled(
          self
            ? varianceHalfWidths(self)
            : covarianceHalfWidths(covarianceSetting(plan, aggregate, confidence, row)),
          unit,
        ),
        bounds: [-greatest, greatest],
      };
    }
    case "quantile": {
      const { grid, cellWidth } = plan.trees![aggregate.tree]!;
      const step = 2 ** grid.exponent;
      const bounds = [Number(grid.lo) * step, Number(grid.hi) * step] as const;
      const inCells = cellHalfWidths(quantileSetting(plan, aggregate, confidence));
      const most = (bounds[1] - bounds[0]) / 2;
      const kept = (cells: number): number => Math.min(most, cells * Number(cellWidth) * step);
      return {
        halfWidth: null,
        // Both are for values that are spread evenly: in a gap between two values any quantile is as wide as the gap.
        widthAt: (rows) => {
          const width = kept(inCells(rows).typical);
          return { typical: width, worst: width };
        },
        bounds,
      };
    }
    case "variance":
    case "stddev": {
      const step = 2 ** aggregate.exponent;
      const setting = varianceSetting(plan, aggregate, confidence, row);
      // The sample variance of two values at the two bounds is twice the population's.
      const greatest = Number(aggregate.half) * step * (aggregate.population ? 1 : Math.SQRT2);
      return aggregate.kind === "variance"
        ? {
            halfWidth: null,
            widthAt: scaled(varianceHalfWidths(setting), step * step),
            bounds: [0, greatest * greatest],
          }
        : { halfWidth: null, widthAt: scaled(stddevHalfWidths(setting), step), bounds: [0, greatest] };
    }
  }
}

function scaled(widthAt: HalfWidthCurve, unit: number): NonNullable<AnswerWidth["widthAt"]> {
  return (rows) => {
    const { typical, worst } = widthAt(rows);
    return { typical: typical * unit, worst: worst * unit };
  };
}
