import type { Markish, PlotOptions, ScaleOptions } from "@observablehq/plot";
import type { Axis, Figure, Line, Mark, Point } from "./figure.ts";
import { colours, escaped, font, ink, margin, panelTitle, sheetOf, type Words } from "./sheet.ts";

const panel = { width: 420, height: 340, gap: 28 } as const;
const dashes = ["5 4", "1.5 3.5"] as const;

/** All figures side by side as one SVG file. Loads its tools on the first call: they are seldom needed and not small. */
export async function drawFigures(figures: readonly Figure[], words: Words): Promise<string> {
  const [{ Window }, Plot] = await Promise.all([import("happy-dom"), import("@observablehq/plot")]);
  const window = new Window();
  try {
    const look = lookOf(figures);
    const panels = figures.map((figure, i) => {
      const plot = Plot.plot(options(Plot, figure, look, window.document as never)) as unknown as Drawn;
      const x = margin.side + i * (panel.width + panel.gap);
      for (const [name, value] of Object.entries({ x, y: margin.top, color: ink.text }))
        plot.setAttribute(name, String(value));
      return panelTitle(figure.title, x, margin.top) + plot.outerHTML;
    });
    return sheet(figures, words, look, panels);
  } finally {
    await window.happyDOM.close();
  }
}

type PlotModule = typeof import("@observablehq/plot");
interface Drawn {
  setAttribute(name: string, value: string): void;
  readonly outerHTML: string;
}

/** How a line is told apart, the same on all panels. */
interface Look {
  colour(line: Line): string;
  dashes(line: Line): string;
}

/** Claims by colour, in the order of their first appearance; references are grey, by their dashes. */
function lookOf(figures: readonly Figure[]): Look {
  const lines = figures.flatMap((figure) => figure.lines);
  const names = (isReference: boolean): readonly string[] => [
    ...new Set(lines.filter(({ kind }) => (kind === "reference") === isReference).map(({ name }) => name)),
  ];
  const [claims, references] = [names(false), names(true)];
  const pick = (from: readonly string[], at: number): string => from[at % from.length] ?? ink.text;
  return {
    colour: ({ name, kind }) => (kind === "reference" ? ink.soft : pick(colours, claims.indexOf(name))),
    dashes: ({ name }) => pick(dashes, references.indexOf(name)),
  };
}

function options(Plot: PlotModule, figure: Figure, look: Look, document: never): PlotOptions {
  const drawn = figure.lines.map((line) => ({ line, points: drawable(figure, line) }));
  return {
    document,
    width: panel.width,
    height: panel.height,
    marginLeft: 52,
    marginRight: 16,
    marginTop: 30,
    marginBottom: 46,
    style: { fontFamily: font, fontSize: "12px", background: ink.paper },
    x: { ...axis(figure.x, "→"), zero: figure.x.scale === "linear" },
    y: { ...axis(figure.y, "↑"), zero: figure.y.scale === "linear" },
    marks: [
      Plot.gridX({ ticks: tickCount(figure.x), stroke: ink.grid, strokeOpacity: 1 }),
      Plot.gridY({ ticks: tickCount(figure.y), stroke: ink.grid, strokeOpacity: 1 }),
      ...drawn.flatMap(({ line, points }) =>
        line.kind === "interval"
          ? [
              Plot.areaY(points, {
                x: "x",
                y1: "lower",
                y2: "upper",
                fill: look.colour(line),
                fillOpacity: 0.22,
              }),
            ]
          : [],
      ),
      ...drawn.map(({ line, points }) =>
        Plot.lineY(points, {
          x: "x",
          y: claim(figure),
          stroke: look.colour(line),
          strokeWidth: line.kind === "reference" ? 1.2 : 2.2,
          ...(line.kind === "reference" ? { strokeDasharray: look.dashes(line) } : {}),
        }),
      ),
      ...(figure.mark === null ? [] : marked(Plot, figure, figure.mark)),
    ],
  };
}

/** The end of an interval that is safe to claim. */
function claim({ id }: Figure): "lower" | "upper" {
  return id === "tradeoff" ? "lower" : "upper";
}

/** A line breaks where its claim is infinite; a logarithmic axis has no place for 0. */
function drawable(figure: Figure, { points }: Line): readonly Point[] {
  const fits = (x: number, { scale }: Axis): boolean => Number.isFinite(x) && (scale === "linear" || x > 0);
  return points.filter((point) => fits(point.x, figure.x) && fits(point[claim(figure)], figure.y));
}

function axis({ label, scale }: Axis, arrow: "→" | "↑"): ScaleOptions {
  return {
    type: scale,
    label: arrow === "→" ? `${label} ${arrow}` : `${arrow} ${label}`,
    labelArrow: "none",
    ticks: tickCount({ label, scale }),
    tickFormat: scale === "log" ? powerOfTen : shortNumber,
  };
}

const tickCount = ({ scale }: Axis): number => (scale === "log" ? 5 : 6);

/** 1e-6 → 10⁻⁶. */
export function powerOfTen(x: number): string {
  const exponent = Math.round(Math.log10(x));
  const digits = [...String(exponent)].map((digit) => (digit === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]));
  return Math.abs(Math.log10(x) - exponent) < 1e-9 ? `10${digits.join("")}` : "";
}

/** 12000 → 12k, 2500000 → 2.5M; small numbers as they are. */
export function shortNumber(x: number): string {
  for (const [size, letter] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ] as const) {
    if (Math.abs(x) >= size * (letter === "k" ? 10 : 1))
      return `${Number((x / size).toPrecision(3))}${letter}`;
  }
  return String(Number(x.toPrecision(6)));
}

/**
 * The point that was asked for, its words under the curve, where nothing else is drawn, but never on the
 * axis.
 */
function marked(Plot: PlotModule, figure: Figure, { x, y, text }: Mark): Markish[] {
  if (!(Number.isFinite(x) && Number.isFinite(y))) return [];
  const tops = figure.lines.flatMap((line) => drawable(figure, line).map((point) => point[claim(figure)]));
  const isLow = y < 0.13 * Math.max(...tops);
  const isRight = figure.id === "growth" || isLow;
  const place = { x: [x], y: [y] };
  return [
    Plot.dot([x], { ...place, r: 4.5, fill: ink.text, stroke: ink.paper, strokeWidth: 1.5 }),
    Plot.text([text], {
      ...place,
      text: [text],
      textAnchor: isRight ? "start" : "end",
      dx: isRight ? 8 : -8,
      dy: isLow ? -14 : 15,
      fill: ink.text,
      fontWeight: 600,
      stroke: ink.paper,
      strokeWidth: 4,
    }),
  ];
}

function sheet(figures: readonly Figure[], words: Words, look: Look, panels: readonly string[]): string {
  const width = 2 * margin.side + figures.length * panel.width + (figures.length - 1) * panel.gap;
  const height = margin.top + panel.height + margin.bottom;
  return sheetOf({ width, height }, words, [legend(figures, look, height - 20), ...panels]);
}

/** Every name once, in a row. Widths of letters are guessed: an SVG cannot measure its own text. */
function legend(figures: readonly Figure[], look: Look, y: number): string {
  const lines = figures.flatMap((figure) => figure.lines);
  const unlike = lines.filter((line, i) => lines.findIndex(({ name }) => name === line.name) === i);
  const notes = {
    interval: isHairline(lines) ? " (interval, thinner than its line)" : " (interval)",
    bound: " (upper bound)",
    reference: "",
  } as const;
  let left = margin.side + 4;
  return unlike
    .map((line) => {
      const text = `${line.name}${notes[line.kind]}`;
      const start = left;
      left += 34 + 6.6 * text.length + 22;
      const dashed = line.kind === "reference" ? ` stroke-dasharray="${look.dashes(line)}"` : "";
      return `<line x1="${start}" x2="${start + 26}" y1="${y - 4}" y2="${y - 4}" stroke="${look.colour(line)}" stroke-width="2.2"${dashed}/><text x="${start + 34}" y="${y}" font-size="12" fill="${ink.text}">${escaped(text)}</text>`;
    })
    .join("\n");
}

/** Whether every interval is less than a line's width of its panel, so that no band can be seen. */
function isHairline(lines: readonly Line[]): boolean {
  return lines
    .filter(({ kind }) => kind === "interval")
    .every(({ points }) => {
      const finite = points.filter(({ lower, upper }) => Number.isFinite(lower) && Number.isFinite(upper));
      const width = Math.max(0, ...finite.map(({ lower, upper }) => upper - lower));
      return width * panel.height < Math.max(0, ...finite.map(({ upper }) => upper));
    });
}
