import { type CharacterSet, complement, lastCodePoint, type Pattern } from "./pattern.ts";

/** How an engine, or this package, spells the parts of a pattern. */
export interface PatternSpelling {
  readonly start: string;
  readonly end: string;
  /** Any character. */
  readonly any: string;
  readonly group: string;
  /** Writes a character, inside brackets or outside. */
  readonly character: (point: number) => string;
  /** The least code point that a text can hold. */
  readonly first: number;
}

/** Writes a pattern in a spelling. */
export function writePattern(pattern: Pattern, spelling: PatternSpelling): string {
  const inside = (part: Pattern): string => {
    const written = writePattern(part, spelling);
    return part.kind === "class" ? written : `${spelling.group}${written})`;
  };
  switch (pattern.kind) {
    case "class":
      return writeSet(pattern.set, spelling);
    case "end":
      return spelling[pattern.at];
    case "group":
      return `(${writePattern(pattern.of, spelling)})`;
    case "repeat":
      return `${inside(pattern.of)}${countOf(pattern.least, pattern.most)}`;
    case "sequence":
      return pattern.parts
        .map((part) =>
          part.kind === "alternatives" || part.kind === "sequence"
            ? inside(part)
            : writePattern(part, spelling),
        )
        .join("");
    case "alternatives":
      return pattern.parts
        .map((part) => (part.kind === "alternatives" ? inside(part) : writePattern(part, spelling)))
        .join("|");
  }
}

function countOf(least: number, most: number | null): string {
  if (most === null) return least === 0 ? "*" : least === 1 ? "+" : `{${least},}`;
  if (least === 0 && most === 1) return "?";
  return least === most ? `{${least}}` : `{${least},${most}}`;
}

function writeSet(set: CharacterSet, { any, character, first }: PatternSpelling): string {
  const missing = complement(set);
  if (missing.length === 0) return any;
  const [only] = set;
  if (set.length === 1 && only && only[0] === only[1] && only[0] >= first) return character(only[0]);
  const isNegated = set.at(-1)?.[1] === lastCodePoint;
  const kept = (isNegated ? missing : set)
    .filter(([, to]) => to >= first)
    .map(([from, to]) => [Math.max(from, first), to] as const);
  // Of what is left, no text holds anything: all characters or none.
  if (kept.length === 0) return isNegated ? any : `[^${character(first)}-${character(lastCodePoint)}]`;
  const ranges = kept.map(([from, to]) => {
    if (from === to) return character(from);
    return to === from + 1 ? `${character(from)}${character(to)}` : `${character(from)}-${character(to)}`;
  });
  return `[${isNegated ? "^" : ""}${ranges.join("")}]`;
}

const controls: Readonly<Record<number, string>> = { 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r" };

function readable(point: number): string {
  const letter = String.fromCodePoint(point);
  if (point < 32 || point === 127) return controls[point] ?? `\\x${point.toString(16).padStart(2, "0")}`;
  return point < 127 && !/[A-Za-z0-9 @_,;:!#%&='"<>/~]/.test(letter) ? `\\${letter}` : letter;
}

/** The one spelling of a pattern in this package, which is read back as the same pattern. */
export const canonical: PatternSpelling = {
  start: "^",
  end: "$",
  any: ".",
  group: "(?:",
  character: readable,
  first: 0,
};
