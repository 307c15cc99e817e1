import {
  averageHalfWidths,
  type HalfWidthCurve,
  noiseQuantile,
  stddevHalfWidths,
  varianceHalfWidths,
} from "@lethe/core";
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
  const noise = (at: number) => plan.measurements[at]!.noise;
  const quantile = (at: number): number => Number(noiseQuantile(noise(at), confidence));
  switch (aggregate.kind) {
    case "count":
      return { halfWidth: quantile(aggregate.count), curve: [], bounds: null };
    case "sum":
      return { halfWidth: quantile(aggregate.sum) * 2 ** aggregate.exponent, curve: [], bounds: null };
    case "avg": {
      const half = BigInt(aggregate.half);
      const setting = {
        half,
        sumNoise: noise(aggregate.sum),
        countNoise: noise(aggregate.count),
        confidence,
      };
      const step = 2 ** aggregate.exponent;
      const [mid, reach] = [Number(aggregate.mid), Number(half)];
      return {
        halfWidth: null,
        curve: curve(averageHalfWidths(setting), step),
        bounds: [(mid - reach) * step, (mid + reach) * step],
      };
    }
    case "variance":
    case "stddev": {
      const half = BigInt(aggregate.half);
      const setting = {
        half,
        offset: BigInt(aggregate.offset),
        squaresNoise: noise(aggregate.squares),
        sumNoise: noise(aggregate.sum),
        countNoise: noise(aggregate.count),
        population: aggregate.population,
        confidence,
      };
      const step = 2 ** aggregate.exponent;
      // Of two values at the two bounds the sample variance is twice the population's.
      const greatest = Number(half) * step * (aggregate.population ? 1 : Math.SQRT2);
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
