import type { ReconstructionPoint } from "@lethe/audit";
import { type Chart, colour, isLethe, percent } from "./chart.ts";

/** Right bits by the number of questions, each service a line with its intervals; null where it was not measured. */
export function reconstructionChart(curve: readonly ReconstructionPoint[]): Chart | null {
  const ceiling = curve.find(({ result }) => isLethe(result))?.result.ceiling;
  if (ceiling === undefined || ceiling === null) return null;
  const names = [...new Set(curve.map(({ result }) => result.service))];
  const lines = names.map((name) => ({
    name,
    colour: colourOf(name, names),
    points: curve.filter(({ result }) => result.service === name).map(flat),
  }));
  return {
    id: "reconstruction",
    title: "Reconstruction by the number of questions",
    caption:
      "Counts over random halves of 64 people, and least squares: without noise or a budget, enough questions give away everybody. On Lethe all " +
      "questions share one ε, so more of them do not help. Bands are intervals.",
    key: [
      ...lines.map(({ name, colour: own }) => ({ text: name, colour: own, mark: "line" as const })),
      { text: "what ε allows", colour: "ceiling", mark: "dash" },
      { text: "blind guessing", colour: "soft", mark: "thin" },
    ],
    data: [
      ["questions", "service", "right bits", "interval"],
      ...curve.map(({ questions, result }) => [
        String(questions),
        result.service,
        percent(result.value),
        result.interval.map(percent).join(" to "),
      ]),
    ],
    panels: (Plot) => [
      {
        width: 430,
        height: 430,
        marginLeft: 58,
        marginRight: 28,
        marginTop: 30,
        marginBottom: 46,
        x: {
          type: "log",
          base: 2,
          label: "questions →",
          labelArrow: "none",
          ticks: [...new Set(curve.map(({ questions }) => questions))],
          tickFormat: String,
        },
        y: { domain: [0, 1], label: "↑ right bits", labelArrow: "none", tickFormat: percent, ticks: 5 },
        marks: [
          Plot.gridY({ stroke: colour.grid, strokeOpacity: 1, ticks: 5 }),
          Plot.ruleY([0.5], { stroke: colour.soft }),
          Plot.ruleY([ceiling], { stroke: colour.ceiling, strokeDasharray: "5 4", strokeWidth: 1.8 }),
          ...lines.flatMap(({ points, colour: own }) => [
            Plot.areaY(points, { x: "questions", y1: "lo", y2: "hi", fill: colour[own], fillOpacity: 0.14 }),
            Plot.line(points, { x: "questions", y: "value", stroke: colour[own], strokeWidth: 2.2 }),
            Plot.dot(points, {
              x: "questions",
              y: "value",
              r: 3.5,
              fill: colour[own],
              stroke: colour.paper,
            }),
          ]),
        ],
      },
    ],
  };
}

function colourOf(name: string, names: readonly string[]): "lethe" | "naive" | "other" {
  if (isLethe({ service: name })) return "lethe";
  return names.indexOf(name) === 0 ? "naive" : "other";
}

function flat({ questions, result }: ReconstructionPoint): {
  readonly questions: number;
  readonly value: number;
  readonly lo: number;
  readonly hi: number;
} {
  const [lo, hi] = result.interval;
  return { questions, value: result.value, lo, hi };
}
