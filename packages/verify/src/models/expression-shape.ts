import { canonicalJson } from "@lethe/core/canonical";
import type { Expression } from "@lethe/query";

/** Returns a text that two expressions share where they compute the same from the same columns, whatever is known of their values. */
export function shapeOf(expression: Expression): string {
  return canonicalJson(partsOf(expression));
}

function partsOf(expression: Expression): unknown {
  switch (expression.kind) {
    case "literal":
      return ["literal", expression.value];
    case "column":
      return ["column", expression.source ?? null, expression.name];
    case "call":
      return ["call", expression.operator, ...expression.args.map(partsOf)];
    case "case":
      return [
        "case",
        ...expression.branches.map(({ when, then }) => [partsOf(when), partsOf(then)]),
        partsOf(expression.otherwise),
      ];
  }
}

/** A number as (x − middle)/half. */
export interface ScaledColumn {
  /** The shape of x. */
  readonly column: string;
  readonly middle: number;
  readonly half: number;
}

/** Reads (x − middle)/half; null for any other expression. */
export function scaledColumn(expression: Expression): ScaledColumn | null {
  const [difference, half] = operandsOf(expression, "/");
  if (difference === undefined || half === undefined) return null;
  const [column, middle] = operandsOf(difference, "-");
  if (column === undefined || middle === undefined) return null;
  const [m, h] = [numberOf(middle), numberOf(half)];
  return m === null || h === null ? null : { column: shapeOf(column), middle: m, half: h };
}

/** Reads a product of one or two scaled columns; null for any other expression. */
export function scaledProduct(expression: Expression): readonly ScaledColumn[] | null {
  const one = scaledColumn(expression);
  if (one) return [one];
  const [base, exponent] = operandsOf(expression, "power");
  const squared = base && exponent && numberOf(exponent) === 2 ? scaledColumn(base) : null;
  if (squared) return [squared, squared];
  const factors = operandsOf(expression, "*").map(scaledColumn);
  return factors.length === 2 && factors.every((factor) => factor !== null) ? factors : null;
}

/** The two arguments of an operator; none where the expression is another. */
export function operandsOf(expression: Expression, operator: string): readonly Expression[] {
  if (expression.kind !== "call" || expression.operator !== operator) return [];
  return expression.args.length === 2 ? expression.args : [];
}

export function numberOf(expression: Expression): number | null {
  return expression.kind === "literal" && typeof expression.value === "number" ? expression.value : null;
}

/** Whether (x − middle)/half maps bounds to −1 and 1, up to the rounding of doubles. */
export function isScale(
  [lo, hi]: readonly [number, number],
  { middle, half }: Pick<ScaledColumn, "middle" | "half">,
): boolean {
  const rounding = 2 ** -50 * (Math.abs(lo) + Math.abs(hi));
  return Math.abs(middle - half - lo) <= rounding && Math.abs(middle + half - hi) <= rounding;
}
