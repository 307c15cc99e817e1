import type { Estimate, Release, ReleasedCell, ReleasedColumn } from "@lethe/gateway";
import { describe, expect, it } from "vitest";
import { chartOf } from "./answer-chart.ts";
import { drawAnswer } from "./draw-answer.ts";

const around = (value: number): Estimate => ({ value, lower: value - 2, upper: value + 2 });

type KeyType = "text" | "number" | "date" | "boolean";

/** A release of COUNT(*) AS n and AVG(x) AS mean by keys of these types, as far as a chart looks at one. */
function released(types: readonly KeyType[], rows: readonly (readonly ReleasedCell[])[]): Release {
  const columns: ReleasedColumn[] = [
    ...types.map((type): ReleasedColumn => ({ name: `the ${type}`, kind: "key" })),
    { name: "n", kind: "aggregate" },
    { name: "mean", kind: "aggregate" },
  ];
  const plan = {
    text: 'SELECT "a" < b & c',
    outputs: [
      ...types.map((_, key) => ({ kind: "key", key })),
      { kind: "aggregate", aggregate: 0 },
      { kind: "aggregate", aggregate: 1 },
    ],
    aggregates: [{ kind: "count" }, { kind: "avg" }],
    keys: { expressions: types.map((type) => ({ domain: { type } })) },
  };
  const certificate = { plan, confidence: 0.95, charge: { measure: "pure", epsilon: "1/2" } };
  return { columns, rows, certificate } as unknown as Release;
}

const labels = (svg: string, what: string): number => svg.split(`aria-label="${what}"`).length - 1;

describe("what is drawn", () => {
  it("a total stands beside the group of a missing key, and is left out where its key is not shown", () => {
    const totalled = (release: Release): Release => ({
      ...release,
      groupings: release.rows.map((_, at) => ({ grouping: at < 2 ? 0 : 1, over: null })),
      certificate: {
        ...release.certificate,
        plan: { ...release.certificate.plan, groupings: [[0], []] },
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
    expect(chart.left).toEqual(["1 row whose the number is no place on the axis: not drawn"]);
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
