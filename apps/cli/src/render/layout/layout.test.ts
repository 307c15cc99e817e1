import { expect, it } from "vitest";
import { renderGrid } from "../grid.ts";
import { width } from "../printable.ts";
import { wrap, wrapFact, wrapPage } from "./wrap.ts";

const rows = [
  ["manufacturing", "12,345", "a long text that says something of the first row, and more"],
  ["c", "6", "—"],
];
const grid = (columns: number): readonly string[] =>
  renderGrid(["sector", "n", "note"], rows, [false, true, false], columns).split("\n");

it("a table follows the width: text is wrapped, numbers are not", () => {
  expect(grid(Number.POSITIVE_INFINITY)).toHaveLength(4);
  for (const columns of [140, 80, 60, 40]) {
    const lines = grid(columns);
    for (const line of lines) expect(width(line), line).toBeLessThanOrEqual(columns);
    expect(lines.join("\n")).toContain("12,345");
    expect(lines.join(" ").replace(/\s+/g, " ")).toContain("first row, and");
  }
  expect(grid(80)[2]).toMatch(/^manufacturing {2}12,345 {2}a long text/);
});

it("a table too wide for that becomes lines of a name and a value", () => {
  const lines = renderGrid(["one", "two"], [["1234567890", "12345678901234"]], [true, true], 20).split("\n");
  expect(lines).toEqual(["one  1234567890", "two  12345678901234"]);
});

it("words stay whole where they fit, and facts stand below their name", () => {
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrap("abcdefgh", 3)).toEqual(["abc", "def", "gh"]);
  expect(wrapFact(`Left    ${"word ".repeat(8).trim()}`, 30)).toBe(
    "Left    word word word word\n        word word word word",
  );
  expect(wrapFact("short", 30)).toBe("short");
});

it("a page is wrapped below its words, and a drawn tree keeps its strokes", () => {
  const words = "word ".repeat(6).trim();
  const page = [
    `Price   ${words}`,
    "└─ group",
    `   │   ${words}`,
    `   ├─ ${words}`,
    `      └─ ${words}`,
    `  ${words}`,
  ];
  expect(wrapPage(page.join("\n"), 32).split("\n")).toEqual([
    "Price   word word word word word",
    "        word",
    "└─ group",
    "   │   word word word word",
    "   │     word word",
    "   ├─ word word word word word",
    "   │    word",
    "      └─ word word word word",
    "           word word",
    "  word word word word word word",
  ]);
  expect(wrapPage(page.join("\n"), Number.POSITIVE_INFINITY)).toBe(page.join("\n"));
});
