import { mostNoises, ratioIntervals } from "@lethe/core/accuracy";
import { sumKindOf } from "../../aggregates/family-of.ts";
import type { PostExpression } from "../../aggregates/post-expression.ts";
import { byName, missing } from "../../refusals/by-name.ts";
import { mainSum } from "../answer-setting.ts";
import { type LinearForm, linearForm } from "../linear-form.ts";
import { noiseOf } from "../noise-of.ts";
import type { Measurement, Plan } from "../plan.ts";
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
 */
function rowValue(
  plan: Plan,
  measurement: string,
  { weights }: LinearForm,
  below: LinearForm,
): (share: number) => number {
  const ofCell = cellValue(plan, measurement, weights);
  if (ofCell) return ofCell;
  const sum = mainSum(plan, measurement);
  const kind = sumKindOf(sum);
  // The rows that a ratio is told by are counted whole.
  const times = Number(byName(plan.measurements, measurement).terms[0]!.coefficient);
  if (kind.countsRows && below.weights.has(measurement)) return () => times;
  const [lo, hi] = kind.rowRange(sum).map((end) => times * end) as [number, number];
  const falls = (weights.get(measurement) ?? 0) < 0;
  return (share) => lo + (hi - lo) * (falls ? 1 - share : share);
}

/**
 * The same of a cell: the distance from the lowest or to the highest value, or the rows that are in no other cell, which are none beside two distances.
 * Null for what is no cell.
 */
function cellValue(
  plan: Plan,
  measurement: string,
  weights: LinearForm["weights"],
): ((share: number) => number) | null {
  const vector = plan.joint?.find((names) => names.includes(measurement));
  if (!vector) return null;
  const members = vector.map((name) => byName(plan.measurements, name));
  const own = byName(members, measurement);
  const across = members.find((other) => isAcross(own, other));
  const whole = (): number => Number(divisorOf(plan, measurement));
  const weightOf = (name: string): number => weights.get(name) ?? 0;
  if (across) {
    const [lowest, highest] = members.indexOf(own) < members.indexOf(across) ? [own, across] : [across, own];
    const rises = weightOf(lowest.name) >= weightOf(highest.name);
    return (share) => whole() * (rises === (own === lowest) ? share : 1 - share);
  }
  const rest = members.find(({ terms }) => terms.length > 1);
  if (!rest) return null;
  if (members.some((one) => members.some((other) => isAcross(one, other)))) return () => 0;
  const others = members.filter((each) => each !== rest);
  const rises = Math.max(...others.map(({ name }) => weightOf(name))) >= weightOf(rest.name);
  const isRest = own === rest;
  return (share) => (whole() * (rises === isRest ? 1 - share : share)) / (isRest ? 1 : others.length);
}

/** Whether two cells hold distances of one sum from its two ends. */
function isAcross({ terms: [one] }: Measurement, { terms: [other] }: Measurement): boolean {
  return (
    one !== undefined && one.sum === other?.sum && BigInt(one.coefficient) === -BigInt(other.coefficient)
  );
}

/** Returns what all cells add up to for one row. */
function divisorOf({ combined = [] }: Plan, measurement: string): string {
  return (
    combined.find(({ terms }) => terms.some((term) => term.measurement === measurement))?.divisor ??
    missing(measurement)
  );
}
