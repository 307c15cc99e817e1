import type { Node } from "@pgsql/types";

/** Returns the parts of a condition that must all be true, in the order in which they are written. */
export function conjuncts(node: Node | undefined): readonly Node[] {
  if (!node) return [];
  const found: Node[] = [];
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    if ("BoolExpr" in next && next.BoolExpr.boolop === "AND_EXPR")
      open.push(...[...(next.BoolExpr.args ?? [])].reverse());
    else found.push(next);
  }
  return found;
}

/** Returns the condition that all of some are true. */
export function allOf(conditions: readonly Node[]): Node {
  const [one] = conditions;
  return one && conditions.length === 1 ? one : { BoolExpr: { boolop: "AND_EXPR", args: [...conditions] } };
}
