import { expressionBuilder } from "../../expressions/build/build-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { rowFunctions } from "../../resolve/expressions/row-functions.ts";
import { anyText } from "./ends.ts";

/* Functions of patterns over texts that a careless pattern, or another engine's default, would read in another way. */

const pieces = [
  "a",
  "b",
  "ab",
  "@",
  ".",
  "\n",
  "é",
  "É",
  "ſ",
  "K",
  "😀",
  "1",
  "٣",
  "_",
  "-",
  " ",
  "\t",
  "\\",
  "]",
];

/** Every text of up to two pieces, and some longer ones. */
export const patternedTexts: readonly string[] = [
  "",
  ...pieces,
  ...pieces.flatMap((first) => pieces.map((second) => first + second)),
  ..."ann.lee@mail.example.org|a@b@c|aaa|abab|abcabd|x1-22-333|NEW york-CITY o'neil|  two  words |(a)|a\\b|12345|A1b2|ab\nab".split(
    "|",
  ),
];

const text: Expression = { kind: "column", name: "t", domain: anyText };

/** A call as the resolver builds it. */
const called = (name: string, ...constants: readonly (string | number)[]): Expression => {
  const build = expressionBuilder();
  return rowFunctions.get(name)!.build([text, ...constants.map((each) => build.literal(each))], build, 0);
};

const tested = [
  ...["a", "^a", "a$", "^ab?$", "^$", "^[^@]+@[^@]+$", ".", "^.$", String.raw`^\w+$`, String.raw`^\W+$`],
  ...[
    String.raw`\d`,
    String.raw`^\D*$`,
    String.raw`\s`,
    String.raw`^\S+$`,
    "[[:alpha:]]+[[:digit:]]",
    "[[:punct:]]",
  ],
  ...[
    "(?i)AB",
    "(?i)[k-s]",
    "(a|b)+@",
    "a{2,3}",
    "^(?:ab){2}$",
    String.raw`[\]\\]`,
    String.raw`\.`,
    "[^a-z]",
    "é|É",
    "[é-😀]",
  ],
  ...[
    String.raw`[\x00-\x20]`,
    String.raw`^[^\x00]+$`,
    String.raw`\x00`,
    "[^\u{10ffff}]",
    "-",
    "[a-]",
    "😀?1",
  ],
];
const found = [
  "a|b",
  "ab|a",
  "ab?",
  "[^a-z ]+",
  "[0-9]+",
  "a+",
  "^a",
  "b$",
  String.raw`\s+`,
  "é+|É",
  "[^@]+@",
  "(?:a|b){1,2}",
  "@.*$",
];

/** Expressions over the column t, by what they are. */
export const patternedExpressions: readonly (readonly [string, Expression])[] = [
  ...tested.map((pattern) => [`matches ${pattern}`, called("regexp_matches", pattern)] as const),
  ...found.flatMap((pattern) => [
    [`extract ${pattern}`, called("regexp_extract", pattern)] as const,
    [`replace ${pattern}`, called("regexp_replace", pattern, String.raw`<\\'$1>`)] as const,
    [`replace all ${pattern}`, called("regexp_replace", pattern, String.raw`<\\'$1>`, "g")] as const,
  ]),
  ...["^([^@]*)@", "@([^@.]*)", "a+(b*)c?$", "([0-9]+)-", "@(.+)$"].map(
    (pattern) => [`group ${pattern}`, called("regexp_extract", pattern, 1)] as const,
  ),
  ...["a", "@", "ab", "aa", "\n", "😀", ". "].flatMap((separator) =>
    [1, 2, 3, -1, -2, 1000].map(
      (number) => [`part ${number} of ${separator}`, called("split_part", separator, number)] as const,
    ),
  ),
  ["the whole text", called("regexp_full_match", "a|ab")],
  ["capitals", called("initcap")],
];

/** Patterns and texts that would keep a backtracking engine busy for ever. */
export const stubborn: readonly (readonly [string, Expression, string])[] = [
  ["nested repeats", called("regexp_matches", "^(a+)+$"), `${"a".repeat(9999)}b`],
  ["many runs", called("regexp_matches", `${"a*".repeat(40)}b`), "a".repeat(10_000)],
  ["counted repeats", called("regexp_matches", "(?:a?){20}a{90}b"), "a".repeat(10_000)],
  ["runs to the end", called("regexp_replace", "ab*c|a", "x", "g"), "ab".repeat(5000)],
  ["a match far behind", called("regexp_extract", "a[^b]*b[^b]*c|x$"), `${"a".repeat(9997)}bax`],
];
