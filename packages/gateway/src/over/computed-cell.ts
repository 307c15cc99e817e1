import type { PostExpression } from "@lethe/query";
import { evaluate, type PostRow } from "../post/evaluate.ts";
import { type Possible, within } from "../post/possible.ts";
import { possibleValues } from "../post/possible-values.ts";
import {
  addedForms,
  constantForm,
  dividedForms,
  type formRanges,
  multipliedForms,
  type NoisyForm,
  scaledForm,
} from "./noisy-form.ts";
import { expressionRow, type OverCell, type OverRow } from "./over-cell.ts";

/** The ranges of forms, prepared once for each confidence that is asked. */
export type Ranges = (confidence: number) => ReturnType<typeof formRanges>;

/** Returns the cell that an expression makes of a row: a column by itself is copied, whatever else is computed. */
export function computedCell(
  expression: PostExpression,
  row: OverRow,
  ranges: Ranges,
  confidence: number,
): OverCell {
  if (expression.kind === "key") {
    const cell = row.get(expression.key);
    if (cell) return cell;
  }
  const seen = expressionRow(row);
  const value = evaluate(expression, seen);
  const exact = isExact(expression, row);
  const form = formOf(expression, row);
  if (form || exact || typeof value !== "number") return { value, exact, form };
  return {
    value,
    exact,
    form,
    interval: () => ({ value, ...imageOf(expression, row, seen, ranges, confidence) }),
  };
}

/** Whether an expression reads nothing that has noise. */
export function isExact(expression: PostExpression, row: OverRow): boolean {
  switch (expression.kind) {
    case "literal":
      return true;
    case "key":
      return row.get(expression.key)?.exact === true;
    case "call":
      return expression.args.every((part) => isExact(part, row));
    case "case":
      return (
        isExact(expression.otherwise, row) &&
        expression.branches.every(({ when, then }) => isExact(when, row) && isExact(then, row))
      );
    default:
      return false;
  }
}

/** Returns an expression as a form of noisy integers; null where it is none. */
export function formOf(expression: PostExpression, row: OverRow): NoisyForm | null {
  switch (expression.kind) {
    case "literal":
      return typeof expression.value === "number" ? constantForm(expression.value) : null;
    case "key": {
      const cell = row.get(expression.key);
      if (cell?.exact && typeof cell.value === "number") return constantForm(cell.value);
      return cell?.form ?? null;
    }
    case "call": {
      const [left, right] = expression.args.map((part) => formOf(part, row));
      if (!left) return null;
      switch (expression.operator) {
        case "negate":
          return scaledForm(left, -1);
        case "+":
          return right ? addedForms([left, right]) : null;
        case "-":
          return right ? addedForms([left, scaledForm(right, -1)]) : null;
        case "*":
          return right ? multipliedForms(left, right) : null;
        case "/":
          return right ? dividedForms(left, right) : null;
        case "nullif":
          // It is the value itself, or NULL, which has no interval.
          return isExactPart(expression.args[1], row) ? left : null;
        default:
          return null;
      }
    }
    default:
      return null;
  }
}

function isExactPart(part: PostExpression | undefined, row: OverRow): boolean {
  return part !== undefined && isExact(part, row);
}

const unknown = { lower: null, upper: null };

/** Returns the values that an expression can have over the intervals of its parts, all of which hold at once (Bonferroni). */
function imageOf(
  expression: PostExpression,
  row: OverRow,
  seen: PostRow,
  ranges: Ranges,
  confidence: number,
): { readonly lower: number | null; readonly upper: number | null } {
  const parts = new Map<PostExpression, NoisyForm>();
  if (!collect(expression, row, parts)) return unknown;
  const rangeOf = ranges(1 - (1 - confidence) / Math.max(1, parts.size));
  const found = new Map<PostExpression, Possible>();
  for (const [part, form] of parts) {
    const range = rangeOf(form);
    if (range === null) return unknown;
    found.set(part, within(range));
  }
  const { numbers } = possibleValues(expression, seen, (part) => found.get(part) ?? null);
  if (numbers === null || !Number.isFinite(numbers.lo) || !Number.isFinite(numbers.hi)) return unknown;
  return { lower: numbers.lo + 0, upper: numbers.hi + 0 };
}

/** Finds the largest parts that are forms. Returns whether all else is exact. */
function collect(expression: PostExpression, row: OverRow, parts: Map<PostExpression, NoisyForm>): boolean {
  if (isExact(expression, row)) return true;
  const form = formOf(expression, row);
  if (form) {
    parts.set(expression, form);
    return true;
  }
  switch (expression.kind) {
    case "call":
      return expression.args.every((part) => collect(part, row, parts));
    case "case":
      return [...expression.branches.flatMap(({ when, then }) => [when, then]), expression.otherwise].every(
        (part) => collect(part, row, parts),
      );
    default:
      return false;
  }
}
