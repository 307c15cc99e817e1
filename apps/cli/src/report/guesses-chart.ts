import type { AttackResult } from "@lethe/audit";
import type { PlotOptions } from "@observablehq/plot";
import { printable } from "../render/printable.ts";
import { type Chart, colour, isLethe, type PlotModule, percent } from "./chart.ts";

const left = 356;
const row = 19;

/** Right guesses of each attack, on services without proof and on Lethe, beside the ceiling of its ε; null where nothing was guessed. */
export function guessesChart(attacks: readonly AttackResult[]): Chart | null {
  const shares = attacks.filter(({ interval: [lo, hi] }) => lo < hi);
  if (shares.length === 0) return null;
  return {
    id: "guesses",
    title: "How often each attack is right",
    caption:
      "A dot is the share of right guesses, and the line is its interval. Services without proof give people away; " +
      "on Lethe no interval may lie wholly beyond the ceiling that its ε sets. Nothing is promised about time.",
    key: [
      { text: "Lethe", colour: "lethe", mark: "dot" },
      { text: "a service without proof", colour: "naive", mark: "dot" },
      { text: "what ε allows", colour: "ceiling", mark: "tick" },
      { text: "blind guessing", colour: "soft", mark: "tick" },
    ],
    data: [
      ["attack", "service", "right", "interval", "blind", "ceiling"],
      ...shares.map(({ attack, service, value, interval, blind, ceiling }) => [
        attack,
        service,
        percent(value),
        interval.map(percent).join(" to "),
        percent(blind),
        ceiling === null ? "" : percent(ceiling),
      ]),
    ],
    panels: (Plot) => [options(Plot, shares)],
  };
}

const nameOf = ({ attack, service }: AttackResult): string => `${attack}: ${service}`;

function options(Plot: PlotModule, shares: readonly AttackResult[]): PlotOptions {
  const names = [...new Set(shares.map(({ attack }) => attack))];
  const of = (name: string): readonly AttackResult[] => shares.filter(({ attack }) => attack === name);
  const domain = names.flatMap((name) => [`before ${name}`, ...of(name).map(nameOf)]);
  const firsts = names.flatMap((name) => of(name).slice(0, 1));
  const tick = { y: nameOf, strokeWidth: 2.5, inset: -4 } as const;
  return {
    width: 900,
    height: 50 + row * domain.length,
    marginLeft: left,
    marginRight: 24,
    marginTop: 4,
    marginBottom: 42,
    x: { domain: [0, 1], label: "right →", labelArrow: "none", tickFormat: percent, ticks: 6 },
    y: { type: "band", domain, axis: null, padding: 0.3 },
    marks: [
      Plot.gridX({ ticks: 6, stroke: colour.grid, strokeOpacity: 1 }),
      Plot.ruleY(shares, {
        y: nameOf,
        x1: ({ interval }: AttackResult) => interval[0],
        x2: ({ interval }: AttackResult) => interval[1],
        stroke: colourOf,
        strokeWidth: 2,
        strokeOpacity: 0.55,
      }),
      Plot.tickX(shares, { ...tick, x: "blind", stroke: colour.soft, strokeWidth: 1.5 }),
      Plot.tickX(
        shares.filter(({ ceiling }) => ceiling !== null),
        { ...tick, x: "ceiling", stroke: colour.ceiling },
      ),
      Plot.dot(shares, {
        x: "value",
        y: nameOf,
        r: 4.5,
        fill: colourOf,
        stroke: colour.paper,
        strokeWidth: 1,
        title: (each: AttackResult) => printable(`${nameOf(each)}: ${percent(each.value)} ${each.measure}`),
      }),
      Plot.text(firsts, {
        y: nameOf,
        text: ({ attack }: AttackResult) => printable(attack),
        frameAnchor: "left",
        dx: 4 - left,
        textAnchor: "start",
        fontWeight: 600,
        fill: colour.ink,
      }),
      Plot.text(shares, {
        y: nameOf,
        text: ({ service }: AttackResult) => printable(service),
        frameAnchor: "left",
        dx: -10,
        textAnchor: "end",
        fill: colour.ink,
      }),
    ],
  };
}

/** Stated as a channel of constants: a colour by itself would be taken for a category. */
function colourOf(result: AttackResult): string {
  return isLethe(result) ? colour.lethe : colour.naive;
}
