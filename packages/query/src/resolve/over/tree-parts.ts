import type { FuncCall, Node, SubLink } from "@pgsql/types";
import { aggregateCall } from "../aggregates/resolve-aggregate.ts";
import { nodesOf } from "../names/nodes.ts";

/** Returns a text that two nodes share where they are written alike, wherever they stand. */
export function writtenAlike(node: unknown): string {
  return JSON.stringify(node, (key, value) => (key === "location" ? undefined : value));
}

/** Yields the calls of functions of a tree, those in its subqueries left out, as they are another SELECT's. */
export function* callsIn(tree: unknown): Generator<FuncCall, void, undefined> {
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== "object" || part === null || "SubLink" in part) continue;
    if ("FuncCall" in part) yield part.FuncCall as FuncCall;
    open.push(...Object.values(part).reverse());
  }
}

/** Whether a tree holds a call of a window function. */
export function holdsWindow(tree: unknown): boolean {
  for (const { over } of callsIn(tree)) if (over) return true;
  return false;
}

/** Whether a tree holds a subquery that stands for a value and lies outside aggregates: what these hold is of rows. */
export function holdsSubquery(tree: unknown): boolean {
  if (typeof tree !== "object" || tree === null) return false;
  if ("SubLink" in tree) return (tree.SubLink as SubLink).subLinkType === "EXPR_SUBLINK";
  if ("FuncCall" in tree && isPlainAggregate(tree.FuncCall as FuncCall)) return false;
  return Object.values(tree).some(holdsSubquery);
}

function isPlainAggregate(call: FuncCall): boolean {
  return !call.over && aggregateCall({ FuncCall: call }) !== null;
}

/** Whether a tree holds an aggregate that is no window. */
export function holdsAggregate(tree: unknown): boolean {
  for (const call of callsIn(tree)) if (isPlainAggregate(call)) return true;
  return false;
}

/** Whether a tree reads a column or an aggregate. */
export function readsRows(tree: unknown): boolean {
  return (
    !nodesOf("ColumnRef", tree).next().done ||
    !nodesOf("GroupingFunc", tree).next().done ||
    holdsAggregate(tree)
  );
}

/** Whether a value of a tree is a node: an object with one member, whose name begins with a capital letter. */
export function isNode(tree: unknown): tree is Node {
  if (typeof tree !== "object" || tree === null || Array.isArray(tree)) return false;
  const [kind, ...others] = Object.keys(tree);
  return kind !== undefined && others.length === 0 && /^[A-Z]/.test(kind);
}

/** Returns a tree in which each node that `replaced` returns another for is that one; null leaves a node, and its parts are looked at. */
export function replaceNodes(tree: Node, replaced: (node: Node) => Node | null): Node;
export function replaceNodes(tree: unknown, replaced: (node: Node) => Node | null): unknown;
export function replaceNodes(tree: unknown, replaced: (node: Node) => Node | null): unknown {
  if (Array.isArray(tree)) return tree.map((part) => replaceNodes(part, replaced));
  if (typeof tree !== "object" || tree === null) return tree;
  const other = isNode(tree) ? replaced(tree) : null;
  if (other) return other;
  return Object.fromEntries(Object.entries(tree).map(([key, part]) => [key, replaceNodes(part, replaced)]));
}

/** Returns a node that names a column. */
export function columnNamed(name: string): Node {
  return { ColumnRef: { fields: [{ String: { sval: name } }] } };
}
