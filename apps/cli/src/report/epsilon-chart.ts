import type { AuditRow } from "@lethe/audit";
import type { PlotOptions } from "@observablehq/plot";
import { printable } from "../render/printable.ts";
import { type Chart, colour, type PlotModule } from "./chart.ts";

const row = 17;
/** The audits whose intervals are lower bounds of ε, from chance outputs. */
const sampled: readonly string[] = ["estimate", "one-run"];

/**
 * Returns a chart of the ε that samples alone prove, beside the claimed ε: mechanisms, and controls that must exceed their claim; null where nothing
 * was estimated.
 */
export function epsilonChart(rows: readonly AuditRow[]): Chart | null {
  const estimated = rows.flatMap(({ audit, subject, of, interval, ceiling }) =>
    sampled.includes(audit) && interval !== null && ceiling !== null && Number.isFinite(interval[0])
      ? [{ subject: printable(subject), isControl: of === "control", least: interval[0], claimed: ceiling }]
      : [],
  );
  if (estimated.length === 0) return null;
  const panels = [
    { fill: colour.lethe, shown: estimated.filter(({ isControl }) => !isControl) },
    { fill: colour.naive, shown: estimated.filter(({ isControl }) => isControl) },
  ].filter(({ shown }) => shown.length > 0);
  return {
    id: "epsilon",
    title: "The ε that samples prove, beside the ε that is claimed",
    caption:
      "A bar is a lower bound of ε from outputs alone, at the point of the claimed curve where the bound is strongest. For a training it is the share of the whole curve that one run refutes. A tick is the ε that is claimed there. A bar beyond " +
      "its tick is a broken claim: every control must show one, and no mechanism.",
    key: [
      { text: "a mechanism of Lethe", colour: "lethe", mark: "line" },
      { text: "a control with a known fault", colour: "naive", mark: "line" },
      { text: "claimed", colour: "ceiling", mark: "tick" },
    ],
    data: [
      ["subject", "kind", "ε at least", "ε claimed"],
      ...estimated.map(({ subject, isControl, least, claimed }) => [
        subject,
        isControl ? "control" : "mechanism",
        least.toFixed(3),
        claimed.toFixed(3),
      ]),
    ],
    panels: (Plot) => {
      const most = Math.max(...estimated.flatMap(({ least, claimed }) => [least, claimed]));
      return panels.map(({ shown, fill }) => bars(Plot, shown, fill, most));
    },
  };
}

interface Estimated {
  readonly subject: string;
  readonly least: number;
  readonly claimed: number;
}

function bars(Plot: PlotModule, estimated: readonly Estimated[], fill: string, most: number): PlotOptions {
  const names = [...new Set(estimated.map(({ subject }) => subject))];
  return {
    width: 430,
    height: 56 + row * names.length,
    marginLeft: 168,
    marginRight: 16,
    marginTop: 6,
    marginBottom: 44,
    x: { domain: [0, most], nice: true, label: "ε →", labelArrow: "none", ticks: 5 },
    y: { type: "band", domain: names, label: null, padding: 0.3, tickSize: 0 },
    marks: [
      Plot.gridX({ stroke: colour.grid, strokeOpacity: 1, ticks: 5 }),
      Plot.barX(estimated, { x1: 0, x2: "least", y: "subject", fill }),
      // A rim of paper, so that a tick is seen on a bar of any colour.
      Plot.tickX(estimated, { x: "claimed", y: "subject", stroke: colour.paper, strokeWidth: 6, inset: -3 }),
      Plot.tickX(estimated, {
        x: "claimed",
        y: "subject",
        stroke: colour.ceiling,
        strokeWidth: 2.5,
        inset: -2,
      }),
    ],
  };
}
