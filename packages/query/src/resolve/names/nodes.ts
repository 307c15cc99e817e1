import { LetheError } from "@lethe/core";
import type { FuncCall, Node } from "@pgsql/types";

/** Returns a part of a node that the grammar always writes, though its types allow that it is left out. Errors: internal.invariant. */
export function partOf<Part>(part: Part | undefined): Part {
  if (part !== undefined) return part;
  throw new LetheError("internal.invariant", "a node of the question lacks a part that its form has", {
    fix: "report this with the question asked",
  });
}

/** Returns the last part of a function's, an operator's or a type's name, in lower case: pg_catalog.lower is lower. */
export function functionName(names: readonly Node[] | undefined): string {
  const last = names?.at(-1);
  return last && "String" in last ? (last.String.sval ?? "").toLowerCase() : "";
}

/**
 * Returns a part that the grammar always writes, whose type says that it may be missing, for the parser leaves out what is empty.
 * Errors: internal.invariant.
 */
export function part<T extends object | string>(given: T | undefined): T {
  if (given !== undefined) return given;
  throw new LetheError("internal.invariant", "the parser left out a part that its grammar demands", {
    fix: "report this with the question asked",
  });
}

/** Writes what a node says, wherever it stands: two nodes of one text have one meaning in one scope. */
export function meaningOf(node: Node): string {
  return JSON.stringify(node, (name, value: unknown) => (name === "location" ? undefined : value));
}

/** Returns the place where a node begins, as a UTF-16 index; undefined where the grammar does not say. */
export function offsetOf(node: Node): number | undefined {
  const [body] = Object.values(node) as { location?: number }[];
  return body?.location !== undefined && body.location >= 0 ? body.location : undefined;
}

/**
 * Yields the bodies of every node of one kind in a tree, in the order they are written. It keeps its own stack, since trees may
 * be deep.
 */
export function nodesOf<Body>(kind: string, tree: unknown): Generator<Body, void, undefined> {
  return nodesWithin(kind, tree, null);
}

/** Yields the bodies of the function calls of a tree, but for those of subqueries within it. */
export function ownCalls(tree: unknown): Generator<FuncCall, void, undefined> {
  return nodesWithin("FuncCall", tree, "SubLink");
}

function* nodesWithin<Body>(
  kind: string,
  tree: unknown,
  closed: string | null,
): Generator<Body, void, undefined> {
  const open: (readonly [key: string, value: unknown])[] = [["", tree]];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const [key, value] = entry;
    if (key === closed) continue;
    if (key === kind) yield value as Body;
    if (typeof value !== "object" || value === null) continue;
    const names = Object.keys(value);
    for (let at = names.length - 1; at >= 0; at -= 1) {
      const name = names[at]!;
      const part = (value as Readonly<Record<string, unknown>>)[name];
      if (name === kind || typeof part === "object") open.push([name, part]);
    }
  }
}

/** Returns the place where the first located part of a node begins: for joins and subqueries, whose own place the grammar does not give. */
export function offsetWithin(tree: unknown): number | undefined {
  for (const at of nodesOf<unknown>("location", tree)) if (typeof at === "number" && at >= 0) return at;
  return undefined;
}
