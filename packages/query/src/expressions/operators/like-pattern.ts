/** One part of a LIKE pattern: a literal character, any one (_), or any run (%). */
type Part = string | { readonly any: "one" | "run" };

/** The parts of a pattern; null where it ends in a lone escape character, for which PostgreSQL raises. */
export function patternParts(pattern: string, escapeMark: string): readonly Part[] | null {
  const parts: Part[] = [];
  const letters = [...pattern].values();
  for (const letter of letters) {
    if (letter === escapeMark) {
      const escaped = letters.next();
      if (escaped.done) return null;
      parts.push(escaped.value);
    } else if (letter === "_") parts.push({ any: "one" });
    else if (letter === "%") parts.push({ any: "run" });
    else parts.push(letter);
  }
  return parts;
}

/** The one spelling of a pattern: backslash escapes %, _ and itself, and nothing else. */
export function spellPattern(parts: readonly Part[]): string {
  return parts
    .map((part) =>
      typeof part === "string" ? part.replace(/[\\%_]/, "\\$&") : part.any === "one" ? "_" : "%",
    )
    .join("");
}

/** Whether a text matches; time grows with text × pattern, whatever they hold. */
export function matchesPattern(text: string, pattern: string): boolean {
  const letters = [...text];
  // reachable[i]: the parts so far match the first i letters.
  let reachable: boolean[] = [true, ...letters.map(() => false)];
  for (const part of patternParts(pattern, "\\") ?? []) {
    const next: boolean[] = letters.map(() => false).concat(false);
    if (typeof part !== "string" && part.any === "run") {
      let open = false;
      for (const [i, here] of reachable.entries()) {
        open ||= here;
        next[i] = open;
      }
    } else
      for (const [i, letter] of letters.entries())
        next[i + 1] = reachable[i] === true && (typeof part !== "string" || part === letter);
    reachable = next;
  }
  return reachable.at(-1) === true;
}
