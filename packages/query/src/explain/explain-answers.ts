import {
  averageHalfWidths,
  type HalfWidthCurve,
  linearIntervals,
  mostNoises,
  noiseQuantile,
  stddevHalfWidths,
  varianceHalfWidths,
} from "@lethe/core";
import type { PostExpression } from "../bind/bound-query.ts";
import { aggregatesOf } from "../bind/post-parts.ts";
import { averageSetting, varianceSetting } from "../plan/interval-settings.ts";
import { linearForm } from "../plan/linear-form.ts";
import { measurementsOf } from "../plan/measurements-of.ts";
import type { Plan, PlannedAggregate } from "../plan/plan.ts";
import type { CurvePoint, ExplainedAnswer } from "./explanation.ts";

/** Group sizes at which averages and spreads are shown. */
const sizes = [10, 30, 100, 300, 1000, 3000, 10_000, 100_000, 1_000_000];

/** How far each answer may lie from its bounded aggregate. */
export function explainAnswers(plan: Plan, confidence: number): readonly ExplainedAnswer[] {
  return plan.outputs.flatMap((output): readonly ExplainedAnswer[] => {
    const { name } = output;
    if (output.kind === "computed") {
      if (output.type !== "number" || aggregatesOf(output.expression).length === 0) return [];
      return [{ name, kind: "computed", ...computed(plan, output.expression, confidence) }];
    }
    if (output.kind !== "aggregate") return [];
    const aggregate = plan.aggregates[output.aggregate]!;
    return [{ name, kind: aggregate.kind, madeOf: [], ...widths(plan, aggregate, confidence) }];
  });
}

/** Sums and differences of totals have one half-width; whatever else is computed is as wide as its parts make it. */
function computed(
  plan: Plan,
  expression: PostExpression,
  confidence: number,
): Pick<ExplainedAnswer, "halfWidth" | "curve" | "bounds" | "madeOf"> {
  const measured = new Set(aggregatesOf(expression).flatMap((at) => measurementsOf(plan.aggregates[at]!)));
  const madeOf = [...measured].map((at) => plan.measurements[at]!.describes);
  const form = linearForm(plan, expression);
  const noises = [...(form?.weights.keys() ?? [])].map((at) => plan.measurements[at]!.noise);
  if (!form || noises.length === 0 || noises.length > mostNoises)
    return { halfWidth: null, curve: [], bounds: null, madeOf };
  const { constant } = form;
  const weights = [...form.weights.values()];
  const { value, upper } = linearIntervals({ noises, weights, constant, confidence })(noises.map(() => 0n));
  return { halfWidth: upper - value, curve: [], bounds: null, madeOf };
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
