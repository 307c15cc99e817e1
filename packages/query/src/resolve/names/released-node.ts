import type { Node } from "@pgsql/types";
import type { ReleasedExpression } from "../../expressions/expression.ts";

/** The name of a node that no grammar has: it stands in the place of a subquery whose value is released before rows are read. */
const kind = "Released";

/** Returns a node that stands for a released value. */
export function releasedNode(expression: ReleasedExpression): Node {
  return { [kind]: expression } as unknown as Node;
}

/** Returns the released value that a node stands for; null for nodes of the grammar. */
export function releasedOf(node: Node): ReleasedExpression | null {
  return (node as unknown as { readonly [kind]?: ReleasedExpression })[kind] ?? null;
}
