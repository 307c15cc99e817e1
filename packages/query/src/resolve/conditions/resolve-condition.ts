import type { Node } from "@pgsql/types";
import type { Expression } from "../../expressions/expression.ts";
import type { Relation } from "../../relations/relation.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { offsetOf } from "../names/nodes.ts";
import type { Scope } from "../names/scope.ts";
import { roundTimes } from "./round-times.ts";

/**
 * Resolves a condition on rows, its times rounded as the policy says.
 * @param relations those whose columns it may read
 * Errors: those of {@link resolveExpression} and of {@link roundTimes}.
 */
export function resolveCondition(
  node: Node,
  scope: Scope,
  relations: readonly Relation[] = [scope.from],
): Expression {
  return roundTimes(resolveExpression(node, scope), relations, scope.build, offsetOf(node));
}
