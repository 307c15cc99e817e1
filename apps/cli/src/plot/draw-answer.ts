import type { Markish, PlotOptions } from "@observablehq/plot";
import type { AnswerChart, ChartMark, ChartPanel, KeyAxis } from "./answer-chart.ts";
import { shortNumber } from "./draw-figures.ts";
import { colours, escaped, font, ink, margin, panelTitle, sheetOf } from "./sheet.ts";

const width = 860;
const gap = 54;
const heights = { line: 300, facet: 190, row: 24, single: 84, around: 64 } as const;
const labels = { least: 60, most: 230, letter: 6.8 } as const;

/** A released answer with its error bars as one SVG file. Loads its tools on the first call. */
export async function drawAnswer(chart: AnswerChart): Promise<string> {
  const [{ Window }, Plot] = await Promise.all([import("happy-dom"), import("@observablehq/plot")]);
  const window = new Window();
  try {
    const panels = chart.panels
      .filter(({ marks }) => marks.length > 0)
      .flatMap((panel) => split(chart, panel));
    let top: number = margin.top;
    const drawn = panels.map((panel) => {
      const height = heightOf(chart, panel);
      const plot = Plot.plot({
        ...optionsOf(Plot, chart, panel),
        document: window.document as never,
        width,
        height,
        style: { fontFamily: font, fontSize: "12px", background: ink.paper },
      });
      for (const [name, value] of Object.entries({ x: margin.side, y: top, color: ink.text }))
        plot.setAttribute(name, String(value));
      const svg = panelTitle(titleOf(chart, panel), margin.side, top) + plot.outerHTML;
      top += height + gap;
      return svg;
    });
    const said = [...chart.left, ...(panels.length === 0 ? ["no number was released"] : [])];
    const size = {
      width: width + 2 * margin.side,
      height: top - gap + (chart.series.length > 0 || said.length > 0 ? margin.bottom : 12),
    };
    return sheetOf(size, chart.words, [...drawn, legend(chart, size.height - 26), noted(said, size)]);
  } finally {
    await window.happyDOM.close();
  }
}

/** A panel, and where it is one of several series all of their marks: their scales are the same. */
interface DrawnPanel extends ChartPanel {
  readonly of?: readonly ChartMark[];
}

type PlotModule = typeof import("@observablehq/plot");

/** More series than there are colours stand below each other, each on a panel of its own. */
function split({ series }: AnswerChart, panel: ChartPanel): readonly DrawnPanel[] {
  if (series.length <= colours.length) return [panel];
  return series.flatMap((name) => {
    const marks = panel.marks.filter((mark) => mark.series === name);
    return marks.length === 0 ? [] : [{ ...panel, name: `${panel.name}, ${name}`, marks, of: panel.marks }];
  });
}

/** On a scale the axis names its key. */
function titleOf({ axis }: AnswerChart, { name }: ChartPanel): string {
  return axis?.kind === "category" ? `${name} by ${axis.name}` : name;
}

/** Returns the axis that is a scale; null where rows stand below each other. */
const scaleOf = ({ axis }: AnswerChart): KeyAxis | null => (axis?.kind === "category" ? null : axis);
const isColoured = ({ series }: AnswerChart): boolean => series.length > 0 && series.length <= colours.length;

function colourOf({ series }: AnswerChart): (mark: Pick<ChartMark, "series">) => string {
  const isOne = series.length > colours.length;
  return (mark) => (isOne ? colours[0] : (colours[Math.max(0, series.indexOf(mark.series))] ?? ink.text));
}

function heightOf(chart: AnswerChart, { marks, of }: DrawnPanel): number {
  if (chart.axis === null) return heights.single;
  if (scaleOf(chart) !== null) return of === undefined ? heights.line : heights.facet;
  return heights.around + Math.max(2, marks.length) * heights.row;
}

function optionsOf(Plot: PlotModule, chart: AnswerChart, panel: DrawnPanel): PlotOptions {
  const scale = scaleOf(chart);
  return scale === null ? rows(Plot, chart, panel) : lines(Plot, chart, scale, panel);
}

/** Along a scale: a line through the values, a band of the intervals, dots where answers are. */
function lines(
  Plot: PlotModule,
  chart: AnswerChart,
  axis: KeyAxis,
  { marks, isTotal, of }: DrawnPanel,
): PlotOptions {
  const isTime = axis.kind === "time";
  const colour = colourOf(chart);
  const at = (mark: ChartMark): number | Date => (isTime ? new Date(mark.key) : (mark.key as number));
  const sorted = [...marks].sort((a, b) => (a.key as number) - (b.key as number));
  const perSeries = [...new Set(sorted.map(({ series }) => series))].map((name) => ({
    fill: colour({ series: name }),
    each: sorted.filter(({ series }) => series === name),
  }));
  const known = (of: readonly ChartMark[]): ChartMark[] => of.filter(({ lower }) => lower !== null);
  return {
    marginLeft: labels.least,
    marginRight: 24,
    marginTop: 12,
    // Months stand on two lines, with their years.
    marginBottom: isTime ? 54 : 42,
    x: {
      type: isTime ? "utc" : "linear",
      label: `${axis.name} →`,
      labelArrow: "none",
      ...(of === undefined ? {} : { domain: extent(of.map(({ key }) => key as number)) }),
      ...(isTime ? {} : { tickFormat: plainNumber, ...wholeTicks(of ?? sorted) }),
    },
    y: {
      label: null,
      ...valueScale(of, isTotal),
      zero: isTotal,
      nice: true,
      ticks: 6,
      tickFormat: shortNumber,
    },
    marks: [
      Plot.gridY({ ticks: 6, stroke: ink.grid, strokeOpacity: 1 }),
      ...perSeries.flatMap(({ fill, each }): Markish[] => [
        Plot.areaY(known(each), { x: at, y1: "lower", y2: "upper", fill, fillOpacity: 0.2 }),
        Plot.lineY(each, { x: at, y: "value", stroke: fill, strokeWidth: 2 }),
        // An answer by itself has no band to stand in.
        ...(each.length === 1
          ? [Plot.ruleX(known(each), { x: at, y1: "lower", y2: "upper", stroke: fill })]
          : []),
        Plot.dot(each, {
          x: at,
          y: "value",
          fill,
          // Edges around so many would cut the line into dashes.
          ...(each.length > 60 ? { r: 1.5 } : { r: 3, stroke: ink.paper, strokeWidth: 1 }),
        }),
      ]),
    ],
  };
}

/** The values that all series take, with their intervals. */
function valueScale(
  of: readonly ChartMark[] | undefined,
  isTotal: boolean,
): { readonly domain?: readonly [number, number] } {
  if (of === undefined) return {};
  const ends = of.flatMap(({ value, lower, upper }) => [value, lower ?? value, upper ?? value]);
  return { domain: extent(isTotal ? [0, ...ends] : ends) };
}

function extent(values: readonly number[]): readonly [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

/** Few whole numbers, as years are: a tick each. */
function wholeTicks(marks: readonly ChartMark[]): { readonly ticks?: number[] } {
  const places = [...new Set(marks.map(({ key }) => key as number))];
  return places.length <= 16 && places.every(Number.isInteger) ? { ticks: places } : {};
}

/** A year is no "2.02k". */
const plainNumber = (x: number): string =>
  Math.abs(x) < 1e5 ? String(Number(x.toPrecision(6))) : shortNumber(x);

/** A row a category: totals as bars from 0, others as dots, each with its interval. Several series lie within a category. */
function rows(Plot: PlotModule, chart: AnswerChart, { marks, isTotal, of }: DrawnPanel): PlotOptions {
  const colour = colourOf(chart);
  const names = [...new Set(marks.map(({ key }) => String(key)))];
  const longest = Math.max(...names.map((name) => name.length * labels.letter));
  const inSeries = isColoured(chart);
  const row = inSeries ? { fy: "key", y: "series" } : { y: "key" };
  const known = marks.filter(({ lower }) => lower !== null);
  return {
    marginLeft: Math.min(labels.most, Math.max(labels.least, longest + 20)),
    marginRight: 24,
    marginTop: 18,
    marginBottom: 34,
    x: {
      label: null,
      ...valueScale(of, isTotal),
      zero: isTotal,
      nice: true,
      ticks: 6,
      tickFormat: shortNumber,
      insetRight: 8,
      insetLeft: 8,
    },
    y: inSeries
      ? { domain: [...chart.series], axis: null, padding: 0.15 }
      : {
          domain: names,
          label: null,
          labelArrow: "none",
          tickSize: 0,
          tickFormat: shortLabel,
          padding: 0.3,
        },
    ...(inSeries
      ? {
          fy: {
            domain: names,
            label: null,
            tickFormat: shortLabel,
            padding: 0.12,
            axis: "left" as const,
          },
        }
      : {}),
    marks: [
      Plot.gridX({ ticks: 6, stroke: ink.grid, strokeOpacity: 1 }),
      ...(isTotal
        ? [
            Plot.barX(marks, { ...row, x: "value", fill: colour, fillOpacity: 0.78 }),
            Plot.ruleX([0], { stroke: ink.soft }),
          ]
        : []),
      Plot.ruleY(known, {
        ...row,
        x1: "lower",
        x2: "upper",
        stroke: isTotal ? ink.text : colour,
        strokeWidth: 1.8,
      }),
      ...(["lower", "upper"] as const).map((end) =>
        Plot.tickX(known, {
          ...row,
          x: end,
          stroke: isTotal ? ink.text : colour,
          strokeWidth: 1.8,
          insetTop: 4,
          insetBottom: 4,
        }),
      ),
      ...(isTotal
        ? []
        : [Plot.dot(marks, { ...row, x: "value", r: 4.5, fill: colour, stroke: ink.paper, strokeWidth: 1 })]),
    ],
  };
}

const longestLabel = 31;
const shortLabel = (name: string): string =>
  name.length <= longestLabel ? name : `${[...name].slice(0, longestLabel - 1).join("")}…`;

/** The series by their colours, in a row; widths of letters are guessed. */
function legend(chart: AnswerChart, y: number): string {
  if (!isColoured(chart)) return "";
  const head = `${shortLabel(chart.seriesOf ?? "")}:`;
  let left = margin.side + 4 + labels.letter * head.length + 18;
  const named = `<text x="${margin.side + 4}" y="${y}" font-size="12" fill="${ink.soft}">${escaped(head)}</text>`;
  const swatches = chart.series.map((name, at) => {
    const text = shortLabel(name);
    const start = left;
    left += 22 + labels.letter * text.length + 22;
    return `<rect x="${start}" y="${y - 10}" width="14" height="12" fill="${colours[at]}"/><text x="${start + 22}" y="${y}" font-size="12" fill="${ink.text}">${escaped(text)}</text>`;
  });
  return [named, ...swatches].join("\n");
}

function noted(said: readonly string[], { height }: { readonly height: number }): string {
  if (said.length === 0) return "";
  return `<text x="${margin.side + 4}" y="${height - 8}" font-size="12" fill="${ink.soft}">${escaped(said.join("; "))}</text>`;
}
