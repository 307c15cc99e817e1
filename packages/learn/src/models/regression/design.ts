import { doubleAt, elementAt } from "@lethe/core/numeric";
import type { Matrix } from "../../linear/matrix.ts";
import type { Category, RegressionTask } from "../../model/model.ts";
import type { Feature } from "../../moments/noisy-moments.ts";
import type { Layout } from "../../statistics/layout.ts";

/**
 * A regression in the encoding: the target t·x and the regressors D·x are linear forms of x = (1, scaled numbers, indicators). Each coefficient
 * that is reported, in the columns' own units, is constant + form·β.
 */
export interface Design {
  readonly regressors: Matrix;
  readonly target: Float64Array;
  /** The share of λ that each regressor's square is charged: 1, and 0 for the intercept. */
  readonly penalized: Float64Array;
  readonly reported: readonly Reported[];
}

export interface Reported {
  /** null for the intercept. */
  readonly column: string | null;
  /** The category whose indicator this is the coefficient of; null for a number. */
  readonly category: Category | null;
  readonly constant: number;
  readonly form: Float64Array;
}

/**
 * With an intercept numbers are centred at the middle of their bounds, and the first category of each block is what the others are compared with.
 * Without one the line passes through 0 in the columns' own units, and the first block of categories is whole.
 */
export function designOf(
  { intercept }: RegressionTask,
  layout: Layout,
  features: readonly Feature[],
): Design {
  const unit = (place: number, constant = 0): Float64Array => {
    const vector = new Float64Array(features.length);
    vector[0] = constant;
    vector[place] = (vector[place] ?? 0) + 1;
    return vector;
  };
  const target = elementAt(layout.numbers, 0);
  const shift = ({ middle, half }: { middle: number; half: number }): number =>
    intercept ? 0 : middle / half;
  const used = [...features.entries()].filter(([, feature]) => isRegressor(feature, intercept));
  const regressors = used.map(([place, feature]) =>
    unit(place, feature.kind === "number" ? shift(elementAt(layout.numbers, feature.number)) : 0),
  );
  const form = (at: number, factor: number): Float64Array => {
    const vector = new Float64Array(used.length);
    vector[at] = factor;
    return vector;
  };
  const reported = used.map(([, feature], at): Reported => {
    if (feature.kind === "one") {
      const zero = used.map(([, other]) => target.half * valueAtZero(other, layout));
      return { column: null, category: null, constant: target.middle, form: Float64Array.from(zero) };
    }
    if (feature.kind === "number") {
      const { name, half } = elementAt(layout.numbers, feature.number);
      return { column: name, category: null, constant: 0, form: form(at, target.half / half) };
    }
    const { name, categories } = elementAt(layout.blocks, feature.block);
    const category = categories[feature.category] ?? null;
    return { column: name, category, constant: 0, form: form(at, target.half) };
  });
  return {
    regressors,
    target: unit(1, shift(target)),
    penalized: Float64Array.from(used, ([, feature]) => (feature.kind === "one" ? 0 : 1)),
    reported,
  };
}

/** Number 0 is the target. */
function isRegressor(feature: Feature, intercept: boolean): boolean {
  if (feature.kind === "one") return intercept;
  if (feature.kind === "number") return feature.number !== 0;
  return feature.category > 0 || (!intercept && feature.block === 0);
}

/** The value of an encoded feature where every column is 0, or the first category. */
function valueAtZero(feature: Feature, { numbers }: Layout): number {
  if (feature.kind === "one") return 1;
  if (feature.kind === "category") return 0;
  const { middle, half } = elementAt(numbers, feature.number);
  return -middle / half;
}

export function formAt({ constant, form }: Reported, beta: Float64Array): number {
  return form.reduce((total, factor, place) => total + factor * doubleAt(beta, place), constant);
}
