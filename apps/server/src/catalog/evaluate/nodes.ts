import type { A_Const, Node } from "@pgsql/types";
import { unsupported } from "../refuse.ts";

/** Returns the text of a String node; null of any other. */
export function stringOf(node: Node | undefined): string | null {
  return node && "String" in node ? (node.String.sval ?? "") : null;
}

/** Returns the texts of a list of names. */
export function stringsOf(nodes: readonly Node[] | undefined): readonly string[] {
  return (nodes ?? []).flatMap((node) => stringOf(node) ?? []);
}

/** Returns the place of a node in the text, where it has one. */
export function offsetOf(node: Node | undefined): number | undefined {
  if (!node) return undefined;
  for (const part of Object.values(node))
    if (typeof part === "object" && part !== null && "location" in part) {
      const { location } = part as { readonly location?: number };
      return typeof location === "number" && location >= 0 ? location : undefined;
    }
  return undefined;
}

/** Returns the conditions that must all hold. */
export function conjunctsOf(node: Node | undefined): readonly Node[] {
  if (!node) return [];
  if ("BoolExpr" in node && node.BoolExpr.boolop === "AND_EXPR")
    return (node.BoolExpr.args ?? []).flatMap(conjunctsOf);
  return [node];
}

/** Returns the whole number of a constant; null of anything else. */
export function integerOf(node: Node | undefined): number | null {
  if (!node || !("A_Const" in node)) return null;
  const { ival }: A_Const = node.A_Const;
  return ival === undefined ? null : (ival.ival ?? 0);
}

/** Refuses a node that is not known, by the name that the grammar gives it. Errors: query.unsupported. */
export function unknownNode(node: Node): never {
  return unsupported(`the form ${Object.keys(node)[0] ?? "without a name"}`, offsetOf(node));
}
