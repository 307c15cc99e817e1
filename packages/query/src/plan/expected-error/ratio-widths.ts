import { mostNoises, ratioIntervals } from "@lethe/core/accuracy";
import { elementAt } from "@lethe/core/numeric";
import { sumKindOf } from "../../aggregates/family-of.ts";
import type { PostExpression } from "../../aggregates/post-expression.ts";
import { mainSum } from "../answer-setting.ts";
import { type LinearForm, linearForm } from "../linear-form.ts";
import { noiseOf } from "../noise-of.ts";
import type { Plan } from "../plan.ts";
import type { RowNoise } from "../row-noise.ts";
import type { CurvePoint } from "./explained-answer.ts";

/**
 * Returns the half-width of totals over one count, as a function of the number of rows counted. It is that of the interval that
 * comes out when the noise happens to be 0, where every row adds the middle of its range to each total (worst: the most). Null
 * for every other expression. `row` is the noise that a row holds.
 */
export function ratioWidths(
  plan: Plan,
  expression: PostExpression,
  confidence: number,
  row: RowNoise,
): ((rows: number) => Omit<CurvePoint, "rows"> | null) | null {
  if (expression.kind !== "call" || expression.operator !== "/") return null;
  const [above, below] = expression.args.map((part) => linearForm(plan, part));
  const counted = below && countOf(plan, below);
  if (!above || !below || !counted || above.weights.size === 0) return null;
  const measured = [...above.weights.keys(), ...below.weights.keys()];
  if (new Set(measured).size !== measured.length || measured.length > mostNoises) return null;
  const weighed = ({ constant, weights }: LinearForm) => ({
    constant,
    weights: measured.map((at) => weights.get(at) ?? 0),
  });
  const interval = ratioIntervals({
    noises: measured.map((at) => noiseOf(plan, at, row)),
    numerator: weighed(above),
    denominator: weighed(below),
    confidence,
  });
  const ranges = measured.map((at) => rowRange(plan, at));
  const signs = measured.map((at) => Math.sign(above.weights.get(at) ?? 0));
  const halfWidth = (rows: number, share: number): number | null => {
    // The last measurement is the count itself. A total whose weight is below 0 pulls the other way.
    const perRow = ranges.map(([lo, hi], i) => {
      if (i === measured.length - 1) return 1;
      return lo + (hi - lo) * (elementAt(signs, i) < 0 ? 1 - share : share);
    });
    const range = interval(perRow.map((x) => BigInt(Math.round(x * rows))));
    return range && (range.upper - range.lower) / 2;
  };
  return (rows) => {
    const [least, typical, most] = [halfWidth(rows, 0), halfWidth(rows, 0.5), halfWidth(rows, 1)];
    if (least === null || typical === null || most === null) return null;
    return { typical, worst: Math.max(least, typical, most) };
  };
}

/** Whether a denominator is one measurement that is a count, and nothing beside it; null if not. */
function countOf(plan: Plan, { constant, weights }: LinearForm): true | null {
  const [only, ...others] = [...weights.keys()];
  if (only === undefined || others.length > 0 || constant !== 0) return null;
  return sumKindOf(mainSum(plan, only)).countsRows ? true : null;
}

/** Returns the range of the value that one row adds to a total, in grid units: a count's is at most 1. */
function rowRange(plan: Plan, measurement: string): readonly [number, number] {
  const sum = mainSum(plan, measurement);
  return sumKindOf(sum).rowRange(sum);
}
