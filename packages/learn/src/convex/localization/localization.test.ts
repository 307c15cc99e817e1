import { seal } from "@lethe/core/mechanisms";
import { SeededSource } from "@lethe/core/tape";
import { describe, expect, it } from "vitest";
import type { ConvexProblem } from "../problem/convex-problem.ts";
import { onGrid } from "../rows/on-grid.ts";
import { passOver } from "../rows/pass-gradients.ts";
import { unitRows } from "../rows/unit-rows.ts";
import { distance, smoothProblems, uniforms } from "../testing/samples.ts";
import { phasesOf } from "./phases.ts";
import { type LocalizationRequest, planLocalization } from "./plan-localization.ts";
import { localized, phaseAverage, runLocalization } from "./run-localization.ts";

const problem: ConvexProblem = {
  ...{ loss: { name: "squared" }, dimension: 4, features: { norm: "l2", bound: 1 }, labels: 1, radius: 1 },
};
const request: LocalizationRequest = {
  ...{ problem, units: 3000, adjacency: "replace-one", epsilon: 1, delta: 1e-6 },
};

/** Fresh rows: x one of the four unit vectors, y = ±1 with mean (0.6, −0.6, 0.3, 0) by coordinate, so that the population's risk is a sum. */
const means = [0.6, -0.6, 0.3, 0];
function draw(n: number, seed: number) {
  const next = uniforms(seed);
  const features = new Float64Array(4 * n);
  const labels = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    const j = Math.floor(4 * next());
    features[4 * i + j] = 1;
    labels[i] = next() < (1 + (means[j] ?? 0)) / 2 ? 1 : -1;
  }
  return { features, labels };
}
/** E(w_j − y)²/2 − its least, (w_j − mean)²/2, over the four. The best weights lie in the ball: their norm is 0.9. */
const populationExcess = (w: Float64Array): number =>
  w.reduce((sum, x, j) => sum + (x - (means[j] ?? 0)) ** 2 / 8, 0);

describe("localization", () => {
  it("meets its population bound on fresh draws, and uses them: no worse than half of what no data lose", () => {
    const plan = planLocalization(request);
    const runs = 30;
    let total = 0;
    for (let seed = 1; seed <= runs; seed += 1)
      total += populationExcess(runLocalization(plan, draw(3000, seed), new SeededSource(1000 + seed)));
    expect(plan.report.bound.risk).toBe("population");
    expect(total / runs).toBeLessThanOrEqual(plan.report.bound.proven);
    expect(total / runs).toBeLessThan(populationExcess(new Float64Array(4)) / 2);
    expect(plan.report.bound.vacuous).toBe(false);
  });

  it("reads each unit exactly once", () => {
    const plan = planLocalization(request);
    expect(plan.phases.reduce((sum, { units }) => sum + units, 0)).toBe(3000);
    const pass = passOver(
      problem,
      unitRows(problem, draw(3000, 1)),
      Uint32Array.from({ length: 3000 }, (_, i) => i),
    );
    localized(plan, seal(pass), new SeededSource(1));
    expect(pass.reads.every((count) => count === 1)).toBe(true);
  });

  it("costs one release, at most the ε asked for", () => {
    const { event, report } = planLocalization(request);
    expect(event.kind).toBe("rounded-gaussian");
    expect(report.price.epsilon).toBeLessThanOrEqual(1);
    expect(report.price.epsilon).toBeGreaterThan(0.999);
  });

  it.each(smoothProblems)(
    "replayed on neighbours, averages move by no more than is priced: $loss.name",
    (each) => {
      const setting = { units: 40, dimension: 3, lipschitz: 2, radius: 1, noise: 1, largestStep: 1 };
      const [phase] = phasesOf(setting, 0.25, 1);
      if (phase === undefined) throw new Error("no phase");
      const next = uniforms(7);
      let furthest = 0;
      for (let trial = 0; trial < 60; trial += 1) {
        const rows = {
          features: Float64Array.from({ length: 120 }, () => 2 * next() - 1),
          labels: Float64Array.from({ length: 40 }, () => 2 * next() - 1),
        };
        const features = rows.features.slice();
        const place = Math.floor(40 * next());
        for (let j = 0; j < 3; j += 1) features[3 * place + j] = -(features[3 * place + j] ?? 0);
        const neighbour = { ...rows, features };
        const average = (of: typeof rows, step: number): Float64Array => {
          const order = Uint32Array.from({ length: 40 }, (_, i) => i);
          const pass = passOver(each, unitRows(each, of), order);
          return phaseAverage(new Float64Array(3), { ...phase, stepSize: step }, pass, each.radius);
        };
        const [a, b] = [average(rows, phase.stepSize), average(neighbour, phase.stepSize)];
        expect(distance(a, b)).toBeLessThanOrEqual(phase.grid * 2 ** 20);
        furthest = Math.max(furthest, distance(a, b));
        const moved = distance(onGrid(a, phase.grid), onGrid(b, phase.grid));
        expect(moved).toBeLessThanOrEqual(2 ** 20 + 3);
      }
      expect(furthest).toBeGreaterThan(0);
    },
  );

  it("is refused by name", () => {
    const refused = (change: object, words: string): void =>
      expect(() => planLocalization({ ...request, ...change } as LocalizationRequest)).toThrow(words);
    refused({ problem: { ...problem, loss: { name: "hinge" } } }, "a smooth loss");
    refused({ stepSize: 2.5 }, "0 < η ≤ 2/β");
    refused({ stepSize: Number.NaN }, "0 < η ≤ 2/β");
    refused({ adjacency: "add-or-remove-one" }, "a public number of units");
    refused({ problem: { ...problem, features: { norm: "max", bound: 1 } } }, "Lipschitz in ℓ2");
    refused({ units: 0 }, "units must be declared");
  });

  it("never fails for what stands in rows, nor for fewer or more of them than declared", () => {
    const plan = planLocalization({ ...request, units: 50 });
    for (const rows of [
      { features: [], labels: [] },
      { features: [Number.NaN, 1e308, -1e308, Number.POSITIVE_INFINITY], labels: [Number.NaN] },
      draw(70, 1),
    ])
      expect([...runLocalization(plan, rows, new SeededSource(2))].every(Number.isFinite)).toBe(true);
    expect(() => runLocalization({ ...plan, phases: [] }, draw(50, 1), new SeededSource(1))).toThrow("plan");
  });
});
