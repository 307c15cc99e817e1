import { mostNoises, ratioIntervals } from "@lethe/core/accuracy";
import { sumKindOf } from "../../aggregates/family-of.ts";
import type { PostExpression } from "../../aggregates/post-expression.ts";
import { missing } from "../../refusals/by-name.ts";
import { mainSum } from "../answer-setting.ts";
import { type LinearForm, linearForm } from "../linear-form.ts";
import { noiseOf } from "../noise-of.ts";
import type { Plan } from "../plan.ts";
import type { RowNoise } from "../row-noise.ts";
import { combinedTotal } from "../together/combined-total.ts";
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
  if (!above || !below || above.weights.size === 0 || !isCount(plan, expression.args[1]!)) return null;
  const measured = [...new Set([...above.weights.keys(), ...below.weights.keys()])];
  if (measured.length > mostNoises) return null;
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
  const values = measured.map((at) => rowValue(plan, at, above, below));
  const halfWidth = (rows: number, share: number): number | null => {
    const range = interval(values.map((perRow) => BigInt(Math.round(perRow(share) * rows))));
    return range && (range.upper - range.lower) / 2;
  };
  return (rows) => {
    const [least, typical, most] = [halfWidth(rows, 0), halfWidth(rows, 0.5), halfWidth(rows, 1)];
    if (least === null || typical === null || most === null) return null;
    return { typical, worst: Math.max(least, typical, most) };
  };
}

/** Whether a denominator is one total that is a count, measured or combined, and nothing beside it. */
function isCount(plan: Plan, expression: PostExpression): boolean {
  const form = linearForm({ aggregates: plan.aggregates }, expression);
  const [only, ...others] = [...(form?.weights.keys() ?? [])];
  if (form === null || only === undefined || others.length > 0 || form.constant !== 0) return false;
  const combined = combinedTotal(plan, only);
  // Every row adds as much to a count, whatever its value.
  if (combined)
    return (
      new Set(combined.terms.map(({ coefficient }) => coefficient)).size === 1 && combined.terms.length > 1
    );
  return sumKindOf(mainSum(plan, only)).countsRows;
}

/**
 * Returns what one row adds to a measurement, in grid units, where its value lies at a share of its range: of 1 the end that makes the numerator larger.
 * Of cells that have one noise together the first two hold the distances from the lowest and to the highest value.
 */
function rowValue(
  plan: Plan,
  measurement: string,
  { weights }: LinearForm,
  below: LinearForm,
): (share: number) => number {
  const cells = plan.joint?.find((names) => names.includes(measurement));
  if (cells) {
    const [lowest, highest] = cells as readonly [string, string];
    const whole = Number(divisorOf(plan, measurement));
    const rises = (weights.get(lowest) ?? 0) >= (weights.get(highest) ?? 0);
    const place = cells.indexOf(measurement);
    return (share) => (place > 1 ? 0 : whole * (rises === (place === 0) ? share : 1 - share));
  }
  const sum = mainSum(plan, measurement);
  const kind = sumKindOf(sum);
  // The rows that a ratio is told by are counted whole.
  if (kind.countsRows && below.weights.has(measurement)) return () => 1;
  const [lo, hi] = kind.rowRange(sum);
  const falls = (weights.get(measurement) ?? 0) < 0;
  return (share) => lo + (hi - lo) * (falls ? 1 - share : share);
}

/** Returns what all cells add up to for one row. */
function divisorOf({ combined = [] }: Plan, measurement: string): string {
  return (
    combined.find(({ terms }) => terms.some((term) => term.measurement === measurement))?.divisor ??
    missing(measurement)
  );
}
