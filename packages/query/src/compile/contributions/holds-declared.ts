import type { KeyValue } from "@lethe/core/mechanisms";
import { publicKeys } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { Plan } from "../../plan/plan.ts";
import { policyOf } from "../../relations/relation.ts";
import { columnDomain } from "../../resolve/names/scope.ts";

/**
 * Whether a key of a plan has no value but the declared ones, so that no row need be asked: a column of the one table that is read, of whose policy every value is declared, and NULL where cleaning
 * can leave it. Cleaning makes every other value NULL or the column's default. A WHERE that narrows what is declared leaves values undeclared, and its rows are asked.
 */
export function holdsDeclared(
  { from }: Pick<Plan, "from">,
  key: Expression,
  declared: readonly KeyValue[],
): boolean {
  if (from.kind !== "table" || key.kind !== "column") return false;
  const possible = publicKeys(columnDomain(policyOf(from, key)));
  if (possible === null) return false;
  const known = new Set(declared);
  return possible.every((value) => known.has(value));
}
