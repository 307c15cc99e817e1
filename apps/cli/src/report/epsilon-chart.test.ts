import type { AuditRow } from "@lethe/audit";
import { expect, test } from "vitest";
import { panelsOf, scaleOf } from "../testing/drawn-charts.ts";
import { marksOf, numberOf, placeOf } from "../testing/parsed-svg.ts";
import { epsilonChart } from "./epsilon-chart.ts";

const row: AuditRow = {
  audit: "estimate",
  subject: "laplace",
  of: "lethe",
  finding: null,
  claim: "ε = 1",
  measured: "ε ≥ 0.75",
  interval: [0.75, Number.POSITIVE_INFINITY],
  ceiling: 1,
  how: "6,000 outputs",
};
const training: AuditRow = { ...row, audit: "one-run", subject: "training", interval: [0.25, 1] };
const control: AuditRow = { ...row, subject: "naive", of: "control", interval: [5, 6], ceiling: 2 };

test("only lower bounds of ε from samples are drawn, beside a claim", () => {
  expect(epsilonChart([])).toBeNull();
  for (const none of [
    { ...row, audit: "replay" },
    { ...row, interval: null },
    { ...row, ceiling: null },
    { ...row, interval: [Number.NEGATIVE_INFINITY, 1] as const },
  ])
    expect(epsilonChart([none])).toBeNull();
  expect(epsilonChart([row, { ...row, audit: "replay" }, training, control])!.data).toEqual([
    ["subject", "kind", "ε at least", "ε claimed"],
    ["laplace", "mechanism", "0.750", "1.000"],
    ["training", "mechanism", "0.250", "1.000"],
    ["naive", "control", "5.000", "2.000"],
  ]);
});

test("mechanisms and controls each have a panel, on one scale that holds all bars and ticks", async () => {
  const [own, controls, ...more] = await panelsOf(epsilonChart([control, row, training])!);
  expect(more).toEqual([]);
  for (const [panel, rows, fill] of [
    [own!, [row, training], "var(--lethe)"],
    [controls!, [control], "var(--naive)"],
  ] as const) {
    const x = scaleOf(panel, "x");
    expect(x(5)).toBeLessThanOrEqual(numberOf(panel, "width") - 16);
    expect(x(5) - x(0)).toBeGreaterThan(200);
    const bars = marksOf(panel, "bar", "rect");
    const ticks = marksOf(panel, "tick", "line");
    for (const [at, { interval, ceiling }] of rows.entries()) {
      expect(numberOf(bars[at]!, "x")).toBeCloseTo(x(0), 6);
      expect(numberOf(bars[at]!, "width")).toBeCloseTo(x(interval![0]) - x(0), 6);
      // The tick, and the rim of paper below it.
      for (const tick of [ticks[at]!, ticks[at + rows.length]!])
        expect(numberOf(tick, "x1")).toBeCloseTo(x(ceiling!), 6);
    }
    expect(panel.querySelector('[aria-label="bar"]')!.getAttribute("fill")).toBe(fill);
    const names = marksOf(panel, "y-axis tick label", "text");
    expect(names.map(({ textContent }) => textContent)).toEqual(rows.map(({ subject }) => subject));
    expect(placeOf(names.at(-1)!)[1]).toBeLessThan(numberOf(panel, "height") - 44);
  }
  expect(scaleOf(own!, "x")(5)).toBe(scaleOf(controls!, "x")(5));
  const [alone, ...none] = await panelsOf(epsilonChart([control])!);
  expect(none).toEqual([]);
  expect(marksOf(alone!, "bar", "rect")).toHaveLength(1);
  const heights = [own!, controls!].map((panel) => numberOf(panel, "height"));
  expect(heights[0]! - heights[1]!).toBeGreaterThanOrEqual(14);
});
