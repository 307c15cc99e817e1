import type { Expression } from "@lethe/query";

export type ReleasedLeaf = Extract<Expression, { readonly kind: "released" }>;

/** Yields the values of earlier answers that a plan, or a part of it, reads: wherever they stand in it. */
export function* releasedIn(part: unknown): Iterable<ReleasedLeaf> {
  const open: unknown[] = [part];
  while (open.length > 0) {
    const next = open.shift();
    if (typeof next !== "object" || next === null) continue;
    if ("kind" in next && next.kind === "released") yield next as ReleasedLeaf;
    else open.unshift(...Object.values(next));
  }
}

/** Returns the SQL of each of them, each once, in their order. */
export function releasedTexts(part: unknown): readonly string[] {
  return [...new Set([...releasedIn(part)].map(({ sql }) => sql))];
}
