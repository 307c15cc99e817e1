import type { Dialect } from "../../dialects/dialect.ts";
import type { Expression } from "../../expressions/expression.ts";
import { isIntegerKey } from "../../plan/release-program.ts";

/**
 * Keys that are the same, or both NULL, as equalities: engines look up those, and would else compare every row of a unit
 * with each of its groups.
 */
export function sameKey(
  left: string,
  right: string,
  expression: Expression,
  dialect: Dialect,
): readonly string[] {
  const { write } = dialect;
  if (!expression.domain.nullable) return [write.compare(left, "=", right)];
  const { type } = expression.domain;
  const something = isIntegerKey(expression)
    ? "0"
    : type === "number"
      ? dialect.double(0)
      : type === "boolean"
        ? write.truth(false)
        : dialect.text("");
  return [
    write.compare(write.coalesce(left, something), "=", write.coalesce(right, something)),
    write.compare(write.enclosed(write.isMissing(left)), "=", write.enclosed(write.isMissing(right))),
  ];
}
