/**
 * A regular expression of the subset that every engine reads in the same way: characters, classes, groups, alternatives, counted repeats and
 * the two ends of the text. There are no references back, no assertions about what stands around, and no lazy repeats, so a match is found
 * in time text × pattern.
 */
export type Pattern =
  | { readonly kind: "class"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly parts: readonly Pattern[] }
  | { readonly kind: "alternatives"; readonly parts: readonly Pattern[] }
  /** `most` is null where there is no limit. */
  | { readonly kind: "repeat"; readonly of: Pattern; readonly least: number; readonly most: number | null }
  /** The part that is extracted: one at most, among the parts of the whole. */
  | { readonly kind: "group"; readonly of: Pattern }
  | { readonly kind: "end"; readonly at: "start" | "end" };

/** Code points as ranges, both ends included, in order and apart from each other. */
export type CharacterSet = readonly (readonly [number, number])[];

export const lastCodePoint: number = 0x10ffff;

/** Returns the set of all code points of some ranges, which may overlap. */
export function setOf(ranges: CharacterSet): CharacterSet {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  const merged: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** Returns the code points that a set lacks. */
export function complement(set: CharacterSet): CharacterSet {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= lastCodePoint) gaps.push([next, lastCodePoint]);
  return gaps;
}

export const includes = (set: CharacterSet, point: number): boolean =>
  set.some(([from, to]) => from <= point && point <= to);

/** Returns the code points of a set, and of the ASCII letters in it both cases. */
export function inBothCases(set: CharacterSet): CharacterSet {
  const shifted = (first: number, by: number): CharacterSet =>
    set.flatMap(([from, to]) => {
      const [lo, hi] = [Math.max(from, first), Math.min(to, first + 25)];
      return lo <= hi ? [[lo + by, hi + by] as const] : [];
    });
  return setOf([...set, ...shifted(65, 32), ...shifted(97, -32)]);
}

/** Returns the fewest characters that a pattern matches. */
export function leastLength(pattern: Pattern): number {
  switch (pattern.kind) {
    case "class":
      return 1;
    case "end":
      return 0;
    case "group":
      return leastLength(pattern.of);
    case "repeat":
      return pattern.least * leastLength(pattern.of);
    case "sequence":
      return pattern.parts.reduce((sum, part) => sum + leastLength(part), 0);
    case "alternatives":
      return Math.min(...pattern.parts.map(leastLength));
  }
}

/** Returns the number of characters that a pattern has once its repeats are written out, which is what an engine makes of it. */
export function writtenOut(pattern: Pattern): number {
  switch (pattern.kind) {
    case "class":
    case "end":
      return 1;
    case "group":
      return writtenOut(pattern.of);
    case "repeat":
      return (
        Math.max(pattern.least + (pattern.most === null ? 1 : 0), pattern.most ?? 0) *
          writtenOut(pattern.of) +
        1
      );
    default:
      return pattern.parts.reduce((sum, part) => sum + writtenOut(part), 1);
  }
}

/** Whether something is repeated that can match nothing: engines treat such repeats in different ways. */
export function repeatsNothing(pattern: Pattern): boolean {
  if (pattern.kind === "repeat") return leastLength(pattern.of) === 0 || repeatsNothing(pattern.of);
  return "parts" in pattern
    ? pattern.parts.some(repeatsNothing)
    : pattern.kind === "group" && repeatsNothing(pattern.of);
}
