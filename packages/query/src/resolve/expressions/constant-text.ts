import { elementAt } from "@lethe/core/numeric";
import type { Expression } from "../../expressions/expression.ts";
import { refuse } from "../../refusals/refuse.ts";

/** The longest text to look for: the search costs every row its length. */
const maxConstantText = 256;

/** Returns a text that is written out, with at least `least` characters; anything else is refused. */
export function constantText(arg: Expression, what: string, offset: number | undefined, least = 1): string {
  const { domain } = arg;
  const value =
    domain.type === "text" && !domain.nullable && domain.values?.length === 1
      ? elementAt(domain.values, 0)
      : null;
  const length = value === null ? -1 : [...value].length;
  if (value === null || length < least || length > maxConstantText)
    refuse(
      "query.type",
      `${what} must be a constant text of ${least} to ${maxConstantText} characters`,
      "write it out in quotes: 'abc'",
      offset,
    );
  return value;
}
