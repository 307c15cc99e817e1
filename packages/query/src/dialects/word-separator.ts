import { complement, type Pattern, setOf } from "../expressions/patterns/pattern.ts";

/** What stands between words: the characters of ASCII that are neither letters nor digits. */
export const separator: Pattern = {
  kind: "class",
  set: setOf(
    complement([
      [48, 57],
      [65, 90],
      [97, 122],
      [128, 0x10ffff],
    ]),
  ),
};

/** A run of characters that are no separators. */
export const word: Pattern = {
  kind: "repeat",
  of: { kind: "class", set: complement(separator.set) },
  least: 1,
  most: null,
};
