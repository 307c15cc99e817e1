import {
  averageHalfWidths,
  type HalfWidthCurve,
  noiseQuantile,
  stddevHalfWidths,
  varianceHalfWidths,
} from "@lethe/core";
import { averageSetting, varianceSetting } from "../plan/interval-settings.ts";
import type { Plan, PlannedAggregate } from "../plan/plan.ts";
import type { CurvePoint, ExplainedAnswer } from "./explanation.ts";

/** Group sizes at which averages and spreads are shown. */
const sizes = [10, 30, 100, 300, 1000, 3000, 10_000, 100_000, 1_000_000];

/** How far each answer may lie from its bounded aggregate. */
export function explainAnswers(plan: Plan, confidence: number): readonly ExplainedAnswer[] {
  return plan.outputs.flatMap((output) => {
    if (output.kind !== "aggregate") return [];
    const aggregate = plan.aggregates[output.aggregate]!;
    return [{ name: output.name, kind: aggregate.kind, ...widths(plan, aggregate, confidence) }];
  });
}

function widths(
  plan: Plan,
  aggregate: PlannedAggregate,
  confidence: number,
): Pick<ExplainedAnswer, "halfWidth" | "curve" | "bounds"> {
  const quantile = (at: number): number => Number(noiseQuantile(plan.measurements[at]!.noise, confidence));
  switch (aggregate.kind) {
    case "count":
      return { halfWidth: quantile(aggregate.count), curve: [], bounds: null };
    case "sum":
      return { halfWidth: quantile(aggregate.sum) * 2 ** aggregate.exponent, curve: [], bounds: null };
    case "avg": {
      const step = 2 ** aggregate.exponent;
      const [mid, reach] = [Number(aggregate.mid), Number(aggregate.half)];
      return {
        halfWidth: null,
        curve: curve(averageHalfWidths(averageSetting(plan, aggregate, confidence)), step),
        bounds: [(mid - reach) * step, (mid + reach) * step],
      };
    }
    case "variance":
    case "stddev": {
      const step = 2 ** aggregate.exponent;
      const setting = varianceSetting(plan, aggregate, confidence);
      // Of two values at the two bounds the sample variance is twice the population's.
      const greatest = Number(aggregate.half) * step * (aggregate.population ? 1 : Math.SQRT2);
      return aggregate.kind === "variance"
        ? {
            halfWidth: null,
            curve: curve(varianceHalfWidths(setting), step * step),
            bounds: [0, greatest * greatest],
          }
        : { halfWidth: null, curve: curve(stddevHalfWidths(setting), step), bounds: [0, greatest] };
    }
  }
}

function curve(widthAt: HalfWidthCurve, unit: number): readonly CurvePoint[] {
  return sizes.map((rows) => {
    const { typical, worst } = widthAt(rows);
    return { rows, typical: typical * unit, worst: worst * unit };
  });
}
