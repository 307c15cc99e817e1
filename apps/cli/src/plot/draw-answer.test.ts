import type { Release, ReleasedCell } from "@lethe/gateway";
import type { Element } from "happy-dom";
import { describe, expect, it } from "vitest";
import { all, marksOf, numberOf, parsedSvg, placeOf, pointsOf } from "../testing/parsed-svg.ts";
import { around, type KeyType, released } from "../testing/released-answer.ts";
import { chartOf } from "./answer-chart.ts";
import { drawAnswer } from "./draw-answer.ts";

const labels = (svg: string, what: string): number => svg.split(`aria-label="${what}"`).length - 1;

describe("what is drawn", () => {
  it("a total stands beside the group of a missing key, and is left out where its key is not shown", () => {
    const totalled = (release: Release): Release => ({
      ...release,
      groupings: release.rows.map((_, at) => ({ grouping: at < 2 ? 0 : 1, over: null })),
      certificate: {
        ...release.certificate,
        plan: { ...release.certificate.plan, groupings: [["text"], []] },
      },
    });
    const cells = [9, 1, 10].map((n) => [around(n), around(4)]);
    const shown = chartOf(
      totalled(
        released(
          ["text"],
          ["a", null, null].map((key, at) => [key, ...cells[at]!]),
        ),
      ),
    );
    expect(shown.panels[0]!.marks.map(({ key, value }) => [key, value])).toEqual([
      ["a", 9],
      ["(null)", 1],
      ["(all)", 10],
    ]);
    expect(shown.left).toEqual([]);
    const { panels, left } = chartOf(totalled(released([], cells)));
    expect(panels[0]!.marks.map(({ value }) => value)).toEqual([9]);
    expect(left).toEqual(["2 totals that would lie on another row: not drawn"]);
  });
  it("without keys: a panel a column, with its interval", async () => {
    const svg = await drawAnswer(chartOf(released([], [[around(9), around(4)]])));
    expect(labels(svg, "bar")).toBe(1);
    expect(labels(svg, "dot")).toBe(1);
    expect(labels(svg, "rule")).toBe(3);
    expect(svg).toContain(">n, mean<");
    expect(svg).toContain("95 % intervals, ε 0.5: SELECT &quot;a&quot; &lt; b &amp; c");
  });

  it("by a text: totals as bars, averages as dots, in the order of the answer", async () => {
    const rows = ["b", "a", null, ""].map((key) => [key, around(9), around(4)]);
    const chart = chartOf(released(["text"], rows));
    expect(chart.axis).toEqual({ name: "the text", kind: "category" });
    expect(chart.panels[0]!.marks.map(({ key }) => key)).toEqual(["b", "a", "(null)", "(empty)"]);
    const svg = await drawAnswer(chart);
    expect([labels(svg, "bar"), labels(svg, "dot")]).toEqual([1, 1]);
    expect(svg.indexOf(">b<")).toBeLessThan(svg.indexOf(">a<"));
  });

  it("by a number or a time: a line with its band, wherever the key stands", async () => {
    const years = [2012, 2010, null, 2011].map((year) => [year, around(9), around(4)]);
    const chart = chartOf(released(["number"], years));
    expect(chart.left).toEqual(["1 row whose the number has no place on the axis: not drawn"]);
    const svg = await drawAnswer(chart);
    expect([labels(svg, "line"), labels(svg, "area"), labels(svg, "bar")]).toEqual([2, 2, 0]);
    expect(svg).toContain(">2010<");
    const days = ["2024-03-01", "2024-03-02 12:00:00"].map((day) => ["x", day, around(9), around(4)]);
    const timed = chartOf(released(["text", "date"], days));
    expect(timed.axis).toMatchObject({ kind: "time" });
    expect(timed.panels[0]!.marks.map(({ key }) => key)).toEqual([
      Date.UTC(2024, 2, 1),
      Date.UTC(2024, 2, 2, 12),
    ]);
    expect(labels(await drawAnswer(timed), "area")).toBe(2);
  });

  it("a line of many numbers stays whole: its dots have no edge in the paper's colour", async () => {
    const edged = async (count: number): Promise<boolean> => {
      const years = Array.from({ length: count }, (_, i) => [1900 + i, around(9), around(4)]);
      return /aria-label="dot"[^>]* stroke="/.test(await drawAnswer(chartOf(released(["number"], years))));
    };
    expect([await edged(60), await edged(61)]).toEqual([true, false]);
  });

  it("by two keys: few series by colour, many on panels of their own with one scale", async () => {
    const cross = (count: number): ReleasedCell[][] =>
      Array.from({ length: count }, (_, s) =>
        ["x", "y"].map((key) => [key, `s${s}`, around(9 + s), around(4)]),
      ).flat();
    const few = await drawAnswer(chartOf(released(["text", "text"], cross(3))));
    expect(labels(few, "bar")).toBe(1);
    expect(few).toContain(">the text:<");
    expect(new Set(few.match(/<rect x="[\d.]+" y="[\d.]+" width="14"[^>]*fill="#\w+"/g)).size).toBe(3);
    const many = await drawAnswer(chartOf(released(["text", "text"], cross(7))));
    expect(labels(many, "bar")).toBe(7);
    expect(many).toContain(">n, s6 by the text<");
    expect(chartOf(released(["text", "text"], cross(20))).panels[0]!.marks).toHaveLength(24);
  });
});

it("lets no key, name or question become markup, or steer whoever reads the file", async () => {
  const hostile = ["<script>alert(1)</script>", '"><img src=x>', "a&b", "\u202e\u0007"];
  for (const types of [["text"], ["text", "text"]] as KeyType[][]) {
    const rows = hostile.map((key) => [...types.map(() => key), around(9), around(4)]);
    const svg = await drawAnswer(chartOf(released(types, rows)));
    expect(svg).not.toMatch(/<script|<img/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML has no place for
    expect(svg).not.toMatch(/[\u0000-\u0008\u202e]/);
    expect(svg).toContain("&lt;script&gt;");
  }
});

it("draws what has no interval, nothing, and many rows", async () => {
  const bare = [["a", { value: 3, lower: null, upper: null }, { value: null, lower: null, upper: null }]];
  const svg = await drawAnswer(chartOf(released(["text"], bare)));
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  expect(await drawAnswer(chartOf(released(["text"], [])))).toContain("no number was released");
  const chart = chartOf(
    released(
      ["number"],
      Array.from({ length: 500 }, (_, at) => [at, around(at), around(4)]),
    ),
  );
  expect(chart.left).toEqual(["100 rows beyond the first: not drawn"]);
});

/** The panels of a drawing of these rows, and the sheet that they lie on. */
async function drawnOf(release: Release): Promise<{ sheet: Element; panels: readonly Element[] }> {
  const sheet = parsedSvg(await drawAnswer(chartOf(release)));
  return { sheet, panels: all(sheet, "svg") };
}
const bottom = (panel: Element): number => numberOf(panel, "y") + numberOf(panel, "height");
/** Returns the texts below a height, from top to bottom. */
const textsBelow = (sheet: Element, y: number): readonly Element[] =>
  [...sheet.children].filter((each) => each.tagName.toLowerCase() === "text" && numberOf(each, "y") > y);
/** The words beside the ticks of an axis, and where each stands. */
const ticksOf = (panel: Element, axis: "x" | "y"): readonly (readonly [string, number])[] =>
  marksOf(panel, `${axis}-axis tick label`, "text").map((tick) => [
    tick.textContent,
    placeOf(tick)[axis === "x" ? 0 : 1],
  ]);

describe("the sheet of a drawing", () => {
  const rows = ["a", "b", "c"].flatMap((key) => ["s", "t"].map((of) => [key, of, around(9), around(4)]));

  it("has a panel below the other, each under its title, between equal margins, and ends soon after the last", async () => {
    for (const release of [
      released([], [[around(9), around(4)]]),
      released(["text"], [["a", around(9), around(4)]]),
      released(["number"], [[1, around(9), around(4)]]),
    ]) {
      const { sheet, panels } = await drawnOf(release);
      expect(panels).toHaveLength(2);
      const titles = all(sheet, "text").filter((text) => text.getAttribute("font-size") === "15");
      expect(titles.map((title) => title.textContent.split(" ")[0])).toEqual(["n", "mean"]);
      let above = 58;
      for (const [at, panel] of panels.entries()) {
        const title = numberOf(titles[at]!, "y");
        expect(title - above).toBeGreaterThanOrEqual(15);
        expect(numberOf(panel, "y")).toBeGreaterThan(title);
        expect(numberOf(panel, "y") - title).toBeLessThan(15);
        expect(2 * numberOf(panel, "x") + numberOf(panel, "width")).toBe(numberOf(sheet, "width"));
        above = bottom(panel);
      }
      expect(numberOf(sheet, "height")).toBeGreaterThan(above);
      expect(numberOf(sheet, "height")).toBeLessThan(above + 30);
      expect(sheet.getAttribute("viewBox")).toBe(`0 0 916 ${numberOf(sheet, "height")}`);
      expect(textsBelow(sheet, above)).toEqual([]);
    }
  });

  it("has room below its panels for the names of series, and below them for what was left out", async () => {
    const { sheet, panels } = await drawnOf(released(["text", "text"], rows));
    const last = bottom(panels.at(-1)!);
    const named = textsBelow(sheet, last);
    expect(named.map(({ textContent }) => textContent)).toEqual(["the text:", "s", "t"]);
    for (const text of named) {
      expect(numberOf(text, "y")).toBeGreaterThan(last + 12);
      expect(numberOf(text, "y")).toBeLessThan(numberOf(sheet, "height"));
    }
    const years = [[2010, "s", around(9), around(4)] as const, [null, "s", around(9), around(4)] as const];
    const both = await drawnOf(released(["number", "text"], years));
    const texts = textsBelow(both.sheet, bottom(both.panels.at(-1)!));
    expect(texts.map(({ textContent }) => textContent)).toEqual([
      "the text:",
      "s",
      "1 row whose the number has no place on the axis: not drawn",
    ]);
    const [, above, below] = texts.map((text) => numberOf(text, "y"));
    expect(below! - above!).toBeGreaterThanOrEqual(12);
    expect(below!).toBeLessThan(numberOf(both.sheet, "height"));
  });

  it("names series in a row from the left, none over another, each beside the colour of its marks", async () => {
    const names = ["a long name of a series", "t", "x".repeat(31), "y".repeat(32)];
    const crossed = names.map((name) => ["key", name, around(9), around(4)]);
    const { sheet, panels } = await drawnOf(released(["text", "text"], crossed));
    const swatches = all(sheet, "rect").filter((rect) => rect.getAttribute("width") === "14");
    const [head, ...texts] = textsBelow(sheet, bottom(panels.at(-1)!));
    expect(texts.map(({ textContent }) => textContent)).toEqual([...names.slice(0, 3), `${"y".repeat(30)}…`]);
    // A letter is about 7 wide, and nothing may touch.
    let taken = numberOf(head!, "x") + 6.5 * head!.textContent.length;
    for (const [at, swatch] of swatches.entries()) {
      const [left, text] = [numberOf(swatch, "x"), texts[at]!];
      expect(left).toBeGreaterThan(taken + 4);
      expect(left).toBeLessThan(taken + 40);
      expect(numberOf(text, "x")).toBeGreaterThan(left + 14);
      expect(numberOf(text, "x")).toBeLessThan(left + 30);
      expect(numberOf(text, "y") - numberOf(swatch, "y")).toBeGreaterThan(8);
      expect(numberOf(swatch, "y") + numberOf(swatch, "height")).toBeGreaterThanOrEqual(numberOf(text, "y"));
      taken = numberOf(text, "x") + 6.5 * text.textContent.length;
    }
    expect(swatches.map((swatch) => swatch.getAttribute("fill"))).toEqual(
      marksOf(panels[0]!, "bar", "rect").map((bar) => bar.getAttribute("fill")),
    );
  });
});

describe("a drawing by categories", () => {
  it("has bars from 0, as long as their totals, with the ends of each interval where they belong", async () => {
    const values = [10, 20, -5];
    const rows = values.map((value, at) => [`k${at}`, around(value)]);
    const { panels } = await drawnOf(released(["text"], rows, { n: "count" }));
    const [panel] = panels as [Element];
    const places = new Map(ticksOf(panel, "x"));
    const zero = places.get("0")!;
    const one = (places.get("10")! - zero) / 10;
    const x = (value: number): number => zero + one * value;
    expect(one).toBeGreaterThan(10);
    const bars = marksOf(panel, "bar", "rect");
    for (const [at, value] of values.entries()) {
      const [left, long] = ["x", "width"].map((name) => numberOf(bars[at]!, name));
      expect(left).toBeCloseTo(Math.min(x(0), x(value)), 6);
      expect(long).toBeCloseTo(Math.abs(x(value) - x(0)), 6);
    }
    const [axis, ...ranges] = marksOf(panel, "rule", "line");
    expect([numberOf(axis!, "x1"), numberOf(axis!, "x2")]).toEqual([zero, zero]);
    const ends = marksOf(panel, "tick", "line").map((line) => numberOf(line, "x1"));
    for (const [at, value] of values.entries()) {
      const [lo, hi] = ["x1", "x2"].map((name) => numberOf(ranges[at]!, name));
      expect(lo).toBeCloseTo(x(value - 2), 6);
      expect(hi).toBeCloseTo(x(value + 2), 6);
      expect([ends[at], ends[at + 3]]).toEqual([lo, hi]);
    }
  });

  it("has a row of its own for each key, a total's interval in ink, and averages as dots in the middle of theirs", async () => {
    const rows = ["a", "b", "c", "d"].map((key, at) => [key, around(9), around(10 * at + 5)]);
    const [totals, means] = (await drawnOf(released(["text"], rows))).panels as [Element, Element];
    const bars = marksOf(totals, "bar", "rect");
    let taken = 0;
    for (const bar of bars) {
      expect(numberOf(bar, "y")).toBeGreaterThan(taken + 2);
      expect(numberOf(bar, "height")).toBeGreaterThan(10);
      expect(numberOf(bar, "height")).toBeLessThan(24);
      taken = numberOf(bar, "y") + numberOf(bar, "height");
    }
    expect(taken).toBeLessThan(numberOf(totals, "height") - 30);
    const dots = marksOf(means, "dot", "circle");
    const ranges = marksOf(means, "rule", "line");
    expect(marksOf(means, "bar", "rect")).toEqual([]);
    expect([dots.length, ranges.length]).toEqual([4, 4]);
    for (const [at, dot] of dots.entries()) {
      const [lo, hi] = ["x1", "x2"].map((name) => numberOf(ranges[at]!, name));
      expect(numberOf(dot, "cx")).toBeCloseTo((lo! + hi!) / 2, 6);
      expect(ranges[at]!.getAttribute("stroke")).toBe(dot.getAttribute("fill"));
    }
    const far = [["a", around(100), around(100)]];
    const [total, mean] = (await drawnOf(released(["text"], far))).panels as [Element, Element];
    expect(ticksOf(total, "x")[0]![0]).toBe("0");
    expect(Number(ticksOf(mean, "x")[0]![0])).toBeGreaterThan(90);
  });

  it("gives names the room that they take, up to 31 letters", async () => {
    const start = async (name: string): Promise<[string, number]> => {
      const { panels } = await drawnOf(released(["text"], [[name, around(9)]], { n: "count" }));
      const [label] = marksOf(panels[0]!, "y-axis tick label", "text");
      return [label!.textContent, placeOf(label!)[0]];
    };
    const [short, shortRoom] = await start("ab");
    const [middle, middleRoom] = await start("m".repeat(20));
    const [whole, wholeRoom] = await start("w".repeat(31));
    const [cut, cutRoom] = await start("w".repeat(80));
    expect([short, middle, whole, cut]).toEqual(["ab", "m".repeat(20), "w".repeat(31), `${"w".repeat(30)}…`]);
    expect(shortRoom).toBeGreaterThanOrEqual(50);
    expect(shortRoom).toBeLessThan(80);
    expect(middleRoom).toBeGreaterThan(20 * 6.8);
    expect(middleRoom).toBeLessThan(20 * 6.8 + 30);
    expect(wholeRoom).toBeGreaterThan(210);
    expect(cutRoom).toBe(wholeRoom);
    expect(cutRoom).toBeLessThan(240);
  });

  it("writes each key once, be it alone or with series", async () => {
    const alone = ["north", "south"].map((key) => [key, around(9)]);
    const crossed = ["north", "south"].flatMap((key) => ["s", "t"].map((of) => [key, of, around(9)]));
    for (const release of [
      released(["text"], alone, { n: "count" }),
      released(["text", "text"], crossed, { n: "count" }),
    ]) {
      const { panels } = await drawnOf(release);
      const words = all(panels[0]!, "text").map(({ textContent }) => textContent);
      for (const key of ["north", "south"]) expect(words.filter((word) => word === key)).toEqual([key]);
      for (const of of ["s", "t"]) expect(words).not.toContain(of);
    }
  });

  it("draws no interval where there is none", async () => {
    const bare = [["a", { value: 3, lower: null, upper: null }] as const, ["b", around(3)] as const];
    const { panels } = await drawnOf(released(["text"], bare, { mean: "avg" }));
    expect(marksOf(panels[0]!, "dot", "circle")).toHaveLength(2);
    expect(marksOf(panels[0]!, "rule", "line")).toHaveLength(1);
    expect(marksOf(panels[0]!, "tick", "line")).toHaveLength(2);
  });
});

describe("a drawing along a scale", () => {
  it("goes through the values from left to right within the band of their intervals", async () => {
    const values = new Map([
      [2012, 10],
      [2010, 20],
      [2011, 14],
    ]);
    const rows = [...values].map(([year, value]) => [year, around(value)]);
    const { panels } = await drawnOf(released(["number"], rows, { n: "count" }));
    const [panel] = panels as [Element];
    const [xs, ys] = [new Map(ticksOf(panel, "x")), new Map(ticksOf(panel, "y"))];
    expect([...xs.keys()].sort()).toEqual(["2010", "2011", "2012"]);
    const unit = (ys.get("10")! - ys.get("0")!) / 10;
    const y = (value: number): number => ys.get("0")! + unit * value;
    expect(unit).toBeLessThan(-5);
    const years = [2010, 2011, 2012];
    const [line] = marksOf(panel, "line", "path").map(pointsOf);
    const [band] = marksOf(panel, "area", "path").map(pointsOf);
    const dots = marksOf(panel, "dot", "circle").map((dot) => [numberOf(dot, "cx"), numberOf(dot, "cy")]);
    for (const [at, year] of years.entries()) {
      const value = values.get(year)!;
      for (const [x, high] of [line![at]!, dots[at]!]) {
        expect(x).toBeCloseTo(xs.get(String(year))!, 2);
        expect(high).toBeCloseTo(y(value), 2);
      }
      const ends = band!.filter(([x]) => Math.abs(x - xs.get(String(year))!) < 0.01).map(([, high]) => high);
      expect(ends.sort((a, b) => a - b).map((end) => end.toFixed(1))).toEqual(
        [value + 2, value - 2].map((end) => y(end).toFixed(1)),
      );
    }
    expect(marksOf(panel, "rule", "line")).toEqual([]);
    expect(marksOf(panel, "x-axis label", "text").map(({ textContent }) => textContent)).toEqual([
      "the number →",
    ]);
  });

  it("shows the interval of an answer by itself, and none that is not known", async () => {
    const alone = await drawnOf(
      released(
        ["number", "text"],
        [
          [1, "s", around(9)],
          [1, "t", around(5)],
          [2, "t", around(6)],
        ],
        { n: "count" },
      ),
    );
    expect(marksOf(alone.panels[0]!, "rule", "line")).toHaveLength(1);
    const bare = [
      [1, { value: 3, lower: null, upper: null }] as const,
      [2, around(3)] as const,
      [3, around(4)] as const,
    ];
    const { panels } = await drawnOf(released(["number"], bare, { n: "count" }));
    expect(marksOf(panels[0]!, "dot", "circle")).toHaveLength(3);
    const [band] = marksOf(panels[0]!, "area", "path").map(pointsOf);
    expect(new Set(band!.map(([x]) => x)).size).toBe(2);
  });

  it("has a tick for each of few whole numbers, written out, and the usual ticks for many or for fractions", async () => {
    const ticks = async (keys: readonly number[]): Promise<readonly string[]> => {
      const rows = keys.map((key) => [key, around(9)]);
      const { panels } = await drawnOf(released(["number"], rows, { n: "count" }));
      return ticksOf(panels[0]!, "x").map(([word]) => word);
    };
    const from = (count: number): number[] => Array.from({ length: count }, (_, at) => 2000 + at);
    expect(await ticks(from(16))).toEqual(from(16).map(String));
    expect((await ticks(from(17))).length).toBeLessThan(17);
    expect(await ticks([1.5, 2, 4])).not.toEqual(["1.5", "2", "4"]);
    expect(await ticks([2020, 99_999])).toEqual(["2020", "99999"]);
    expect(await ticks([0, 100_000, 2_500_000])).toEqual(["0", "100k", "2.5M"]);
  });

  it("has room below for the key's name, and one line more where months stand above their years", async () => {
    const below = async (type: KeyType, keys: readonly ReleasedCell[]): Promise<number> => {
      const rows = keys.map((key) => [key, around(9)]);
      const { panels } = await drawnOf(released([type], rows, { n: "count" }));
      const [tick] = marksOf(panels[0]!, "x-axis tick label", "text");
      return numberOf(panels[0]!, "height") - placeOf(tick!)[1];
    };
    const number = await below("number", [1, 2]);
    expect(number).toBeGreaterThan(36);
    expect(await below("date", ["2024-01-01", "2024-06-01"])).toBeGreaterThanOrEqual(number + 10);
  });

  it("has months and years for ticks where its key is a time, at the place of each", async () => {
    const days = ["2024-01-01", "2024-03-01", "2024-02-01"].map((day) => [day, around(9)]);
    const { panels } = await drawnOf(released(["date"], days, { n: "count" }));
    expect(ticksOf(panels[0]!, "x").map(([word]) => word)).toContainEqual(expect.stringContaining("Jan"));
    const dots = marksOf(panels[0]!, "dot", "circle").map((dot) => numberOf(dot, "cx"));
    expect(dots).toHaveLength(3);
    // January has 31 days, February of 2024 has 29.
    expect((dots[1]! - dots[0]!) / (dots[2]! - dots[1]!)).toBeCloseTo(31 / 29, 6);
  });

  it("has smaller dots without a rim where more than 60 would cut the line", async () => {
    const dot = async (count: number): Promise<readonly [number, string | null]> => {
      const rows = Array.from({ length: count }, (_, at) => [at, around(9)]);
      const { panels } = await drawnOf(released(["number"], rows, { n: "count" }));
      const [group] = all(panels[0]!, '[aria-label="dot"]');
      return [numberOf(group!.querySelector("circle")!, "r"), group!.getAttribute("stroke")];
    };
    const [few, many] = [await dot(60), await dot(61)];
    expect(few).toEqual([3, "#ffffff"]);
    expect(many[0]).toBeLessThan(2);
    expect(many[0]).toBeGreaterThan(1);
    expect(many[1]).toBeNull();
  });
});

describe("more series than colours", () => {
  const names = ["s0", "s1", "s2", "s3", "s4", "s5"];

  it("stand on panels of their own on one scale, and five still share one", async () => {
    const rows = names.map((name, at) => ["key", name, around(10 * at + 10)]);
    const shared = await drawnOf(released(["text", "text"], rows.slice(0, 5), { n: "count" }));
    expect(shared.panels).toHaveLength(1);
    const fills = marksOf(shared.panels[0]!, "bar", "rect").map((bar) => bar.getAttribute("fill"));
    expect(new Set(fills).size).toBe(5);

    const { sheet, panels } = await drawnOf(released(["text", "text"], rows, { n: "count" }));
    expect(panels).toHaveLength(6);
    expect(all(sheet, "rect").filter((rect) => rect.getAttribute("width") === "14")).toEqual([]);
    const bars = panels.map((panel) => marksOf(panel, "bar", "rect"));
    expect(bars.map((each) => each.length)).toEqual(Array(6).fill(1));
    const long = bars.map(([bar]) => numberOf(bar!, "width"));
    for (const [at, each] of long.entries()) expect(each / long[0]!).toBeCloseTo(at + 1, 6);
    expect(new Set(bars.map(([bar]) => bar!.getAttribute("fill")))).toEqual(new Set([fills[0]]));
  });

  it("leave out the panel of a series of which no value is known", async () => {
    const unknown = { value: null, lower: null, upper: null };
    const rows = names.map((name, at) => ["key", name, at === 2 ? unknown : around(9)]);
    const { sheet, panels } = await drawnOf(released(["text", "text"], rows, { n: "count" }));
    expect(panels).toHaveLength(5);
    const titles = all(sheet, "text").filter((text) => text.getAttribute("font-size") === "15");
    expect(titles.map(({ textContent }) => textContent)).toEqual(
      names.filter((name) => name !== "s2").map((name) => `n, ${name} by the text`),
    );
  });

  it("have the same places and heights along a scale, whichever keys each of them has", async () => {
    const rows = names.map((name, at) => [at, name, around(100 + 10 * at)]);
    const { panels } = await drawnOf(released(["number", "text"], rows, { mean: "avg" }));
    expect(panels).toHaveLength(6);
    const dots = panels.map((panel) => marksOf(panel, "dot", "circle")[0]!);
    const step = (name: string, at: number): number =>
      numberOf(dots[at + 1]!, name) - numberOf(dots[at]!, name);
    for (const at of [0, 1, 2, 3, 4]) {
      expect(step("cx", at)).toBeCloseTo(step("cx", 0), 6);
      expect(step("cy", at)).toBeCloseTo(step("cy", 0), 6);
    }
    expect(step("cx", 0)).toBeGreaterThan(50);
    expect(step("cy", 0)).toBeLessThan(-5);
    const [panel] = panels as [Element];
    const [range] = marksOf(panel, "rule", "line");
    expect(Math.abs(numberOf(range!, "y1") - numberOf(range!, "y2"))).toBeCloseTo(-0.4 * step("cy", 0), 6);
  });

  it("lie on scales that hold every interval, and for totals 0", async () => {
    const rows = names.map((name) => [1, name, around(100)]);
    const heights = async (kind: string): Promise<readonly string[]> => {
      const { panels } = await drawnOf(released(["number", "text"], rows, { n: kind }));
      return ticksOf(panels[0]!, "y").map(([word]) => word);
    };
    expect((await heights("sum"))[0]).toBe("0");
    const [least, ...others] = (await heights("avg")).map(Number);
    expect(least).toBeLessThanOrEqual(98);
    expect(least).toBeGreaterThan(90);
    expect(others.at(-1)).toBeGreaterThanOrEqual(102);
  });
});
