import { StringStream } from "@codemirror/language";
import { expect, test } from "vitest";
import { token } from "./sql-language.ts";

/** The words of a text, each with its kind, as the editor reads them: line after line. */
function kindsOf(text: string): readonly string[] {
  const open = { until: null };
  return text.split("\n").flatMap((line) => {
    const found: string[] = [];
    const stream = new StringStream(line, 2, 2);
    while (!stream.eol()) {
      stream.start = stream.pos;
      const kind = token(stream, open);
      expect(stream.pos).toBeGreaterThan(stream.start);
      if (kind !== null) found.push(`${kind} ${stream.current()}`);
    }
    return found;
  });
}

test("keywords, whatever their case, and no names that hold one", () => {
  expect(kindsOf("select Selected, from_x FROM people")).toEqual(["keyword select", "keyword FROM"]);
});

test("texts, quoted names, numbers and truths", () => {
  expect(kindsOf(`'a' "select" 1.5e-3 .5 TRUE null`)).toEqual([
    "string 'a'",
    'string.special "select"',
    "number 1.5e-3",
    "number .5",
    "bool TRUE",
    "bool null",
  ]);
  expect(kindsOf("'it''s' FROM")).toEqual(["string 'it'", "string 's'", "keyword FROM"]);
});

test("comments to the end of the line, and texts and comments over lines", () => {
  expect(kindsOf("1 -- FROM 'x\nFROM")).toEqual(["number 1", "comment -- FROM 'x", "keyword FROM"]);
  expect(kindsOf("/* a\nFROM */ FROM")).toEqual(["comment /* a", "comment FROM */", "keyword FROM"]);
  expect(kindsOf("'a\nFROM' FROM")).toEqual(["string 'a", "string FROM'", "keyword FROM"]);
});
