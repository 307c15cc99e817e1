import type { AttackResult, Score } from "@lethe/audit";
import { type Chart, colour, isLethe, type KeyEntry, percent } from "./chart.ts";

/** The share of false alarms, and that of true ones at the same threshold. */
export interface RocPoint {
  readonly falsely: number;
  readonly rightly: number;
}

/**
 * Returns the receiver operating characteristic: for each threshold, from above all scores down, how often either world's scores reach it.
 * @example rocOf([{ truth: 1, score: 1 }, { truth: 0, score: 0 }]) // => (0, 0), (0, 1), (1, 1)
 */
export function rocOf(scores: readonly Score[]): readonly RocPoint[] {
  const of = (truth: 0 | 1): readonly number[] =>
    scores.filter((each) => each.truth === truth).map(({ score }) => score);
  const [without, having] = [of(0), of(1)];
  const reaching = (among: readonly number[], cut: number): number =>
    among.filter((score) => score >= cut).length / Math.max(1, among.length);
  const cuts = [...new Set(scores.map(({ score }) => score))].sort((a, b) => b - a);
  return [
    { falsely: 0, rightly: 0 },
    ...cuts.map((cut) => ({ falsely: reaching(without, cut), rightly: reaching(having, cut) })),
  ];
}

/** Returns the curve above which no test of an ε-private answer can lie: true alarms ≤ min(e^ε·f, 1 − e^−ε·(1 − f)). */
function boundary(epsilon: number): readonly RocPoint[] {
  const corner = 1 / (1 + Math.exp(epsilon));
  return [
    { falsely: 0, rightly: 0 },
    { falsely: corner, rightly: 1 - corner },
    { falsely: 1, rightly: 1 },
  ];
}

/** The colours of services without proof, in order. */
const colours: readonly KeyEntry["colour"][] = ["naive", "another", "other"];

/** Returns the curves of the attack that tells its scores, against what its ε allows; null where none did. */
export function rocChart(attacks: readonly AttackResult[]): Chart | null {
  const curves = attacks.flatMap((result) => {
    const { scores, service: name } = result;
    return scores === undefined ? [] : [{ name, points: rocOf(scores), guesses: scores.length, result }];
  });
  const [first] = curves;
  const lethe = curves.find(({ result }) => isLethe(result));
  if (first === undefined || lethe === undefined || lethe.result.ceiling === null) return null;
  const { ceiling } = lethe.result;
  // Of two equally likely worlds the best guess is right with chance e^ε/(1 + e^ε).
  const epsilon = Math.log(ceiling / (1 - ceiling));
  const different = curves.filter(
    ({ points }, at) => curves.findIndex((each) => same(each.points, points)) === at,
  );
  const others = different.filter(({ result }) => !isLethe(result));
  const colourOf = (curve: (typeof different)[number]): KeyEntry["colour"] =>
    isLethe(curve.result) ? "lethe" : (colours[others.indexOf(curve)] ?? "soft");
  const shown = different.map((curve) => ({ ...curve, colour: colourOf(curve) }));
  return {
    id: "roc",
    title: `Telling one person by ${first.result.attack}`,
    caption:
      `Each threshold of the attacker's evidence gives false alarms and true ones. At ε = ${Number(epsilon.toFixed(2))} no attacker's curve lies above the dashed ` +
      `line. A measured curve strays by chance, and strays less with more guesses (${lethe.guesses} on Lethe).`,
    key: [
      ...shown.map(({ name, points, colour: own }) => ({
        text: curves
          .filter((each) => same(each.points, points))
          .map((each) => each.name)
          .join(", "),
        colour: own,
        mark: "line" as const,
        name,
      })),
      { text: "what ε allows", colour: "ceiling", mark: "dash" },
      { text: "blind guessing", colour: "soft", mark: "thin" },
    ],
    data: [
      ["service", "guesses", "true alarms at 5 % false", "what ε allows there"],
      ...curves.map(({ name, points, guesses, result }) => [
        name,
        String(guesses),
        percent(Math.max(...points.filter(({ falsely }) => falsely <= 0.05).map(({ rightly }) => rightly))),
        isLethe(result) ? percent(Math.min(1, 0.05 * Math.exp(epsilon))) : "",
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
        x: axisOf("false alarms →"),
        y: axisOf("↑ true alarms"),
        marks: [
          Plot.gridX({ stroke: colour.grid, strokeOpacity: 1, ticks: 5 }),
          Plot.gridY({ stroke: colour.grid, strokeOpacity: 1, ticks: 5 }),
          Plot.line(diagonal, { x: "falsely", y: "rightly", stroke: colour.soft, strokeWidth: 1 }),
          Plot.line(boundary(epsilon), {
            x: "falsely",
            y: "rightly",
            stroke: colour.ceiling,
            strokeDasharray: "5 4",
            strokeWidth: 1.8,
          }),
          ...shown.map((curve) =>
            Plot.line(curve.points, {
              x: "falsely",
              y: "rightly",
              stroke: colour[curve.colour],
              strokeWidth: 2.2,
            }),
          ),
        ],
      },
    ],
  };
}

const diagonal: readonly RocPoint[] = [
  { falsely: 0, rightly: 0 },
  { falsely: 1, rightly: 1 },
];

const axisOf = (
  label: string,
): { domain: [number, number]; label: string; labelArrow: "none"; tickFormat: typeof percent; ticks: 5 } => ({
  domain: [0, 1],
  label,
  labelArrow: "none",
  tickFormat: percent,
  ticks: 5,
});

function same(a: readonly RocPoint[], b: readonly RocPoint[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
