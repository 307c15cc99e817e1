import type { Total } from "../aggregates/answers/total.ts";
import { familyOf } from "../aggregates/family-of.ts";
import type { PostExpression } from "../aggregates/post-expression.ts";
import { byName } from "../refusals/by-name.ts";
import type { Plan } from "./plan.ts";
import { totalParts } from "./together/combined-total.ts";

/** constant + Σ weight · measurement: the value of sums and differences of counts and sums, in the question's units. */
export interface LinearForm {
  readonly constant: number;
  /** The weights by the name of the measurement; none of them is 0. */
  readonly weights: ReadonlyMap<string, number>;
}

type FormOf = Pick<Plan, "aggregates" | "combined">;

/**
 * Reads an expression over released values as a linear form of the plan's measurements. Null where it is not one, or where a
 * weight or the constant is beyond the doubles.
 * @example linearForm(plan, expression of "COUNT(*) - COUNT(y)") // => { constant: 0, weights: {"COUNT(*)" => 1, "COUNT(y)" => -1} }
 */
export function linearForm(plan: FormOf, expression: PostExpression): LinearForm | null {
  const form = read(plan, expression);
  if (!form) return null;
  const weights = new Map([...form.weights].filter(([, weight]) => weight !== 0));
  return [form.constant, ...weights.values()].every(Number.isFinite) ? { ...form, weights } : null;
}

function read(plan: FormOf, expression: PostExpression): LinearForm | null {
  const form = (part: PostExpression): LinearForm | null => read(plan, part);
  switch (expression.kind) {
    case "literal":
      return typeof expression.value === "number" ? { constant: expression.value, weights: new Map() } : null;
    case "aggregate": {
      const aggregate = byName(plan.aggregates, expression.aggregate);
      const total = familyOf(aggregate).total(aggregate);
      return total ? formOf(plan, total) : null;
    }
    case "call": {
      const [left, right] = expression.args.map(form);
      switch (expression.operator) {
        case "negate":
          return left ? scaled(left, -1) : null;
        case "+":
          return left && right ? sum(left, right) : null;
        case "-":
          return left && right ? sum(left, scaled(right, -1)) : null;
        case "*":
          if (left && right?.weights.size === 0) return scaled(left, right.constant);
          return right && left?.weights.size === 0 ? scaled(right, left.constant) : null;
        case "/":
          return left && right?.weights.size === 0 && right.constant !== 0
            ? scaled(left, 1 / right.constant)
            : null;
        default:
          return null;
      }
    }
    default:
      return null;
  }
}

function formOf(plan: Pick<Plan, "combined">, { measurement: name, step }: Total): LinearForm {
  const parts = totalParts(plan, name);
  return {
    constant: 0,
    weights: new Map(parts.map(({ measurement, weight }) => [measurement, weight * step])),
  };
}

function scaled({ constant, weights }: LinearForm, factor: number): LinearForm {
  return {
    constant: constant * factor,
    weights: new Map([...weights].map(([name, weight]) => [name, weight * factor])),
  };
}

function sum(a: LinearForm, b: LinearForm): LinearForm {
  const weights = new Map(a.weights);
  for (const [name, weight] of b.weights) weights.set(name, (weights.get(name) ?? 0) + weight);
  return { constant: a.constant + b.constant, weights };
}
