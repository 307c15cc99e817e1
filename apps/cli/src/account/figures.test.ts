import type { Account } from "@lethe/core";
import type { Bounds, RepresentationId } from "@lethe/core/accounting";
import { expect, it } from "vitest";
import type { Figure, Line } from "../plot/figure.ts";
import { figuresOf, type Marked } from "./figures.ts";
import type { Subject } from "./subject.ts";

const provenance = { lower: "", upper: "" };
const between = (lower: number, upper: number): Bounds => ({ lower, upper, provenance });

/** ε of so many runs at a δ, by representation: a number, or none where no theorem gives one. */
type Epsilons = Partial<Record<RepresentationId, (runs: number, delta: number) => readonly [number, number]>>;

function accountOf(epsilons: Epsilons, runs: number): Account {
  const by = (representation: RepresentationId) => {
    const epsilon = epsilons[representation];
    if (epsilon === undefined) return null;
    return {
      epsilon: (delta: number) => between(...epsilon(runs, delta)),
      tradeoff: (alpha: number) => between(0.5 * (1 - alpha), 1 - alpha),
    };
  };
  return { by } as unknown as Account;
}
function subjectWith(epsilons: Epsilons, count = 1n, of = "runs"): Subject {
  const whole = accountOf(epsilons, Number(count));
  const growth = { of, count, at: (n: bigint) => accountOf(epsilons, Number(n)) };
  return { title: "t", details: "d", event: { kind: "constant", version: 1 }, whole, growth };
}
const flat =
  (upper: number, lower = 0) =>
  (): readonly [number, number] => [lower, upper];
const at: Marked = { delta: 1e-6, said: "1e-6", epsilon: 1.23456 };

function figures(
  epsilons: Epsilons,
  marked = at,
  count = 1n,
  of = "runs",
): readonly [Figure, Figure, Figure] {
  return figuresOf(subjectWith(epsilons, count, of), marked) as unknown as readonly [Figure, Figure, Figure];
}
const named = ({ lines }: Figure): readonly (readonly [string, string])[] =>
  lines.map(({ name, kind }: Line) => [name, kind]);

it("the tightest representations are drawn first, at most four, and none that is over three times the least", () => {
  const [profile, tradeoff, growth] = figures({
    pld: flat(2, 1),
    gaussian: flat(1),
    renyi: flat(3),
    zcdp: flat(3.01),
    approximate: flat(2.5),
    pure: flat(2.2),
  });
  const lines = [
    ["Gaussian DP", "bound"],
    ["PLD", "interval"],
    ["pure DP", "bound"],
    ["(ε, δ) composition", "bound"],
  ];
  expect(named(profile)).toEqual(lines);
  expect(named(growth)).toEqual(lines);
  expect(named(tradeoff)).toEqual([
    ["Gaussian DP", "interval"],
    ["(ε, δ) at that point alone", "reference"],
    ["guessing", "reference"],
  ]);
  expect(named(figures({ pld: flat(1), renyi: flat(3), zcdp: flat(3.01) })[0])).toEqual([
    ["PLD", "bound"],
    ["Rényi", "bound"],
  ]);
});

it("of representations with the same ε the first is drawn, and none whose ε is infinite or unknown", () => {
  const same = figures({
    pld: flat(1),
    gaussian: flat(1 + 1e-7),
    renyi: flat(1 + 1e-5),
    pure: flat(Infinity),
  });
  expect(named(same[0])).toEqual([
    ["PLD", "bound"],
    ["Rényi", "bound"],
  ]);
  const [profile, tradeoff, growth] = figures({ pure: flat(Infinity) });
  expect([profile, growth].map(({ lines }) => lines)).toEqual([[], []]);
  expect(named(tradeoff)).toEqual([["guessing", "reference"]]);
});

it("a line is two-sided as soon as a lower end above 0 is proven anywhere on it, and a bound where none is", () => {
  const [profile, , growth] = figures({ pld: (runs, delta) => [delta < 1e-10 || runs > 3 ? 0.5 : 0, 1] });
  expect([profile, growth].map(({ lines }) => lines[0]!.kind)).toEqual(["interval", "interval"]);
  const [none] = figures({ pld: flat(1) });
  expect(none.lines[0]!.kind).toBe("bound");
});

it("the privacy profile spans twelve powers of ten of δ around the one asked for, within 1e-30 and 0.1, and marks that point", () => {
  const echo: Epsilons = { pld: (_runs, delta) => [0, -Math.log10(delta)] };
  const deltas = (delta: number): readonly number[] =>
    figures(echo, { ...at, delta })[0].lines[0]!.points.map(({ x }) => x);
  const usual = deltas(1e-6);
  expect(usual).toHaveLength(25);
  for (const [i, x] of usual.entries()) expect(Math.log10(x)).toBeCloseTo(-13 + i / 2, 9);
  const ends = (delta: number): readonly number[] =>
    [deltas(delta)[0]!, deltas(delta).at(-1)!].map(Math.log10);
  expect(ends(1e-20)[0]).toBeCloseTo(-26, 9);
  expect(ends(1e-20)[1]).toBeCloseTo(-14, 9);
  expect(ends(1e-29)[0]).toBeCloseTo(-30, 9);
  expect(ends(0.25)[0]).toBeCloseTo(Math.log10(0.25) - 12, 9);
  expect(ends(0.25)[1]).toBeCloseTo(Math.log10(0.25), 9);
  const [profile] = figures(echo);
  for (const { x, upper, lower } of profile.lines[0]!.points)
    expect([lower, upper]).toEqual([0, -Math.log10(x)]);
  expect(profile).toMatchObject({
    id: "epsilon-of-delta",
    x: { label: "δ", scale: "log" },
    y: { label: "ε", scale: "linear" },
    mark: { x: 1e-6, y: 1.23456, text: "ε = 1.235 at δ = 1e-6" },
  });
});

it("the trade-off runs from no false alarm to nothing but false alarms, closest where it is steep, beside what (ε, δ) alone allows", () => {
  const [, { lines, mark }] = figures({ pld: flat(1) }, { delta: 0.1, said: "0.1", epsilon: Math.log(3) });
  const [claim, pair, guessing] = lines as readonly [Line, Line, Line];
  const alphas = claim.points.map(({ x }) => x);
  expect(alphas).toHaveLength(41);
  expect([alphas[0], alphas[20], alphas.at(-1)]).toEqual([0, 0.5, 1]);
  const steps = alphas.slice(1).map((x, i) => x - alphas[i]!);
  expect(Math.min(...steps)).toBeGreaterThan(0);
  expect(steps[0]).toBeLessThan(steps[10]! / 5);
  expect(steps[0]).toBeCloseTo(steps.at(-1)!, 12);
  expect(claim.points[20]).toEqual({ x: 0.5, lower: 0.25, upper: 0.5 });
  // At e^ε = 3 and δ = 0.1: max(0, 0.9 − 3α, (0.9 − α)/3), with its corners at 0.9/4 and 0.9.
  const allowed = [
    [0, 0.9],
    [0.225, 0.225],
    [0.9, 0],
    [1, 0],
  ];
  for (const [i, [x, least]] of allowed.entries()) {
    expect(pair.points[i]!.x).toBeCloseTo(x!, 12);
    expect(pair.points[i]!.lower).toBeCloseTo(least!, 12);
    expect(pair.points[i]!.upper).toBe(pair.points[i]!.lower);
  }
  expect(pair.points).toHaveLength(4);
  expect(guessing.points).toEqual([
    { x: 0, lower: 1, upper: 1 },
    { x: 1, lower: 0, upper: 0 },
  ]);
  expect(mark).toBeNull();
});

it("growth goes half as far again as the run itself, or to 16 of what is run once, in whole counts from 1", () => {
  const linear: Epsilons = { pld: (runs) => [runs / 2, runs] };
  const [, , once] = figures(linear);
  expect(once.lines[0]!.points.map(({ x }) => x)).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
  expect(once).toMatchObject({
    id: "growth",
    x: { label: "runs", scale: "linear" },
    y: { label: "ε at δ = 1e-6", scale: "linear" },
    mark: { x: 1, y: 1.23456, text: "1 run" },
  });
  const [, , many] = figures(linear, at, 2000n, "steps");
  const counts = many.lines[0]!.points.map(({ x }) => x);
  expect(counts).toHaveLength(20);
  expect([counts[0], counts[1], counts.at(-1)]).toEqual([1, 158, 3000]);
  for (const { x, lower, upper } of many.lines[0]!.points) expect([lower, upper]).toEqual([x / 2, x]);
  expect(many.lines[0]!.kind).toBe("interval");
  expect(many.mark!.text).toBe("2,000 steps");
  const [, , twice] = figures(linear, at, 2n);
  expect(twice.lines[0]!.points.map(({ x }) => x)).toEqual([1, 2, 3]);
});
