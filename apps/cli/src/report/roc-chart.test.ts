import type { AttackResult, Score } from "@lethe/audit";
import { expect, test } from "vitest";
import { panelsOf, scaleOf } from "../testing/drawn-charts.ts";
import { marksOf, pointsOf } from "../testing/parsed-svg.ts";
import { rocChart, rocOf } from "./roc-chart.ts";

const score = (truth: 0 | 1, score: number): Score => ({ truth, score });
const scores: readonly Score[] = [score(0, -1), score(1, 2), score(0, 2), score(1, 0)];
/** All that ε = 1 allows who guesses between two worlds. */
const ceiling = Math.E / (1 + Math.E);
const lethe: AttackResult = {
  attack: "differencing",
  service: "Lethe, ε = 1",
  measure: "right guesses",
  value: 0.61,
  interval: [0.55, 0.67],
  trials: 4,
  blind: 0.5,
  ceiling,
  control: null,
  note: null,
  scores,
};
const naive = (service: string, own: readonly Score[]): AttackResult => ({
  ...lethe,
  service,
  ceiling: null,
  control: 1,
  scores: own,
});
const perfect: readonly Score[] = [score(0, 0), score(1, 1)];
const upside: readonly Score[] = [score(0, 1), score(1, 0)];
const blind: readonly Score[] = [score(0, 1), score(1, 1)];
const even: readonly Score[] = [score(0, 1), score(1, 1), score(0, 2), score(1, 3)];

test("a threshold that no score of one world reaches has no alarms of it, and neither has a world without scores", () => {
  expect(rocOf(perfect)).toEqual([
    { falsely: 0, rightly: 0 },
    { falsely: 0, rightly: 1 },
    { falsely: 1, rightly: 1 },
  ]);
  expect(rocOf([score(1, 3)])).toEqual([
    { falsely: 0, rightly: 0 },
    { falsely: 0, rightly: 1 },
  ]);
  expect(rocOf([])).toEqual([{ falsely: 0, rightly: 0 }]);
});

test("there is no chart where Lethe told no scores, or has no ceiling", () => {
  const { scores: _scores, ...silent } = lethe;
  expect(rocChart([])).toBeNull();
  expect(rocChart([naive("exact answers", perfect)])).toBeNull();
  expect(rocChart([silent, naive("exact answers", perfect)])).toBeNull();
  expect(rocChart([{ ...lethe, ceiling: null }])).toBeNull();
});

test("each service is told with its guesses and its true alarms at 5 % false ones, beside what ε allows Lethe", () => {
  const { scores: _scores, ...silent } = naive("silent", []);
  const chart = rocChart([silent, naive("exact answers", perfect), lethe, naive("odd", upside)])!;
  expect(chart.title).toBe("Telling one person by differencing");
  expect(chart.caption).toContain("At ε = 1 no attacker's curve lies above");
  expect(chart.caption).toContain("(4 on Lethe)");
  expect(chart.data).toEqual([
    ["service", "guesses", "true alarms at 5 % false", "what ε allows there"],
    ["exact answers", "2", "100 %", ""],
    ["Lethe, ε = 1", "4", "0 %", "13.6 %"],
    ["odd", "2", "0 %", ""],
  ]);
  const sure = { ...lethe, ceiling: 0.999 };
  expect(rocChart([sure])!.data[1]!.at(-1)).toBe("100 %");
});

test("services with one curve share a line and its colour, and others have colours of their own", () => {
  const services = [
    naive("a", perfect),
    naive("b", upside),
    naive("again", perfect),
    lethe,
    naive("c", blind),
    naive("d", even),
  ];
  expect(rocChart(services)!.key.map(({ text, colour, mark }) => [text, colour, mark])).toEqual([
    ["a, again", "naive", "line"],
    ["b", "another", "line"],
    ["Lethe, ε = 1", "lethe", "line"],
    ["c", "other", "line"],
    ["d", "soft", "line"],
    ["what ε allows", "ceiling", "dash"],
    ["blind guessing", "soft", "thin"],
  ]);
});

test("the drawing has both rates from 0 to 1, blind guessing, the corner that ε allows, and every curve", async () => {
  const [panel] = await panelsOf(rocChart([naive("exact answers", perfect), lethe])!);
  const [x, y] = [scaleOf(panel!, "x"), scaleOf(panel!, "y")];
  const percents = marksOf(panel!, "x-axis tick label", "text").map(({ textContent }) => textContent);
  expect(percents).toEqual(["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]);
  expect(marksOf(panel!, "y-axis tick label", "text").map(({ textContent }) => textContent)).toEqual(
    percents,
  );
  const corner = 100 / (1 + Math.E);
  const lines = marksOf(panel!, "line", "path").map(pointsOf);
  const expected = [
    [
      [0, 0],
      [100, 100],
    ],
    [
      [0, 0],
      [corner, 100 - corner],
      [100, 100],
    ],
    [
      [0, 0],
      [0, 100],
      [100, 100],
    ],
    [
      [0, 0],
      [50, 50],
      [50, 100],
      [100, 100],
    ],
  ];
  expect(lines).toHaveLength(expected.length);
  for (const [at, points] of expected.entries()) {
    expect(lines[at]).toHaveLength(points.length);
    for (const [i, [falsely, rightly]] of points.entries()) {
      expect(lines[at]![i]![0]).toBeCloseTo(x(falsely!), 1);
      expect(lines[at]![i]![1]).toBeCloseTo(y(rightly!), 1);
    }
  }
  expect(x(100) - x(0)).toBeGreaterThan(200);
  expect(y(0) - y(100)).toBeGreaterThan(200);
});
