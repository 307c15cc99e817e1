import { describe, expect, it } from "vitest";
import { drawFigures, powerOfTen, shortNumber } from "./draw-figures.ts";
import type { Figure } from "./figure.ts";

const points = [
  { x: 1, lower: 0.5, upper: 0.6 },
  { x: 2, lower: 0.7, upper: 0.9 },
  { x: 3, lower: 0.9, upper: 1 },
];
const figure: Figure = {
  id: "growth",
  title: "Growth & decay",
  x: { label: "steps", scale: "linear" },
  y: { label: "ε", scale: "linear" },
  lines: [
    { name: "PLD", kind: "interval", points },
    { name: "Rényi", kind: "bound", points },
    { name: "nothing", kind: "reference", points },
  ],
  mark: { x: 2, y: 0.9, text: "here" },
};
const words = { title: '<script>"a" & b</script>', subtitle: "σ 1.1" };

describe("a drawing of figures", () => {
  it("is one SVG of a panel each, with title, axes, legend, a band for an interval and a mark", async () => {
    const svg = await drawFigures([figure, { ...figure, id: "tradeoff", mark: null }], words);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*role="img"/);
    expect(svg.match(/<svg /g)).toHaveLength(3);
    expect(svg.match(/aria-label="area"/g)).toHaveLength(2);
    expect(svg.match(/aria-label="dot"/g)).toHaveLength(1);
    expect(svg.match(/>here</g)).toHaveLength(1);
    for (const text of [
      "Growth &amp; decay",
      "PLD (interval)",
      "Rényi (upper bound)",
      ">nothing<",
      "steps →",
      "↑ ε",
    ])
      expect(svg).toContain(text);
    expect(svg).toContain("&lt;script&gt;&quot;a&quot; &amp; b&lt;/script&gt;");
    expect(svg).not.toContain("<script");
  });

  it("has room for every panel beside the others", async () => {
    const svg = await drawFigures([figure, figure, figure], words);
    const opened = svg.match(/<svg [^>]*>/g)!;
    const number = (tag: string, name: string): number =>
      Number(new RegExp(` ${name}="(\\d+)"`).exec(tag)![1]);
    const [sheet, ...panels] = opened.map((tag, at) => ({
      left: at === 0 ? 0 : number(tag, "x"),
      width: number(tag, "width"),
    }));
    expect(panels).toHaveLength(3);
    let taken = 0;
    for (const { left, width } of panels) {
      expect(left).toBeGreaterThanOrEqual(taken);
      taken = left + width;
    }
    expect(sheet!.width - taken).toBe(panels[0]!.left);
  });

  it("gives a name the same colour on every panel, and unlike names unlike ones", async () => {
    const swapped = { ...figure, lines: [...figure.lines].reverse() };
    const svg = await drawFigures([figure, swapped], words);
    const strokes = [...svg.matchAll(/<g aria-label="line"[^>]*stroke="(#\w+)"/g)].map(
      ([, stroke]) => stroke,
    );
    expect(strokes).toHaveLength(6);
    expect(strokes.slice(3)).toEqual(strokes.slice(0, 3).reverse());
    expect(new Set(strokes).size).toBe(3);
  });

  it("leaves out what has no place: infinite claims, 0 on a logarithmic axis", async () => {
    const odd = [
      { x: 0, lower: 0, upper: 1 },
      { x: 1e-6, lower: 0, upper: Number.POSITIVE_INFINITY },
      ...points,
    ];
    const svg = await drawFigures(
      [
        {
          ...figure,
          id: "epsilon-of-delta",
          x: { label: "δ", scale: "log" },
          lines: [{ name: "PLD", kind: "interval", points: odd }],
        },
      ],
      words,
    );
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    const nothing = await drawFigures(
      [{ ...figure, lines: [], mark: { x: 1, y: Number.POSITIVE_INFINITY, text: "∞" } }],
      words,
    );
    expect(nothing).not.toMatch(/NaN|Infinity|undefined|aria-label="dot"/);
  });
});

describe("the words of an axis", () => {
  it("write powers of ten, and nothing between them", () => {
    expect([1e-12, 1e-6, 0.1, 1, 1e15].map(powerOfTen)).toEqual(["10⁻¹²", "10⁻⁶", "10⁻¹", "10⁰", "10¹⁵"]);
    expect([2e-6, 0.5].map(powerOfTen)).toEqual(["", ""]);
  });

  it("write large numbers short", () => {
    expect([0, 0.1, 0.30000000000000004, 2500, 12_000, 2.5e6, 1e9].map(shortNumber)).toEqual([
      "0",
      "0.1",
      "0.3",
      "2500",
      "12k",
      "2.5M",
      "1G",
    ]);
  });
});
