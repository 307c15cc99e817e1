import { linearIntervals, mostNoises, ratioIntervals } from "@lethe/core/accuracy";
import {
  aggregatesOf,
  answerSetting,
  byName,
  everywhere,
  familyOf,
  jointPart,
  type LinearForm,
  linearForm,
  type NoisyNumbers,
  type NumberRange,
  noiseOf,
  oneGroup,
  type Part,
  type Plan,
  type PostExpression,
  possibleSigns,
  postParts,
  type RowNoise,
} from "@lethe/query";
import type { RowKeys } from "../post/evaluate.ts";
import { type Possible, within } from "../post/possible.ts";
import { possibleValues } from "../post/possible-values.ts";
import type { Estimate } from "../release.ts";
import { timeOf } from "../rows/written-times.ts";

/**
 * Prepares a computed column's intervals: the expression is cut into parts whose intervals follow from their noise –
 * single aggregates, sums and differences of totals, ratios of those, slopes, intercepts, correlations – each at 1 − (1 − confidence)/parts, so that all hold
 * at once (Bonferroni); the column's interval is every value that the expression can take over those intervals. For one
 * part and a monotone function that is the image of the part's interval. NULL ends where that set is unbounded; all NULL
 * where the expression itself is NULL. `row`: the noise that a row holds.
 */
export function computedIntervals(
  expression: PostExpression,
  plan: Plan,
  confidence: number,
  row: RowNoise = oneGroup,
): (keys: RowKeys, noisy: NoisyNumbers, value: number | null) => Estimate {
  // Which side of a time a value lies on is no range of numbers: none is given.
  if (aggregatesOf(expression).some((name) => timeOf(byName(plan.aggregates, name)) !== null))
    return (_keys, _noisy, value) => ({ value, lower: null, upper: null });
  const parts = new Map<PostExpression, Part>();
  collect(expression, plan, row, parts);
  const distinct = new Map([...parts.values()].map((part) => [part.id, part]));
  const each = 1 - (1 - confidence) / Math.max(1, distinct.size);
  const ranged = [...distinct].map(([id, part]) => [id, part.rangeAt(each)] as const);
  return (keys, noisy, value) => {
    const ranges = new Map(ranged.map(([id, range]) => [id, range(noisy)]));
    const known = (node: PostExpression): Possible | null => {
      const part = parts.get(node);
      return part ? within(ranges.get(part.id)!) : null;
    };
    const { numbers } = possibleValues(expression, keys, known);
    if (value === null) return { value, lower: null, upper: null };
    if (numbers === null || !Number.isFinite(numbers.lo) || !Number.isFinite(numbers.hi))
      return { value, lower: null, upper: null };
    return { value, lower: numbers.lo + 0, upper: numbers.hi + 0 };
  };
}

function collect(
  expression: PostExpression,
  plan: Plan,
  row: RowNoise,
  parts: Map<PostExpression, Part>,
): void {
  const part = partOf(expression, plan, row);
  if (part) parts.set(expression, part);
  else for (const inner of postParts(expression)) collect(inner, plan, row, parts);
}

function partOf(expression: PostExpression, plan: Plan, row: RowNoise): Part | null {
  if (expression.kind === "aggregate") return aggregatePart(expression.aggregate, plan, row);
  if (expression.kind !== "call") return null;
  const form = linearForm(plan, expression);
  if (form && form.weights.size !== 1 && form.weights.size <= mostNoises) return linearPart(form, plan, row);
  const ratio = expression.operator === "/" ? ratioPart(expression.args, plan, row) : null;
  return ratio ?? partOfSeveral(expression, plan, row);
}

/** Returns a part whose aggregates have one noise together. */
export function partOfSeveral(expression: PostExpression, plan: Plan, row: RowNoise): Part | null {
  return jointPart(expression, {
    aggregateOf: (name) => byName(plan.aggregates, name),
    noiseOf: (name) => noiseOf(plan, name, row),
  });
}

function aggregatePart(name: string, plan: Plan, row: RowNoise): Part {
  const aggregate = byName(plan.aggregates, name);
  return {
    id: `aggregate ${name}`,
    rangeAt(confidence) {
      const estimate = familyOf(aggregate).estimator(aggregate, answerSetting(plan, confidence, row));
      return (noisy) => {
        const { lower, upper } = estimate(noisy);
        return { lo: lower, hi: upper };
      };
    },
  };
}

const idOf = ({ constant, weights }: LinearForm): string =>
  `${constant} + ${[...weights]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, weight]) => `${weight}·${name}`)
    .join(" + ")}`;

/** Sums and differences of several totals; a constant where they cancel. */
function linearPart(form: LinearForm, plan: Plan, row: RowNoise): Part | null {
  const { constant } = form;
  if (form.weights.size === 0) return null;
  const measured = [...form.weights.keys()];
  return {
    id: idOf(form),
    rangeAt(confidence) {
      const { lo, hi } = possibleRange(form, plan);
      const intervals = linearIntervals({
        noises: measured.map((name) => noiseOf(plan, name, row)),
        weights: [...form.weights.values()],
        constant,
        confidence,
        atLeast: lo,
        atMost: hi,
      });
      return (noisy) => {
        const { lower, upper } = intervals(measured.map(noisy.total));
        return { lo: lower, hi: upper };
      };
    },
  };
}

/** A ratio of totals; one may stand above and below. */
function ratioPart([above, below]: readonly PostExpression[], plan: Plan, row: RowNoise): Part | null {
  const [numerator, denominator] = [linearForm(plan, above!), linearForm(plan, below!)];
  if (!numerator || !denominator || numerator.weights.size === 0 || denominator.weights.size === 0)
    return null;
  const measured = [...new Set([...numerator.weights.keys(), ...denominator.weights.keys()])];
  if (measured.length > mostNoises) return null;
  const weighed = ({ constant, weights }: LinearForm) => ({
    constant,
    weights: measured.map((name) => weights.get(name) ?? 0),
  });
  const [n, d] = [possibleRange(numerator, plan), possibleRange(denominator, plan)];
  const positive = (n.lo >= 0 && d.lo >= 0) || (n.hi <= 0 && d.hi <= 0);
  const negative = (n.lo >= 0 && d.hi <= 0) || (n.hi <= 0 && d.lo >= 0);
  const possible = { lo: positive ? 0 : everywhere.lo, hi: negative ? 0 : everywhere.hi };
  return {
    id: `(${idOf(numerator)}) / (${idOf(denominator)})`,
    rangeAt(confidence) {
      const intervals = ratioIntervals({
        noises: measured.map((name) => noiseOf(plan, name, row)),
        numerator: weighed(numerator),
        denominator: weighed(denominator),
        confidence,
      });
      return (noisy) => {
        const range = intervals(measured.map(noisy.total));
        return range ? keptTo(possible, { lo: range.lower, hi: range.upper }) : everywhere;
      };
    },
  };
}

/**
 * Clips an interval to the possible range. Where the noise contradicts the whole range, the result starts at that range's nearer end and has
 * half the interval's width: bad luck is no certainty.
 */
export function keptTo(possible: NumberRange, { lo, hi }: NumberRange): NumberRange {
  const half = (hi - lo) / 2;
  if (hi < possible.lo) return { lo: possible.lo, hi: possible.lo + half };
  if (lo > possible.hi) return { lo: possible.hi - half, hi: possible.hi };
  return { lo: Math.max(lo, possible.lo), hi: Math.min(hi, possible.hi) };
}

/** Returns the possible range of a sum of totals: counts are at least 0, sums of values of one sign have that sign. */
function possibleRange({ constant, weights }: LinearForm, plan: Plan): NumberRange {
  let [lo, hi] = [constant, constant];
  for (const [at, weight] of weights) {
    const { atLeast, atMost } = possibleSigns(plan, at);
    const least = atLeast === undefined ? Number.NEGATIVE_INFINITY : 0;
    const most = atMost === undefined ? Number.POSITIVE_INFINITY : 0;
    lo += weight * (weight > 0 ? least : most);
    hi += weight * (weight > 0 ? most : least);
  }
  return { lo, hi };
}
