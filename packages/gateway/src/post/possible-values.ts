import type { PostExpression } from "@lethe/query";
import { keyValue, type RowKeys } from "./evaluate.ts";
import { all } from "./number-ranges.ts";
import { either, exactly, type Possible, within } from "./possible.ts";
import { possibleResults, Unlisted } from "./possible-results.ts";

/**
 * Interval arithmetic over released rows. `known` gives the range of a part whose interval is known; keys and constants are
 * what they are. Where the values cannot be listed, all numbers stand for whatever there may be. Source: Moore 1966, Interval Analysis, the fundamental theorem: the ranges of the parts contain their
 * values, so the range of the whole contains its value.
 */
export function possibleValues(
  expression: PostExpression,
  keys: RowKeys,
  known: (part: PostExpression) => Possible | null,
): Possible {
  try {
    return valuesOf(expression, keys, known);
  } catch (error) {
    // A text of a noisy number may be any text, and a number that is made of it any number.
    if (error instanceof Unlisted) return { ...within(all), nullable: true };
    throw error;
  }
}

function valuesOf(
  expression: PostExpression,
  keys: RowKeys,
  known: (part: PostExpression) => Possible | null,
): Possible {
  const range = known(expression);
  if (range) return range;
  const of = (part: PostExpression): Possible => valuesOf(part, keys, known);
  switch (expression.kind) {
    case "literal":
      return exactly(expression.value);
    case "key":
    case "grouped-away":
    case "other":
      return exactly(keyValue(expression, keys));
    case "aggregate":
      return { ...within(all), nullable: true };
    case "call":
      return possibleResults[expression.operator](expression.args.map(of));
    case "case": {
      let result: Possible | null = null;
      for (const { when, then } of expression.branches) {
        const met = of(when);
        if (!met.others.has(true)) continue;
        const taken = either(result, of(then));
        if (!met.others.has(false) && !met.nullable) return taken;
        result = taken;
      }
      return either(result, of(expression.otherwise));
    }
  }
}
