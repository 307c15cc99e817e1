import { demandType, type ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { automatonOf } from "../../expressions/patterns/automaton.ts";
import { hasOneGroup, isFoundAlike } from "../../expressions/patterns/found-alike.ts";
import { leastLength, type Pattern, repeatsNothing } from "../../expressions/patterns/pattern.ts";
import { type PatternSyntax, readPattern } from "../../expressions/patterns/read-pattern.ts";
import { canonical, writePattern } from "../../expressions/patterns/write-pattern.ts";
import { refuse } from "../../refusals/refuse.ts";
import { constantText } from "./constant-text.ts";
import { constantNumber } from "./resolve-literal.ts";
import { type BuildCall, type RowFunction, rowFunction } from "./row-function.ts";

/** Reads a constant pattern. Errors: query.type for one that is not constant; query.unsupported for one that engines would not read alike. */
function patternOf(arg: Expression, syntax: PatternSyntax, offset: number | undefined): Pattern {
  const written = constantText(arg, "a pattern", offset, 1);
  const pattern = readPattern(written, syntax);
  if (!("fault" in pattern)) return pattern;
  return refuse("query.unsupported", pattern.fault, pattern.fix, offset);
}

const spelled = (pattern: Pattern, build: ExpressionBuilder): Expression =>
  build.literal(writePattern(pattern, canonical));

/** Whether some part of a text, or with `isWhole` all of it, matches a pattern. */
export function matches(
  text: Expression,
  pattern: Expression,
  syntax: PatternSyntax,
  build: ExpressionBuilder,
  offset: number | undefined,
  isWhole = false,
): Expression {
  demandType(text, "text", offset);
  const read = patternOf(pattern, { ...syntax, isTest: true }, offset);
  const whole: Pattern = {
    kind: "sequence",
    parts: [{ kind: "end", at: "start" }, read, { kind: "end", at: "end" }],
  };
  return build.call("matches", [text, spelled(isWhole ? whole : read, build)], offset);
}

/** The letters that stand behind a pattern: i (any case) and g (all matches); c and s say what is so anyway. */
function optionsOf(
  arg: Expression | undefined,
  offset: number | undefined,
): PatternSyntax & { readonly all: boolean } {
  const letters = arg ? constantText(arg, "the options of a pattern", offset, 0) : "";
  if (!/^[gics]*$/.test(letters))
    refuse(
      "query.unsupported",
      "the options of a pattern are i and g",
      "write 'i' for any case, 'g' for all matches",
      offset,
    );
  return { anyCase: letters.includes("i"), all: letters.includes("g") };
}

const test = (isWhole: boolean): RowFunction =>
  rowFunction("two or three", ([text, pattern, options], build, offset) =>
    matches(text, pattern, optionsOf(options, offset), build, offset, isWhole),
  );

/** A pattern whose match is the same text in every engine. Errors: query.unsupported. */
function foundPattern(arg: Expression, syntax: PatternSyntax, offset: number | undefined): Pattern {
  const pattern = patternOf(arg, syntax, offset);
  if (repeatsNothing(pattern))
    refuse(
      "query.unsupported",
      "a repeat of the pattern may repeat nothing",
      "write (?:ab)* for (?:(?:ab)?)*",
      offset,
    );
  if (!isFoundAlike(automatonOf(pattern)))
    refuse(
      "query.unsupported",
      "some engines take the longest text that matches, others the first alternative, and this pattern is long or differs",
      "write the longer alternative first (ab|a), and the rest so that it fits one text: [^,]* for .*",
      offset,
    );
  return pattern;
}

const replace: BuildCall<"three or four"> = ([text, arg, to, letters], build, offset) => {
  demandType(text, "text", offset);
  const { all, ...syntax } = optionsOf(letters, offset);
  const pattern = foundPattern(arg, syntax, offset);
  if (leastLength(pattern) === 0)
    refuse(
      "query.unsupported",
      "the pattern matches the empty text, which would be replaced everywhere",
      "write [0-9]+ for [0-9]*",
      offset,
    );
  const put = constantText(to, "what REGEXP_REPLACE puts there", offset, 0);
  if (/\\[0-9&]/.test(put))
    refuse(
      "query.unsupported",
      "a replacement is a text, without parts of what matched",
      "write REGEXP_EXTRACT(x, '…(…)…', 1), and || around it",
      offset,
    );
  const args = [
    text,
    spelled(pattern, build),
    build.literal(put.replaceAll("\\\\", "\\")),
    build.literal(all ? "g" : ""),
  ];
  return build.call("regexp_replace", args, offset);
};

/** Returns the first match of a pattern, or one of its groups, from 1 on. */
function extracted(
  text: Expression,
  arg: Expression,
  group: number,
  build: ExpressionBuilder,
  offset: number | undefined,
): Expression {
  demandType(text, "text", offset);
  const pattern = foundPattern(arg, { group }, offset);
  if (group > 0 && !hasOneGroup(automatonOf(pattern)))
    refuse(
      "query.unsupported",
      "the group could be taken from different places of the text, and engines take different ones",
      "exclude what stands around it: ^([^@]*)@ for ^(.*)@",
      offset,
    );
  return build.call(
    "regexp_extract",
    [text, spelled(pattern, build), build.literal(group > 0 ? 1 : 0)],
    offset,
  );
}

const extract = rowFunction("two or three", ([text, pattern, group], build, offset) => {
  const number = group ? constantNumber(group) : 0;
  if (number === null || !Number.isInteger(number) || number < 0 || number > 9)
    return refuse(
      "query.type",
      "the group of REGEXP_EXTRACT must be a constant",
      "write a number from 0, the whole match, to 9",
      offset,
    );
  return extracted(text, pattern, number, build, offset);
});

/** SUBSTRING(x FROM 'pattern'): the first group where there is one. */
export const substringOf: BuildCall<"two"> = ([text, pattern], build, offset) => {
  const hasGroup = !("fault" in readPattern(constantText(pattern, "a pattern", offset), { group: 1 }));
  return extracted(text, pattern, hasGroup ? 1 : 0, build, offset);
};

/** The functions of regular expressions, by the names people call them. */
export const regularFunctions: readonly (readonly [string, RowFunction])[] = [
  ["regexp_matches", test(false)],
  ["regexp_like", test(false)],
  ["regexp_contains", test(false)],
  ["rlike", test(false)],
  ["regexp_full_match", test(true)],
  ["regexp_extract", extract],
  [
    "regexp_substr",
    rowFunction("two", ([text, pattern], build, offset) => extracted(text, pattern, 0, build, offset)),
  ],
  ["regexp_replace", rowFunction("three or four", replace)],
];
