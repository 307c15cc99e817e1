import type { Element } from "happy-dom";
import { describe, expect, it } from "vitest";
import { scaleOf } from "../testing/drawn-charts.ts";
import { all, marksOf, numberOf, parsedSvg, placeOf, pointsOf } from "../testing/parsed-svg.ts";
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
    expect([2e-6, 0.5, 10.001, 9.999].map(powerOfTen)).toEqual(["", "", "", ""]);
  });

  it("write large numbers short", () => {
    const written = new Map([
      [0, "0"],
      [0.1, "0.1"],
      [0.30000000000000004, "0.3"],
      [2500, "2500"],
      [9999, "9999"],
      [10_000, "10k"],
      [12_340, "12.3k"],
      [-12_000, "-12k"],
      [999_999, "1000k"],
      [1e6, "1M"],
      [2.5e6, "2.5M"],
      [1e9, "1G"],
      [-2e9, "-2G"],
    ]);
    for (const [x, text] of written) expect(shortNumber(x)).toBe(text);
  });
});

describe("the places of a drawing", () => {
  const panelsOf = async (
    figures: readonly Figure[],
  ): Promise<{ sheet: Element; panels: readonly Element[] }> => {
    const sheet = parsedSvg(await drawFigures(figures, words));
    return { sheet, panels: all(sheet, "svg") };
  };
  const plain: Figure = { ...figure, mark: null };

  it("are below the titles and above the legend, with room for each panel's own title", async () => {
    const { sheet, panels } = await panelsOf([plain, { ...plain, title: "Another" }]);
    const texts = all(sheet, "text").filter((text) => text.parentElement === sheet);
    const sized = (size: string): readonly Element[] =>
      texts.filter((text) => text.getAttribute("font-size") === size);
    const below = numberOf(panels[0]!, "y") + numberOf(panels[0]!, "height");
    expect(sized("15").map(({ textContent }) => textContent)).toEqual(["Growth & decay", "Another"]);
    for (const [at, title] of sized("15").entries()) {
      expect(numberOf(title, "y")).toBeLessThan(numberOf(panels[at]!, "y"));
      expect(numberOf(title, "y")).toBeGreaterThan(58 + 15);
      expect(numberOf(title, "x") - numberOf(panels[at]!, "x")).toBeLessThan(10);
    }
    expect(sized("12")).toHaveLength(3);
    for (const name of sized("12")) {
      expect(numberOf(name, "y")).toBeGreaterThan(below + 12);
      expect(numberOf(name, "y")).toBeLessThan(numberOf(sheet, "height"));
    }
    expect(numberOf(sheet, "height") - below).toBeLessThan(80);
  });

  it("of claims follow their safe ends: the upper one, and the lower one on a trade-off, in a band of both", async () => {
    const interval: Figure = { ...plain, lines: plain.lines.slice(0, 1) };
    const { panels } = await panelsOf([interval, { ...interval, id: "tradeoff" }]);
    for (const [at, end] of (["upper", "lower"] as const).entries()) {
      const [x, y] = [scaleOf(panels[at]!, "x", Number), scaleOf(panels[at]!, "y", Number)];
      const [line] = marksOf(panels[at]!, "line", "path").map(pointsOf);
      expect(line).toHaveLength(3);
      for (const [i, point] of points.entries()) {
        expect(line![i]![0]).toBeCloseTo(x(point.x), 2);
        expect(line![i]![1]).toBeCloseTo(y(point[end]), 2);
      }
      const [band] = marksOf(panels[at]!, "area", "path").map(pointsOf);
      for (const [i, point] of points.entries())
        expect(
          band!
            .filter(([left]) => Math.abs(left - line![i]![0]) < 0.01)
            .map(([, high]) => high.toFixed(1))
            .sort(),
        ).toEqual([point.lower, point.upper].map((value) => y(value).toFixed(1)).sort());
      expect(y(0) - y(1)).toBeGreaterThan(150);
      expect(x(3) - x(0)).toBeGreaterThan(200);
    }
  });

  it("begin at 0 on a linear axis, and a logarithmic one has powers of ten", async () => {
    const far = [
      { x: 100, lower: 50, upper: 60 },
      { x: 120, lower: 70, upper: 90 },
    ];
    const linear = { ...plain, lines: [{ name: "PLD", kind: "bound", points: far }] } as const;
    const tiny = [1e-12, 1e-6, 1e-1].map((x) => ({ x, lower: 1, upper: 2 }));
    const log = {
      ...plain,
      x: { label: "δ", scale: "log" },
      lines: [{ name: "PLD", kind: "bound", points: tiny }],
    } as const;
    const { panels } = await panelsOf([linear, log]);
    const ticks = (panel: Element, axis: string): readonly string[] =>
      marksOf(panel, `${axis}-axis tick label`, "text").map(({ textContent }) => textContent);
    expect(ticks(panels[0]!, "x")[0]).toBe("0");
    expect(ticks(panels[0]!, "y")[0]).toBe("0");
    const powers = ticks(panels[1]!, "x").filter((word) => word !== "");
    expect(powers.length).toBeGreaterThan(2);
    for (const word of powers) expect(word).toMatch(/^10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+$/);
    const band = marksOf(panels[0]!, "area", "path");
    expect(band).toEqual([]);
  });

  it("of references are thin, grey and dashed, each name by its own dashes, as the legend shows them", async () => {
    const references = (["guessing", "(ε, δ) alone"] as const).map(
      (name) => ({ name, kind: "reference", points }) as const,
    );
    const { sheet, panels } = await panelsOf([{ ...plain, lines: [plain.lines[0]!, ...references] }]);
    const groups = all(panels[0]!, '[aria-label="line"]');
    const looks = groups.map((group) => [
      group.getAttribute("stroke"),
      group.getAttribute("stroke-dasharray"),
      numberOf(group, "stroke-width") < 2,
    ]);
    expect(looks[0]).toEqual(["#14508c", null, false]);
    expect(looks.slice(1).map(([stroke, , thin]) => [stroke, thin])).toEqual(
      Array(2).fill(["#59636e", true]),
    );
    const dashes = looks.map(([, dash]) => dash);
    expect(new Set(dashes).size).toBe(3);
    const legend = all(sheet, "line").filter((line) => line.parentElement === sheet);
    expect(legend.map((line) => line.getAttribute("stroke-dasharray"))).toEqual(dashes);
    expect(legend.map((line) => line.getAttribute("stroke"))).toEqual(looks.map(([stroke]) => stroke));
  });

  it("of the legend lie in a row from the left, every name once, none over another", async () => {
    const { sheet } = await panelsOf([plain, { ...plain, id: "tradeoff" }]);
    const lines = all(sheet, "line").filter((line) => line.parentElement === sheet);
    const texts = all(sheet, "text").filter(
      (text) => text.getAttribute("font-size") === "12" && text.parentElement === sheet,
    );
    expect(texts.map(({ textContent }) => textContent)).toEqual([
      "PLD (interval)",
      "Rényi (upper bound)",
      "nothing",
    ]);
    let taken = 0;
    for (const [at, line] of lines.entries()) {
      const [from, to, text] = [numberOf(line, "x1"), numberOf(line, "x2"), texts[at]!];
      expect(from).toBeGreaterThan(taken + 8);
      expect(from).toBeLessThan(taken + 60);
      expect(to - from).toBeGreaterThan(15);
      expect(numberOf(text, "x")).toBeGreaterThan(to + 2);
      expect(numberOf(text, "x")).toBeLessThan(to + 20);
      expect(numberOf(line, "y1")).toBe(numberOf(line, "y2"));
      expect(numberOf(text, "y") - numberOf(line, "y1")).toBeGreaterThan(1);
      expect(numberOf(text, "y") - numberOf(line, "y1")).toBeLessThan(10);
      taken = numberOf(text, "x") + 6.5 * text.textContent.length;
    }
  });

  it("of an interval too thin to be seen are told in the legend, judged by every interval", async () => {
    const thin = points.map(({ x, upper }) => ({ x, lower: upper - 0.002, upper }));
    const named = async (...kinds: (readonly { x: number; lower: number; upper: number }[])[]) => {
      const lines = kinds.map((points, at) => ({ name: `L${at}`, kind: "interval", points }) as const);
      const { sheet } = await panelsOf([{ ...plain, lines }]);
      return all(sheet, "text").map(({ textContent }) => textContent);
    };
    expect(await named(thin)).toContain("L0 (interval, thinner than its line)");
    expect(await named(points)).toContain("L0 (interval)");
    expect(await named(thin, points)).toContain("L0 (interval)");
    const endless = [...thin, { x: 4, lower: 0, upper: Number.POSITIVE_INFINITY }];
    expect(await named(endless)).toContain("L0 (interval, thinner than its line)");
    // A line of the panel is one of 340 of its height.
    const wide = points.map(({ x, upper }) => ({ x, lower: upper - 0.004, upper }));
    expect(await named(wide)).toContain("L0 (interval)");
  });

  it("of a mark are a dot at its point with its words beside: under the curve, but never on the axis", async () => {
    const marked = (id: Figure["id"], y: number): Figure => ({
      ...plain,
      id,
      mark: { x: 2, y, text: "here" },
    });
    const { panels } = await panelsOf([
      marked("growth", 0.9),
      marked("epsilon-of-delta", 0.9),
      marked("epsilon-of-delta", 0.1),
    ]);
    const seen = panels.map((panel) => {
      const [dot] = marksOf(panel, "dot", "circle");
      const [text] = marksOf(panel, "text", "text");
      const group = text!.parentElement!;
      const [x, y] = [scaleOf(panel, "x", Number), scaleOf(panel, "y", Number)];
      expect(numberOf(dot!, "cx")).toBeCloseTo(x(2), 6);
      expect([0.9, 0.1].some((value) => Math.abs(numberOf(dot!, "cy") - y(value)) < 1e-6)).toBe(true);
      const shift = placeOf(group);
      return {
        anchor: group.getAttribute("text-anchor") ?? text!.getAttribute("text-anchor"),
        right: shift[0] > 0,
        below: shift[1] > 0,
      };
    });
    expect(seen).toEqual([
      { anchor: "start", right: true, below: true },
      { anchor: "end", right: false, below: true },
      { anchor: "start", right: true, below: false },
    ]);
  });

  it("of a mark are judged by the claims that are drawn, of which an infinite one is none", async () => {
    const endless = [...points, { x: 4, lower: 0, upper: Number.POSITIVE_INFINITY }];
    const { panels } = await panelsOf([
      {
        ...plain,
        id: "epsilon-of-delta",
        lines: [{ name: "PLD", kind: "bound", points: endless }],
        mark: { x: 2, y: 0.9, text: "here" },
      },
    ]);
    const [text] = marksOf(panels[0]!, "text", "text");
    expect(placeOf(text!.parentElement!)[0]).toBeLessThan(0);
  });

  it("of a mark of no finite place are none", async () => {
    for (const [x, y] of [
      [2, Number.POSITIVE_INFINITY],
      [Number.POSITIVE_INFINITY, 0.5],
    ] as const) {
      const { panels } = await panelsOf([{ ...plain, mark: { x, y, text: "here" } }]);
      expect(marksOf(panels[0]!, "dot", "circle")).toEqual([]);
    }
  });

  it("of lines break off where a claim is infinite or has no place on a logarithmic axis", async () => {
    const odd = [
      { x: 0, lower: 0, upper: 1 },
      { x: 1e-6, lower: 0, upper: Number.POSITIVE_INFINITY },
      { x: 1e-3, lower: 0, upper: 2 },
      { x: 1, lower: 0, upper: 1 },
    ];
    const line = { name: "PLD", kind: "bound", points: odd } as const;
    const { panels } = await panelsOf([
      { ...plain, x: { label: "δ", scale: "log" }, lines: [line] },
      { ...plain, id: "tradeoff", lines: [line] },
      { ...plain, lines: [line] },
    ]);
    const drawn = panels.map((panel) => marksOf(panel, "line", "path").flatMap(pointsOf).length);
    // On a trade-off the lower end is the claim, which is finite everywhere.
    expect(drawn).toEqual([2, 4, 3]);
  });
});
