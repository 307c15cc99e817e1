import type { Release, ReleasedCell } from "@lethe/gateway";
import { expect, it } from "vitest";
import { around, type KeyType, released } from "../testing/released-answer.ts";
import { type AnswerChart, chartOf } from "./answer-chart.ts";

const cells: readonly ReleasedCell[] = [around(9), around(4)];
/** The chart of a row for each list of keys. */
const byKeys = (types: readonly KeyType[], ...keys: readonly (readonly ReleasedCell[])[]): AnswerChart =>
  chartOf(
    released(
      types,
      keys.map((key) => [...key, ...cells]),
    ),
  );
const keysOf = (chart: AnswerChart): readonly unknown[] => chart.panels[0]!.marks.map(({ key }) => key);

it("the axis is the first key that lies on a scale, else the first key; the others name series", () => {
  const chart = byKeys(["text", "number", "boolean"], ["a", 1, true], ["b", 2, false], ["a", 3, true]);
  expect(chart.axis).toEqual({ name: "the number", kind: "number" });
  expect(chart.seriesOf).toBe("the text · the boolean");
  expect(chart.series).toEqual(["a · true", "b · false"]);
  expect(chart.panels[0]!.marks.map(({ series }) => series)).toEqual(["a · true", "b · false", "a · true"]);
  expect(byKeys(["text", "boolean"], ["a", true])).toMatchObject({
    axis: { name: "the text", kind: "category" },
    seriesOf: "the boolean",
    series: ["true"],
  });
  expect(byKeys(["text"], ["a"])).toMatchObject({ series: [], seriesOf: null });
  expect(byKeys([], [])).toMatchObject({ axis: null, series: [], seriesOf: null, left: [] });
});

it("times are places on their scale, in UTC, however they are written", () => {
  const noon = Date.UTC(2024, 2, 1, 12);
  expect(byKeys(["timestamp"], ["2024-03-01"]).axis).toEqual({ name: "the timestamp", kind: "time" });
  const words = ["2024-03-01", "2024-03-01 12:00:00", "2024-03-01T12:00:00Z", "2024-03-01T12:00:00", noon];
  expect(keysOf(byKeys(["timestamp"], ...words.map((word) => [word])))).toEqual([
    Date.UTC(2024, 2, 1),
    noon,
    noon,
    noon,
    noon,
  ]);
  expect(byKeys(["date"], ["2024-03-01"]).axis!.kind).toBe("time");
});

it("keys that are no place on a scale are left out, and said by number", () => {
  const odd: readonly ReleasedCell[] = [null, { other: true }, true, "soon", Number.NaN];
  const chart = byKeys(["number"], ...odd.map((key) => [key]), [7], ["9007199254740993"]);
  expect(keysOf(chart)).toEqual([7, 2 ** 53]);
  expect(chart.left).toEqual(["5 rows whose the number has no place on the axis: not drawn"]);
  expect(byKeys(["date"], ["soon"]).left).toEqual([
    "1 row whose the date has no place on the axis: not drawn",
  ]);
});

it("counts and sums are totals; averages, quantiles and what is computed are points", () => {
  const kinds = { a: "count", b: "sum", c: "avg", d: "quantile", e: "stddev" };
  const row = Object.keys(kinds).map(() => around(1));
  const release = released([], [row], kinds);
  expect(chartOf(release).panels.map(({ name, isTotal }) => [name, isTotal])).toEqual([
    ["a", true],
    ["b", true],
    ["c", false],
    ["d", false],
    ["e", false],
  ]);
  const computed = {
    ...release,
    columns: release.columns.map((column) => ({ ...column, kind: "computed" })),
    certificate: {
      ...release.certificate,
      plan: { ...release.certificate.plan, outputs: Object.keys(kinds).map(() => ({ kind: "computed" })) },
    },
  } as unknown as Release;
  expect(chartOf(computed).panels.map(({ isTotal }) => isTotal)).toEqual(Array(5).fill(false));
});

it("a value without an interval is a mark, and one that is not known is none", () => {
  const rows: ReleasedCell[][] = [
    ["a", { value: 3, lower: null, upper: null }],
    ["b", { value: null, lower: null, upper: null }],
    ["c", around(0)],
  ];
  expect(chartOf(released(["text"], rows, { n: "count" })).panels[0]!.marks).toEqual([
    { key: "a", series: "", value: 3, lower: null, upper: null },
    { key: "c", series: "", value: 0, lower: -2, upper: 2 },
  ]);
});

it("at most 400 rows, 8 columns and 12 series are drawn, and what is left out is said", () => {
  const rows = (count: number): AnswerChart =>
    byKeys(["number"], ...Array.from({ length: count }, (_, at) => [at]));
  expect(rows(400)).toMatchObject({ left: [] });
  expect(keysOf(rows(401))).toHaveLength(400);
  expect(rows(401).left).toEqual(["1 row beyond the first: not drawn"]);

  const columns = (count: number): AnswerChart => {
    const names = Array.from({ length: count }, (_, at) => `c${at}`);
    const kinds = Object.fromEntries(names.map((name) => [name, "count"]));
    return chartOf(released([], [names.map(() => around(1))], kinds));
  };
  expect(columns(8)).toMatchObject({ left: [], panels: Array(8).fill({ isTotal: true }) });
  expect(columns(10).panels.map(({ name }) => name)).toEqual(Array.from({ length: 8 }, (_, at) => `c${at}`));
  expect(columns(10).left).toEqual(["2 columns beyond the first: not drawn"]);

  const series = (count: number): AnswerChart =>
    byKeys(["number", "text"], ...Array.from({ length: count }, (_, at) => [1, `s${at}`]));
  expect(series(12)).toMatchObject({ left: [] });
  expect(series(13).series).toEqual(Array.from({ length: 12 }, (_, at) => `s${at}`));
  expect(series(13).panels[0]!.marks).toHaveLength(12);
  expect(series(13).left).toEqual(["1 row beyond the first: not drawn"]);
});

it("columns of times are not drawn, and said so", () => {
  const time = { value: "2024-03-01", lower: "2024-02-01", upper: "2024-04-01" };
  const chart = chartOf(released(["text"], [["a", around(1), time]], { n: "count", since: "quantile" }));
  expect(chart.panels.map(({ name }) => name)).toEqual(["n"]);
  expect(chart.left).toEqual(["1 column of times: not drawn"]);
  expect(chart.words.title).toBe("n by the text");
  expect(chartOf(released([], [[time]], { since: "quantile" })).words.title).toBe("nothing");
});

it("title and question are of one line, and cut where they would not fit", () => {
  const named = (name: string): string =>
    chartOf(released([], [[around(1)]], { [name]: "count" })).words.title;
  expect(named("x".repeat(68))).toBe("x".repeat(68));
  expect(named("x".repeat(69))).toBe(`${"x".repeat(67)}…`);
  const asking = (text: string): string => {
    const release = released([], [cells]);
    const plan = { ...release.certificate.plan, text };
    return chartOf({ ...release, certificate: { ...release.certificate, plan } }).words.subtitle;
  };
  const head = "95 % intervals, ε 0.5: ";
  expect(asking(" SELECT 1\n  FROM a ")).toBe(`${head}SELECT 1 FROM a`);
  expect(asking("y".repeat(88))).toBe(`${head}${"y".repeat(88)}`);
  expect(asking("y".repeat(89))).toBe(`${head}${"y".repeat(87)}…`);
});
