import type { AttackResult, ReconstructionPoint } from "@lethe/audit";
import { expect, test } from "vitest";
import { panelsOf, scaleOf } from "../testing/drawn-charts.ts";
import { marksOf, numberOf, pointsOf } from "../testing/parsed-svg.ts";
import { reconstructionChart } from "./reconstruction-chart.ts";

const result: AttackResult = {
  attack: "reconstruction",
  service: "exact answers",
  measure: "right bits",
  value: 0.9,
  interval: [0.8, 0.95],
  trials: 4,
  blind: 0.5,
  ceiling: null,
  control: 1,
  note: null,
};
const lethe: AttackResult = {
  ...result,
  service: "Lethe, ε = 1",
  value: 0.6,
  interval: [0.5, 0.7],
  ceiling: 0.75,
};
const noisy: AttackResult = {
  ...result,
  service: "noise without a budget",
  value: 0.8,
  interval: [0.7, 0.9],
};
const curve: readonly ReconstructionPoint[] = [8, 32].flatMap((questions) =>
  [result, noisy, lethe].map((each) => ({ questions, result: each })),
);

test("there is no chart where Lethe was not measured, or has no ceiling", () => {
  expect(reconstructionChart([])).toBeNull();
  expect(reconstructionChart([{ questions: 8, result }])).toBeNull();
  expect(reconstructionChart([{ questions: 8, result: { ...lethe, ceiling: null } }])).toBeNull();
});

test("each service is a line of its own colour: Lethe's, that of the first without proof, and another", () => {
  expect(reconstructionChart(curve)!.key).toEqual([
    { text: "exact answers", colour: "naive", mark: "line" },
    { text: "noise without a budget", colour: "other", mark: "line" },
    { text: "Lethe, ε = 1", colour: "lethe", mark: "line" },
    { text: "what ε allows", colour: "ceiling", mark: "dash" },
    { text: "blind guessing", colour: "soft", mark: "thin" },
  ]);
});

test("the drawing has each share within its band, the ceiling and blind guessing at their heights, and a tick a number of questions", async () => {
  const [panel] = await panelsOf(reconstructionChart(curve)!);
  const y = scaleOf(panel!, "y");
  expect(y(0) - y(100)).toBeGreaterThan(200);
  expect(marksOf(panel!, "x-axis tick label", "text").map(({ textContent }) => textContent)).toEqual([
    "8",
    "32",
  ]);
  const [blind, ceiling] = marksOf(panel!, "rule", "line");
  expect(numberOf(blind!, "y1")).toBeCloseTo(y(50), 6);
  expect(numberOf(ceiling!, "y1")).toBeCloseTo(y(75), 6);
  const [lines, bands, dots] = [
    marksOf(panel!, "line", "path"),
    marksOf(panel!, "area", "path"),
    marksOf(panel!, "dot", "circle"),
  ];
  expect([lines.length, bands.length, dots.length]).toEqual([3, 3, 6]);
  for (const [at, { value, interval }] of [result, noisy, lethe].entries()) {
    for (const [, high] of pointsOf(lines[at]!)) expect(high).toBeCloseTo(y(100 * value), 1);
    const ends = [...new Set(pointsOf(bands[at]!).map(([, high]) => high))].sort((a, b) => b - a);
    expect(ends).toHaveLength(2);
    for (const [i, end] of ends.entries()) expect(end).toBeCloseTo(y(100 * interval[i]!), 1);
    for (const dot of dots.slice(2 * at, 2 * at + 2))
      expect(numberOf(dot, "cy")).toBeCloseTo(y(100 * value), 6);
  }
});
