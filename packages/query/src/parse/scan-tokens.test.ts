import { expect, it } from "vitest";
import { scanTokens } from "./scan-tokens.ts";

const scanned = (text: string): readonly (readonly [string, string])[] =>
  [...scanTokens(text)].map(({ kind, start, end }) => [kind, text.slice(start, end)]);

it("each token has the kind that PostgreSQL gives it", () => {
  expect(scanned("SELECT f(\"a\", ARRAY[1.5e-3, .5]) || 'b' ; ß$1")).toEqual([
    ["word", "SELECT"],
    ["word", "f"],
    ["open", "("],
    ["quoted", '"a"'],
    ["comma", ","],
    ["word", "ARRAY"],
    ["open", "["],
    ["number", "1.5e-3"],
    ["comma", ","],
    ["number", ".5"],
    ["close", "]"],
    ["close", ")"],
    ["operator", "|"],
    ["operator", "|"],
    ["text", "'b'"],
    ["semicolon", ";"],
    ["word", "ß$1"],
  ]);
});

it.each([
  "'it''s'",
  "e'it\\'s'",
  "E'\\\\'",
  "b'01'",
  "X'1f'",
  "N'x'",
  "u&'\\0041''b'",
  "$$ ' \" -- $$",
  "$tag$ $$ $other$ $tag$",
  "'never closed",
  "E'never closed\\",
  "$x$ never closed $y$",
])("%s is one text", (text) => {
  expect(scanned(text)).toEqual([["text", text]]);
  if (!text.includes("never closed")) {
    expect(scanned(`a,${text}`).slice(2)).toEqual([["text", text]]);
    expect(scanned(`${text} b`)).toEqual([
      ["text", text],
      ["word", "b"],
    ]);
  }
});

it.each(['"a""b"', 'U&"\\0041"', 'u&"a""b"', '"(', '"never closed'])("%s is one name", (text) => {
  expect(scanned(text)).toEqual([["quoted", text]]);
});

it("comments and blanks are no tokens, and comments nest", () => {
  const words = [
    ["word", "a"],
    ["word", "b"],
  ];
  for (const text of [
    "a/**/b",
    "a /* 'x' */ b",
    "a/* x /* y */ z */b",
    "a/*/**/*//**/b",
    "a -- c\nb",
    "a--c\r b",
    "\f\v\ta\r\nb ",
    "a b--",
    "a b /* never closed /* */",
  ])
    expect([text, scanned(text)]).toEqual([text, words]);
});
