import { patternParts } from "../../expressions/operators/like-pattern.ts";
import { text } from "./literals.ts";

/**
 * LIKE in time text × pattern. DuckDB's own tries every place for every %, one inside the other: with four of them one
 * text of 256 letters keeps it busy for half a minute, deaf to interrupts, and its owner is found by the clock. RE2 never
 * goes back; what has at most one % is left to LIKE, whose fast paths it gets.
 * @example like("x", "a%b%") // => "regexp_full_match(x, '\\x{61}.*\\x{62}.*', 's')"
 */
export function like(x: string, pattern: string): string {
  const parts = patternParts(pattern, "\\") ?? [];
  const runs = parts.filter((part) => typeof part !== "string" && part.any === "run").length;
  if (runs <= 1 || isContains(parts)) return `(${x} LIKE ${text(pattern)} ESCAPE '\\')`;
  const expression = parts
    .map((part) => {
      if (typeof part === "string") return `\\x{${part.codePointAt(0)!.toString(16)}}`;
      return part.any === "one" ? "." : ".*";
    })
    .join("");
  return `regexp_full_match(${x}, ${text(expression)}, 's')`;
}

/** %abc% */
function isContains(parts: NonNullable<ReturnType<typeof patternParts>>): boolean {
  const isRun = (part: (typeof parts)[number] | undefined): boolean =>
    typeof part === "object" && part.any === "run";
  const inner = parts.slice(1, -1);
  return (
    parts.length > 2 &&
    isRun(parts[0]) &&
    isRun(parts.at(-1)) &&
    inner.every((part) => typeof part === "string")
  );
}
