import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { printable } from "../render/printable.ts";
import { code, markdown, paragraph, plain, points, table } from "./markdown.ts";

// Some readers link an address that stands in a text: it leads where it says.
const reader = new MarkdownIt({ html: true, linkify: false });

/** The texts and tags that a reader makes of Markdown. */
function read(text: string): { readonly words: readonly string[]; readonly tags: ReadonlySet<string> } {
  const words: string[] = [];
  const tags = new Set<string>();
  for (const token of reader.parse(text, {}))
    for (const inner of [token, ...(token.children ?? [])]) {
      tags.add(inner.tag || inner.type);
      if (["text", "code_inline", "text_special"].includes(inner.type)) words.push(inner.content);
    }
  return { words, tags };
}

const hostile = [
  "# not a heading",
  "a | b",
  "<script>alert(1)</script>",
  "![x](javascript:alert(1))",
  "[ok](https://elsewhere.example)",
  "**verified** _by_ ~~nobody~~ `code`",
  "1. first",
  "- - item",
  "> quoted",
  "&lt;b&gt;",
  "\\",
  "`` ` ``",
  "line\nbreak",
  "--- | ---",
  "\u202eright to left",
];
const texts = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: fc.constantFrom(..."ab1 .#*_|<>[]()`~&!\\-+=\n\u202e:é") }),
);

/** One line, blanks at its ends left out, as a reader of Markdown shows it. */
const shown = (text: string): string => printable(text).replace(/\s+/g, " ").trim();

describe("somebody else's text", () => {
  it("is shown as it is in a cell, a point and a paragraph, and obeyed nowhere", () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(shown(text) !== "");
        const cell = read(markdown([table(["column"], [[plain(text)]])]));
        const point = read(markdown([points([`Limit: ${plain(text)}`])]));
        const block = read(markdown([paragraph(`Meant for: ${plain(text)}`)]));
        for (const { words, tags } of [cell, point, block]) {
          expect(words.join("").replace(/\s+/g, " ")).toContain(shown(text));
          for (const tag of tags)
            expect([
              "table",
              "thead",
              "tbody",
              "tr",
              "th",
              "td",
              "ul",
              "li",
              "p",
              "inline",
              "text",
              "text_special",
            ]).toContain(tag);
        }
      }),
      { numRuns: 2000, seed: 3 },
    );
  });

  it("is shown as it is as code, in a cell too", () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(shown(text) !== "");
        const { words, tags } = read(markdown([table(["column"], [[code(text)]])]));
        expect(words.join("").replace(/\s+/g, " ")).toContain(shown(text));
        expect(
          [...tags].filter(
            (tag) => !["table", "thead", "tbody", "tr", "th", "td", "inline", "text", "code"].includes(tag),
          ),
        ).toEqual([]);
        expect(tags.has("code")).toBe(true);
      }),
      { numRuns: 2000, seed: 4 },
    );
  });

  it("would be obeyed without that", () => {
    const obeyed = hostile.filter((text) => {
      const { tags } = read(markdown([points([text])]));
      return [...tags].some((tag) => !["ul", "li", "p", "inline", "text"].includes(tag));
    });
    expect(obeyed.length).toBeGreaterThan(7);
  });
});
