import { elementAt } from "@lethe/core/numeric";
import type { Expression } from "../expression.ts";

/** A condition that is true on certain rows, or that is not: false there, or NULL. */
export interface SupportTest {
  readonly condition: Expression;
  readonly isTrue: boolean;
}

/**
 * Returns conditions that all hold on every row where an expression adds anything: where it is not NULL or, with `addsValues`, neither NULL nor 0.
 * They are those under which the only CASE branch is reached that adds anything; none where there are several, or no CASE.
 * @example supportOf(expression of "CASE WHEN plan = 'a' THEN x ELSE 0 END", true) // => [{ condition: plan = 'a', isTrue: true }]
 */
export function supportOf(expression: Expression, addsValues: boolean): readonly SupportTest[] {
  if (expression.kind !== "case") return [];
  const results = [...expression.branches.map((branch) => branch.then), expression.otherwise];
  const adding = results.flatMap((result, at) => (addsNothing(result, addsValues) ? [] : [at]));
  const [only, ...others] = adding;
  if (only === undefined || others.length > 0) return [];
  return [
    ...expression.branches
      .slice(0, only + 1)
      .map(({ when }, at) => ({ condition: when, isTrue: at === only })),
    ...supportOf(elementAt(results, only), addsValues),
  ];
}

function addsNothing(result: Expression, addsValues: boolean): boolean {
  return result.kind === "literal" && (result.value === null || (addsValues && result.value === 0));
}
