/** Returns the SQL of the values of earlier answers that a plan, or a part of it, reads, wherever they stand in it: each once, in their order. */
export function releasedTexts(part: unknown): readonly string[] {
  const found = new Set<string>();
  const open: unknown[] = [part];
  while (open.length > 0) {
    const next = open.shift();
    if (typeof next !== "object" || next === null) continue;
    if ("kind" in next && next.kind === "released" && "sql" in next) found.add(String(next.sql));
    else open.unshift(...Object.values(next));
  }
  return [...found];
}
