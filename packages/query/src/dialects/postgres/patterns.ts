import { knownPattern } from "../../expressions/patterns/known-pattern.ts";
import type { Pattern } from "../../expressions/patterns/pattern.ts";
import { type PatternSpelling, writePattern } from "../../expressions/patterns/write-pattern.ts";
import { constant } from "../constant.ts";
import type { OperatorTexts } from "../dialect.ts";
import { separator, word } from "../word-separator.ts";
import { evaluatedOnce } from "./let.ts";
import { text } from "./literals.ts";

const hex = (point: number, digits: number): string => point.toString(16).padStart(digits, "0");

/**
 * PostgreSQL's advanced regular expressions, of which the subset is matched by an automaton that never goes back: there are no references back,
 * and of groups at most one. Every set is written by its code points, so that no collation has a say.
 */
const spelling: PatternSpelling = {
  start: "\\A",
  end: "\\Z",
  any: ".",
  group: "(?:",
  character: (point) => {
    const letter = String.fromCodePoint(point);
    if (/^[A-Za-z0-9]$/.test(letter)) return letter;
    return point <= 0xffff ? `\\u${hex(point, 4)}` : `\\U${hex(point, 8)}`;
  },
  // No text holds U+0000.
  first: 1,
};
const written = (pattern: Pattern): string => text(writePattern(pattern, spelling));
const spelled = (pattern: string | number, group = 0): string =>
  written(knownPattern(String(pattern), group));
const wordsAndSeparators: Pattern = { kind: "alternatives", parts: [separator, word] };

/** Changes case by Unicode's tables of single letters, as DuckDB does it. */
const cased = (name: "upper" | "lower", value: string): string => `${name}(${value} COLLATE pg_c_utf8)`;

export const patterns: OperatorTexts<"matches" | "regexp_extract" | "regexp_replace" | "initcap"> = {
  matches: ([a], { args: [, pattern] }) => `(${a} ~ ${spelled(constant(pattern))})`,
  regexp_extract: ([a], { args: [, pattern, group] }) =>
    `substring(${a} from ${spelled(constant(pattern), Number(constant(group)))})`,
  regexp_replace: ([a], { args: [, pattern, put, options] }) => {
    const replacement = text(String(constant(put)).replaceAll("\\", "\\\\"));
    return `regexp_replace(${a}, ${spelled(constant(pattern))}, ${replacement}, '${constant(options) === "g" ? "g" : ""}')`;
  },
  initcap: ([a], { args: [bound] }) =>
    evaluatedOnce({ sql: a, bound }, (v) => {
      const letters = `${cased("upper", "left(found[1], 1)")} || ${cased("lower", "substr(found[1], 2)")}`;
      const words = `regexp_matches(${v}, ${written(wordsAndSeparators)}, 'g') WITH ORDINALITY AS words(found, place)`;
      return `CASE WHEN ${v} IS NOT NULL THEN coalesce((SELECT string_agg(${letters}, '' ORDER BY place) FROM ${words}), '') COLLATE "C" END`;
    }),
};
