import type { AttackResult } from "@lethe/audit";
import { expect, test } from "vitest";
import { panelsOf, scaleOf } from "../testing/drawn-charts.ts";
import { marksOf, numberOf, placeOf } from "../testing/parsed-svg.ts";
import { guessesChart } from "./guesses-chart.ts";

const naive: AttackResult = {
  attack: "differencing",
  service: "exact answers",
  measure: "right guesses",
  value: 1,
  interval: [0.9, 1],
  trials: 4,
  blind: 0.5,
  ceiling: null,
  control: 1,
  note: null,
};
const lethe: AttackResult = {
  ...naive,
  service: "Lethe, ε = 1",
  value: 0.6,
  interval: [0.5, 0.7],
  ceiling: 0.75,
  control: null,
};
const linked: AttackResult = { ...lethe, attack: "linkage", value: 0.3, interval: [0.25, 0.35], blind: 0.25 };
const attacks = [naive, lethe, linked];

test("only what was guessed is drawn: a result of one number is none", () => {
  expect(guessesChart([])).toBeNull();
  expect(guessesChart([{ ...lethe, interval: [0, 0] }])).toBeNull();
  expect(guessesChart([{ ...lethe, interval: [0, 0] }, linked])!.data).toHaveLength(2);
});

test("the table says of each service what is right, its interval, blind guessing, and the ceiling where ε sets one", () => {
  expect(guessesChart(attacks)!.data).toEqual([
    ["attack", "service", "right", "interval", "blind", "ceiling"],
    ["differencing", "exact answers", "100 %", "90 % to 100 %", "50 %", ""],
    ["differencing", "Lethe, ε = 1", "60 %", "50 % to 70 %", "50 %", "75 %"],
    ["linkage", "Lethe, ε = 1", "30 %", "25 % to 35 %", "25 %", "75 %"],
  ]);
});

test("the drawing has a line an interval, a dot a share, and ticks of blind guessing and the ceiling, each in its place", async () => {
  const [panel] = await panelsOf(guessesChart(attacks)!);
  const x = scaleOf(panel!, "x");
  expect(x(100) - x(0)).toBeGreaterThan(300);
  expect(x(0)).toBeGreaterThan(300);
  const [lines, dots, ticks] = [
    marksOf(panel!, "rule", "line"),
    marksOf(panel!, "dot", "circle"),
    marksOf(panel!, "tick", "line"),
  ];
  for (const [at, { value, interval, blind }] of attacks.entries()) {
    expect(numberOf(lines[at]!, "x1")).toBeCloseTo(x(100 * interval[0]), 6);
    expect(numberOf(lines[at]!, "x2")).toBeCloseTo(x(100 * interval[1]), 6);
    expect(numberOf(dots[at]!, "cx")).toBeCloseTo(x(100 * value), 6);
    expect(numberOf(ticks[at]!, "x1")).toBeCloseTo(x(100 * blind), 6);
    expect(lines[at]!.getAttribute("stroke")).toBe(at === 0 ? "var(--naive)" : "var(--lethe)");
    expect(dots[at]!.getAttribute("fill")).toBe(at === 0 ? "var(--naive)" : "var(--lethe)");
  }
  expect(ticks.slice(3).map((tick) => numberOf(tick, "x1"))).toEqual([x(75), x(75)]);
  expect(dots[0]!.querySelector("title")!.textContent).toBe(
    "differencing: exact answers: 100 % right guesses",
  );
});

test("an attack is named once, on the row of its first service, and every service beside its row", async () => {
  const [panel] = await panelsOf(guessesChart(attacks)!);
  const texts = marksOf(panel!, "text", "text");
  expect(texts.map(({ textContent }) => textContent)).toEqual([
    "differencing",
    "linkage",
    "exact answers",
    "Lethe, ε = 1",
    "Lethe, ε = 1",
  ]);
  const rows = texts.map((text) => placeOf(text)[1]);
  expect([rows[0], rows[1]]).toEqual([rows[2], rows[4]]);
  // Between two attacks there is a row more than between two services of one.
  expect(rows[3]! - rows[2]!).toBeGreaterThan(14);
  expect(rows[4]! - rows[3]!).toBeCloseTo(2 * (rows[3]! - rows[2]!), 0);
  expect(numberOf(panel!, "height")).toBeGreaterThan(rows[4]! + 42);
});
