import { knownPattern } from "../../expressions/patterns/known-pattern.ts";
import { type PatternSpelling, writePattern } from "../../expressions/patterns/write-pattern.ts";
import { constant } from "../constant.ts";
import type { OperatorTexts } from "../dialect.ts";
import { separator, word } from "../word-separator.ts";
import { evaluatedOnce } from "./guards.ts";
import { text } from "./literals.ts";

/** RE2, which never goes back. Every set is written by its code points, so that no option and no locale has a say. */
const spelling: PatternSpelling = {
  start: "\\A",
  end: "\\z",
  any: "[\\x{0}-\\x{10ffff}]",
  group: "(?:",
  character: (point) => {
    const letter = String.fromCodePoint(point);
    return /^[A-Za-z0-9]$/.test(letter) ? letter : `\\x{${point.toString(16)}}`;
  },
  first: 0,
};
const spelled = (pattern: string | number, group = 0): string =>
  text(writePattern(knownPattern(String(pattern), group), spelling));

export const patterns: OperatorTexts<"matches" | "regexp_extract" | "regexp_replace" | "initcap"> = {
  matches: ([a], { args: [, pattern] }) => `regexp_matches(${a}, ${spelled(constant(pattern))})`,
  regexp_extract: ([a], { args: [, pattern, group] }) => {
    const at = Number(constant(group));
    const written = spelled(constant(pattern), at);
    // Where nothing matches, DuckDB extracts an empty text.
    return evaluatedOnce(
      a,
      (v) => `CASE WHEN regexp_matches(${v}, ${written}) THEN regexp_extract(${v}, ${written}, ${at}) END`,
    );
  },
  regexp_replace: ([a], { args: [, pattern, put, options] }) => {
    const written = text(String(constant(put)).replaceAll("\\", "\\\\"));
    const all = constant(options) === "g" ? ", 'g'" : "";
    return `regexp_replace(${a}, ${spelled(constant(pattern))}, ${written}${all})`;
  },
  initcap: ([a]) => {
    const words = text(writePattern({ kind: "alternatives", parts: [separator, word] }, spelling));
    return `array_to_string(list_transform(regexp_extract_all(${a}, ${words}), lambda w: upper(left(w, 1)) || lower(substr(w, 2))), '')`;
  },
};
